"""The theorems this house may cite."""

CITED = {"integers_are_archimedean": "for every x there is an integer above it"}
