"""What is wrong with a folder that should be a dataset, said so that a person finds the place."""

from django.core.exceptions import ValidationError


class DatasetProblem(ValueError):
    """The message names the file and, where that means something, the line and the column."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: str = "") -> None:
        self.file, self.line, self.column = file, line, column
        where = [file, f"line {line}" if line else "", f"column {column}" if column else ""]
        super().__init__(": ".join(part for part in (", ".join(filter(None, where)), message) if part))


def refused_by_model(problem: ValidationError, file: str, line: int) -> DatasetProblem:
    """The first of the columns that a model refuses."""
    name, messages = next(iter(problem.message_dict.items()))
    return DatasetProblem(" ".join(messages), file, line, name)


class NotADataset(DatasetProblem):
    """There is no dataset at all where one was named, or something stands where one should be written."""
