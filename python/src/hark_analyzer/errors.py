"""What can go wrong, by hark's exit codes."""


class HarkError(Exception):
    """hark ended with an error. `code` is its exit code, negative for a signal."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class CaptureError(HarkError):
    """The capture or a key file could not be opened (exit code 1)."""


class IncompleteError(HarkError):
    """With `strict`: a capture is damaged, or one of several could not be opened. All good rows came before."""


class UsageError(HarkError, ValueError):
    """A filter or an option is wrong (exit code 64)."""


class CrashError(HarkError):
    """hark was ended by a signal, or ended without its last row."""


class IncompleteWarning(UserWarning):
    """Without `strict`: a capture is damaged, or one of several could not be opened. All good rows came."""
