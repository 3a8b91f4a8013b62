"""Everything this site holds, in one file, and out of it again: rows of every table, and the releases of the dataset.

The form is the same for every database, so that a backup of one can be restored into another.
"""
