"""Rotary frequencies under each scaling rule, and the factor some rules put on cos and sin."""

from collections.abc import Callable

from mpmath import mp

from oracle.exact import Data, Exact, exact

Rule = Callable[[Data, int, Exact, int | None], list[Exact]]


def unscaled(dim: int, base: Exact) -> list[Exact]:
    """`base^(-2i / dim)`: RoFormer, arXiv:2104.09864, section 3.2.2."""
    return [base ** (-exact(2 * i) / dim) for i in range(dim // 2)]


def linear(rule: Data, dim: int, base: Exact, length: int | None) -> list[Exact]:
    """Position interpolation, arXiv:2306.15595: `p w / factor` is `p (w / factor)`."""
    return [w / exact(rule["factor"]) for w in unscaled(dim, base)]


def stretched_base(rule: Data, dim: int, base: Exact, length: int | None) -> Exact:
    """The base of the two NTK rules; the dynamic one grows it past the trained length only."""
    stretch = exact(rule["factor"])
    if rule["kind"] == "dynamic_ntk":
        trained = rule["trained_length"]
        ratio = exact(max(length or trained, trained)) / trained
        if rule.get("doubling"):  # Qwen-1: alpha = 2^(ceil(log2 ratio) + 1) - 1
            ratio = next(exact(2) ** n for n in range(64) if 2**n >= ratio)
        stretch = stretch * ratio - (stretch - 1)
    return base * stretch ** (exact(dim) / (dim - 2))


def ntk(rule: Data, dim: int, base: Exact, length: int | None) -> list[Exact]:
    """The plain ladder on a larger base, which leaves the fastest pair alone."""
    return unscaled(dim, stretched_base(rule, dim, base, length))


def mixed_ntk(rule: Data, dim: int, base: Exact, length: int | None) -> list[Exact]:
    """Su's two forms, as vLLM has them: "fixed" for beta 1, else "mixed"."""
    factor, beta = exact(rule["factor"]), exact(rule["beta"])
    if beta == 1:
        return [w / factor ** (exact(2) / dim) for w in unscaled(dim, base * factor)]
    a = mp.log(factor) / (exact(dim) / 2) ** beta
    return [w / mp.exp(a * exact(i + 1) ** beta) for i, w in enumerate(unscaled(dim, base))]


def yarn_bounds(rule: Data, dim: int, base: Exact) -> tuple[Exact, Exact]:
    """Pair indices between which YaRN passes from kept to interpolated frequencies."""

    def index(turns: float) -> Exact:
        wavelength = exact(rule["trained_length"]) / exact(turns)
        return dim * mp.log(wavelength / (2 * mp.pi)) / (2 * mp.log(base))

    low, high = index(rule["beta_fast"]), index(rule["beta_slow"])
    if rule["truncate"]:
        low, high = mp.floor(low), mp.ceil(high)
    return max(low, exact(0)), min(high, exact(dim - 1))


def yarn(rule: Data, dim: int, base: Exact, length: int | None) -> list[Exact]:
    """YaRN, arXiv:2309.00071, with the ramp over pair indices that implementations share."""
    low, high = yarn_bounds(rule, dim, base)
    if low == high:
        high += exact("0.001")

    def share(i: int) -> Exact:
        return min(max((i - low) / (high - low), exact(0)), exact(1))

    return [
        w * (1 - share(i)) + w / exact(rule["factor"]) * share(i)
        for i, w in enumerate(unscaled(dim, base))
    ]


def is_long(rule: Data, length: int | None) -> bool:
    """Whether LongRoPE has left the trained length; no length means the trained one."""
    return length is not None and length > rule["trained_length"]


def long_rope(rule: Data, dim: int, base: Exact, length: int | None) -> list[Exact]:
    """LongRoPE, arXiv:2402.13753: one divisor per pair, from one of two lists."""
    divisors = rule["long" if is_long(rule, length) else "short"]
    return [w / exact(by) for w, by in zip(unscaled(dim, base), divisors, strict=True)]


def llama3(rule: Data, dim: int, base: Exact, length: int | None) -> list[Exact]:
    """Llama 3.1: slow pairs interpolated, fast ones kept, a linear passage in turns between."""
    low, high = exact(rule["low_freq_factor"]), exact(rule["high_freq_factor"])

    def rescaled(w: Exact) -> Exact:
        turns = rule["trained_length"] * w / (2 * mp.pi)
        kept = min(max((turns - low) / (high - low), exact(0)), exact(1))
        return (1 - kept) * w / exact(rule["factor"]) + kept * w

    return [rescaled(w) for w in unscaled(dim, base)]


def proportional(rule: Data, dim: int, base: Exact, length: int | None) -> list[Exact]:
    """Gemma 4: exponents over the whole head, the pairs past the share stand still."""
    turning = int(rule["share"] * dim // 2)  # in float64, as every implementation counts them
    return [
        w / exact(rule["factor"]) if i < turning else exact(0)
        for i, w in enumerate(unscaled(dim, base))
    ]


def high_pass(rule: Data, dim: int, base: Exact, length: int | None) -> list[Exact]:
    """HoPE, arXiv:2410.21216: what makes no turn in the trained length stands still."""
    least = 2 * mp.pi * exact(rule["turns"]) / rule["trained_length"]
    return [w if w >= least else exact(0) for w in unscaled(dim, base)]


RULES: dict[str, Rule] = {
    "unscaled": lambda rule, dim, base, length: unscaled(dim, base),
    "linear": linear,
    "ntk": ntk,
    "mixed_ntk": mixed_ntk,
    "dynamic_ntk": ntk,
    "yarn": yarn,
    "long_rope": long_rope,
    "llama3": llama3,
    "proportional": proportional,
    "high_pass": high_pass,
}


def yarn_magnitude(factor: Exact, mscale: Exact) -> Exact:
    """`0.1 mscale ln(factor) + 1`: arXiv:2309.00071, section 3.4, and DeepSeek's weight on it."""
    return exact(1) if factor <= 1 else mscale * mp.log(factor) / 10 + 1


def attention_factor(rule: Data, length: int | None) -> Exact:
    """What the rule multiplies cos and sin by; 1 for all rules but YaRN and LongRoPE."""
    if rule.get("attention_factor") is not None:
        return exact(rule["attention_factor"])
    if rule["kind"] == "yarn":
        factor, pair = exact(rule["factor"]), (rule["mscale"], rule["mscale_all_dim"])
        if not all(pair):
            return yarn_magnitude(factor, exact(1))
        over, under = (yarn_magnitude(factor, exact(mscale)) for mscale in pair)
        return over / under
    if rule["kind"] == "long_rope":
        given = rule["long_mscale" if is_long(rule, length) else "short_mscale"]
        factor = exact(rule["factor"] or 1)
        if given is not None:
            return exact(given)
        return mp.sqrt(1 + mp.log(max(factor, 1)) / mp.log(rule["trained_length"]))
    return exact(1)
