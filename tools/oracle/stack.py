"""Several encodings at once: codes and biases add, logit scales multiply, the rest is one's own."""

from collections.abc import Callable
from functools import reduce
from typing import Any

from oracle.exact import Answer, Data, Exact


def _both(join: Callable[[Exact, Exact], Exact], a: Any, b: Any) -> Any:
    """Two answers joined number by number; one number, or one head, counts for all."""
    if not (isinstance(a, list) or isinstance(b, list)):
        return join(a, b)
    a, b = (x if isinstance(x, list) else [x] for x in (a, b))
    count = max(len(a), len(b))
    rows = zip(a * (count // len(a)), b * (count // len(b)), strict=True)
    return [_both(join, x, y) for x, y in rows]


def _joined(name: str, join: Callable[[Exact, Exact], Exact]) -> Answer:
    def answer(case: Data) -> Any:
        from oracle.answers import ANSWERS

        found = []
        for number, spec in enumerate(case["spec"]["parts"]):
            prefix = f"{number}."
            arrays = case.get("arrays", {}).items()
            own = {n.removeprefix(prefix): a for n, a in arrays if n.startswith(prefix)}
            if name in ANSWERS[spec["kind"]]:
                found.append(ANSWERS[spec["kind"]][name]({**case, "spec": spec, "arrays": own}))
        return reduce(lambda a, b: _both(join, a, b), found)

    return answer


def _alone(a: Exact, b: Exact) -> Exact:
    raise ValueError("two parts of a stack turn queries")


KINDS: dict[str, dict[str, Answer]] = {
    "stack": {
        "embed": _joined("embed", lambda a, b: a + b),
        "bias": _joined("bias", lambda a, b: a + b),
        "logit_scale": _joined("logit_scale", lambda a, b: a * b),
        "as_query": _joined("as_query", _alone),
        "as_key": _joined("as_key", _alone),
        "adjusted": _joined("adjusted", _alone),
    }
}
