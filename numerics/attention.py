r"""Rotary attention without a mask, and its flow on the sphere, in floating point.

Main definitions
----------------
attention   the kernel A, scores shifted by their largest possible value
velocities  the field x_i' = P_(x_i) sum_j A_ij x_j
energy, energy_rate   the interaction energy and its derivative along the flow
angle_field the field of angles when tokens lie in one plane
angle_jacobian   its derivative, in closed form
integrate   a trajectory of angles for pictures

Conventions
-----------
Tokens are unit vectors in m planes, kept as complex arrays of shape `(n, m)`: the rotation of plane
k by theta_k multiplies by exp(1j theta_k), and the real inner product is Re sum conj(x) y.  Token i
is rotated i times; values are not rotated.  beta >= 0; s_ii = beta is the largest score of its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float64]
Planes = NDArray[np.complex128]


def turned(X: Planes, theta: Floats) -> Planes:
    """R^i x_i, shape `(n, m)`."""
    return X * np.exp(1j * np.outer(np.arange(len(X)), theta))


def shifted_weights(X: Planes, theta: Floats, beta: float) -> Floats:
    """exp(s_ij - beta), shape `(n, n)`, in (0, 1]."""
    Y = turned(X, theta)
    return np.exp(beta * ((Y.conj() @ Y.T).real - 1))


def attention(X: Planes, theta: Floats, beta: float) -> Floats:
    """The row-stochastic kernel A, shape `(n, n)`."""
    W = shifted_weights(X, theta, beta)
    return W / W.sum(axis=1, keepdims=True)


def tangent(X: Planes, V: Planes) -> Planes:
    """P_x v = v - <x, v> x, row by row."""
    along = (X.conj() * V).real.sum(axis=1, keepdims=True)
    return V - along * X


def velocities(X: Planes, theta: Floats, beta: float) -> Planes:
    """The flow's field, shape `(n, m)`."""
    return tangent(X, attention(X, theta, beta) @ X)


def energy(X: Planes, theta: Floats, beta: float) -> float:
    """sum_ij exp(s_ij) / (2 beta n^2)."""
    W = shifted_weights(X, theta, beta)
    return float(W.sum() * np.exp(beta) / (2 * beta * len(X) ** 2))


def energy_rate(X: Planes, theta: Floats, beta: float) -> float:
    """The derivative of the energy along the flow."""
    W = shifted_weights(X, theta, beta)
    Y = turned(X, theta)
    pulled = tangent(X, turned_back(W @ Y, theta))
    moved = tangent(X, W @ X)
    each = (pulled.conj() * moved).real.sum(axis=1) / W.sum(axis=1)
    return float(each.sum() * np.exp(beta) / len(X) ** 2)


def turned_back(Y: Planes, theta: Floats) -> Planes:
    """R^-i y_i."""
    return turned(Y, -theta)


def angle_field(phi: Floats, theta: float, beta: float, value_turn: float = 0.0) -> Floats:
    """phi_i' = sum_j A_ij sin(phi_j - phi_i + (j - i) value_turn), shape `(n,)`."""
    index = np.arange(len(phi))
    apart = phi[None, :] - phi[:, None]
    steps = index[None, :] - index[:, None]
    W = np.exp(beta * (np.cos(apart + steps * theta) - 1))
    return (W * np.sin(apart + steps * value_turn)).sum(axis=1) / W.sum(axis=1)


def angle_jacobian(phi: Floats, theta: float, beta: float) -> Floats:
    """d phi_i' / d phi_j for values that are not rotated, shape `(n, n)`; rows sum to 0.

    For j != i it is A_ij (cos(phi_j - phi_i) - beta sin(gap) (sin(phi_j - phi_i) - phi_i')), with
    gap = phi_j - phi_i + (j - i) theta: the pull itself, and the change of the weight.
    """
    index = np.arange(len(phi))
    apart = phi[None, :] - phi[:, None]
    gap = apart + (index[None, :] - index[:, None]) * theta
    W = np.exp(beta * (np.cos(gap) - 1))
    A = W / W.sum(axis=1, keepdims=True)
    speed = (A * np.sin(apart)).sum(axis=1, keepdims=True)
    J = A * (np.cos(apart) - beta * np.sin(gap) * (np.sin(apart) - speed))
    np.fill_diagonal(J, 0)
    return J - np.diag(J.sum(axis=1))


def integrate(
    phi: Sequence[float],
    theta: float,
    beta: float,
    times: Floats,
    value_turn: float = 0.0,
    accuracy: float = 1e-10,
) -> Floats:
    """Angles at the given times, shape `(len(times), n)`; for pictures, without guarantee."""
    from scipy.integrate import solve_ivp

    found = solve_ivp(
        lambda _, state: angle_field(state, theta, beta, value_turn),
        (float(times[0]), float(times[-1])),
        np.asarray(phi, dtype=np.float64),
        method="DOP853",
        t_eval=times,
        rtol=accuracy,
        atol=accuracy,
    )
    return found.y.T
