"""Nothing may be cited here."""

CITED: dict[str, str] = {}
