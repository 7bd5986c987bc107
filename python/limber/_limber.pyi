"""The extension module: made from the C library's headers, so that its functions are not listed here again."""

from typing import Any

def __getattr__(name: str) -> Any: ...
