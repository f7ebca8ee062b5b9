"""How a refusal is tested: which error it is, and its whole sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from posenc.errors import EncodingError

Call = Callable[[], object]
Refused = list[tuple[Call, type[EncodingError], str]]


def refusal(call: Call) -> tuple[type[EncodingError], str]:
    with pytest.raises(EncodingError) as caught:
        call()
    return type(caught.value), str(caught.value)
