"""One sentence in one format, whatever is refused."""

import pytest

from posenc.errors import EncodingError, EncodingTypeError, check, nearest


def test_one_format() -> None:
    with pytest.raises(EncodingError) as caught:
        check(False, "Linear.factor", "at least 1", 0.25, "Divide by its inverse.")
    assert str(caught.value) == "Linear.factor must be at least 1; got 0.25. Divide by its inverse."


def test_long_values_are_shortened() -> None:
    with pytest.raises(EncodingError) as caught:
        check(False, "x", "short", list(range(10**6)))
    assert len(str(caught.value)) < 120


def test_a_wrong_type_is_both_errors() -> None:
    assert issubclass(EncodingTypeError, EncodingError)
    assert issubclass(EncodingTypeError, TypeError)
    assert issubclass(EncodingError, ValueError)


def test_nearest_names_or_lists() -> None:
    assert nearest("yran", ["yarn", "linear"]) == "Did you mean 'yarn'?"
    assert nearest("zzz", ["b", "a"]) == "Known: a, b."


def test_an_integer_that_python_will_not_print() -> None:
    with pytest.raises(EncodingError) as caught:
        check(False, "x", "small", 10**5000)
    assert str(caught.value) == "x must be small; got an integer of thousands of digits."


def test_nested_values_are_cut() -> None:
    deep = [["a" * 70] * 8] * 8
    with pytest.raises(EncodingError) as caught:
        check(False, "x", "flat", deep)
    assert len(str(caught.value)) < 200
