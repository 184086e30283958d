"""How close it is: balls, high precision and float formats."""
