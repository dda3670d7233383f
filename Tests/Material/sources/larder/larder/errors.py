"""The errors that a user can cause. The command line prints them without a stack trace."""


class LarderError(Exception):
    """An error with a message for the user. `exit_code` is the code with which the program ends."""

    exit_code = 1


class UsageError(LarderError):
    """A command line or a setting that makes no sense."""

    exit_code = 2


class FormatError(LarderError):
    """A line of a text file that cannot be read."""

    exit_code = 3

    def __init__(self, path, line, words):
        """Makes an error of a line. `line` counts from 1, and `words` say what is wrong."""
        super().__init__(f"{path}:{line}: {words}")
        self.path, self.line, self.words = path, line, words


class UnitError(LarderError):
    """Two amounts that cannot be added, because one is a weight and the other is a number of pieces."""

    exit_code = 4


class MissingError(LarderError):
    """A recipe, a food or a file that does not exist."""

    exit_code = 5


class EmptyPlanError(LarderError):
    """A plan without meals: no recipe fits the wishes."""

    exit_code = 6
