"""What can be wrong with a backup, or with the place it is to be restored into."""


class BackupProblem(Exception):
    """The file is damaged, or cannot be read by this version; nothing was changed."""


class NotEmpty(Exception):
    """Something stands where the backup should go; nothing was changed."""
