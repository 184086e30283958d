"""Distance kernels and biases, measured."""
