"""Does not import."""

raise ValueError("the table is missing\nand more")
