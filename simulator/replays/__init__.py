"""The games of batches one by one."""
