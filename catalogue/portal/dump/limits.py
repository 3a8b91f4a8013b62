"""What a dump may ask of this machine. The portal's own is far below each of these."""

MOST_BYTES = 2**30  # of text, after it was decompressed
MOST_EXPANSION = 200  # times the size of a compressed file
LONGEST_PART = 16 * 2**20  # characters of one row, one CREATE TABLE, one string or one comment
DEEPEST_NESTING = 50  # brackets within brackets
MOST_TABLES = 1_000
MOST_COLUMNS = 500  # of a table, and values of a row
MOST_ROWS = 5_000_000


class NoDump(ValueError):
    """The file is no dump of the portal, or one that cannot be read; the message says why and, if it can, where."""
