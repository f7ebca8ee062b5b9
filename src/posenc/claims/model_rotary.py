"""Claims about the rotary encoding of a model at hand."""

from __future__ import annotations

import numpy as np

from posenc._facade import bind, rotate, tables
from posenc.claims._claim import Claim
from posenc.claims._codes import Matrix
from posenc.claims._exact import cosines
from posenc.claims._formulas import ladder, magnitude, rule
from posenc.claims._half import bfloat16
from posenc.claims._pairs import changed, logit_gain, trained_under_rule, turns, unfinished, unseen
from posenc.claims._stated import Stated, worked_out
from posenc.specs._longer import LongRope, Yarn
from posenc.specs._rope import Rope
from posenc.specs._scaling import Proportional, Unscaled

_PLACE = 70_001
_PAGE = 8  # lines of plain code
_BFLOAT16 = [
    "bits = np.arange({0}, dtype=np.float32).view(np.uint32)",
    "half = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000",
    "value = 1 + np.count_nonzero(np.diff(half))",
]
_COUNTED = [
    "turn = 6283185307179586476925286766559005768394338798750211641949889185  # 2 pi times 10^63",
    "def exact(p, n, d):",
    "    return math.cos(p * n * 10**63 // d % turn / 10**63)",
    "def counted(p, n, d):",
    "    step = (n * 2**65 * 10**63 // (d * turn) + 1) // 2  # in units of 2^-64 turn",
    "    return np.float32(math.cos(p * step % 2**64 * math.tau / 2**64))",
]


def rotary_claims(spec: Rope, *, length: int, trained_length: int, name: str) -> list[Claim]:
    """See ``posenc.claims.model.claims_for``."""
    about = _About(spec, length, trained_length, name)
    about.frequencies()
    about.training()
    about.rule()
    about.factor()
    about.rotation()
    about.precision()
    return list(about.stated)


class _About:
    def __init__(self, spec: Rope, length: int, trained: int, name: str) -> None:
        self.spec, self.length, self.trained = spec, length, trained
        self.stated = Stated(name, spec.scaling.kind)
        self.freqs = spec.frequencies(length)
        # A list of searched factors would fill a page; of every such rule a few pairs are shown.
        self.listed = isinstance(spec.scaling, LongRope)
        self.shown = _spread(np.flatnonzero(self.freqs), 3)
        self.pairs = self.shown if self.listed else None

    def formula(self) -> list[str]:
        """Lines that set ``w``, for all pairs or those that are shown."""
        return [*ladder(self.spec, self.pairs), *rule(self.spec, self.length, self.pairs)]

    def frequencies(self) -> None:
        spec, length, shown = self.spec, self.length, self.shown
        whole = "\n".join([*ladder(spec), *rule(spec, length)])
        ours = ", ".join(repr(float(self.freqs[i])) for i in shown)
        plain = [*ladder(spec, shown), *rule(spec, length, shown), f"ours = [{ours}]"]

        def frequencies() -> float:
            want = worked_out(whole, "w")
            off = np.abs(spec.frequencies(length) - want) / np.maximum(want, 1e-300)
            return float(off.max())

        self.stated.state(
            "frequencies",
            frequencies,
            chapter=11,
            relation="at_most",
            expected=1e-12,
            plain=[*plain, "value = np.abs(ours / w - 1).max()"],
            pairs=spec.dim // 2,
        )
        slowest = [int(np.where(self.freqs > 0, self.freqs, np.inf).argmin())]
        plain = [*ladder(spec, slowest), *rule(spec, length, slowest), "value = 2 * np.pi / w[0]"]

        def longest_wavelength() -> float:
            freqs = spec.frequencies(length)
            return float(2 * np.pi / freqs[freqs > 0].min())

        within = 1e-9 * worked_out("\n".join(plain))
        self.stated.state(
            "longest-wavelength", longest_wavelength, chapter=11, plain=plain, within=within
        )

    def training(self) -> None:
        spec, length, trained = self.spec, self.length, self.trained
        ruled = trained_under_rule(spec, trained, length)
        if not (ruled and self.listed):
            lines = rule(spec, trained) if ruled else []
            self.stated.state(
                "never-turn",
                lambda: float(unfinished(spec, trained, ruled=ruled).sum()),
                chapter=11,
                plain=[*ladder(spec), *lines, f"value = ({trained} * w < 2 * np.pi).sum()"],
                said="never-turn-ruled" if ruled else None,
                pairs=spec.dim // 2,
                trained=trained,
            )
        never = np.flatnonzero(unfinished(spec, trained)).tolist()
        if length <= trained or not never:
            return
        pairs = never if self.listed else None
        plain = [
            *ladder(spec, pairs),
            f"seen = {trained} * w",
            *rule(spec, length, pairs),
            f"value = ((seen < 2 * np.pi) & ({length} * w > seen * (1 + 1e-9))).sum()",
        ]
        if len(plain) > _PAGE:
            return
        none = worked_out("\n".join(plain)) == 0
        self.stated.state(
            "unseen",
            lambda: float(unseen(spec, trained, length).sum()),
            chapter=11,
            plain=plain,
            said="all-seen" if none else None,
            length=length,
            trained=trained,
        )

    def rule(self) -> None:
        spec, trained = self.spec, self.trained
        if self.listed or isinstance(spec.scaling, Unscaled):
            return
        rescaled = [*ladder(spec), "plain = w", *rule(spec, trained)]
        self.stated.state(
            "short-text",
            lambda: float(changed(spec, trained).sum()),
            chapter=11,
            plain=[*rescaled, "value = (np.abs(w / plain - 1) > 1e-12).sum()"],
            pairs=spec.dim // 2,
            trained=trained,
        )
        if isinstance(spec.scaling, Proportional):
            self.stated.state(
                "stand-still",
                lambda: float((turns(spec, trained) == 0).sum()),
                chapter=11,
                plain=[*rescaled, "value = (w == 0).sum()"],
                pairs=spec.dim // 2,
            )

    def factor(self) -> None:
        spec, length = self.spec, self.length
        if not isinstance(spec.scaling, LongRope | Yarn):
            return
        g = magnitude(spec.scaling, length)
        head = spec.head_dim or spec.dim
        self.stated.state(
            "attention-factor",
            lambda: spec.attention_factor(length),
            chapter=11,
            said=None if head == spec.dim else "attention-factor-part",
            plain=[f"value = {g}"],
            within=1e-12,
        )
        gain = "g**2" if head == spec.dim else f"({spec.dim} * g**2 + {head - spec.dim}) / {head}"
        both = isinstance(spec.scaling, LongRope) and spec.scaling.short_mscale is not None
        self.stated.state(
            "logits",
            lambda: logit_gain(spec, length),
            chapter=11,
            said=None if both else "logits-always",
            plain=[f"g = {g}", f"value = {gain}"],
            within=1e-9,
        )

    def rotation(self) -> None:
        spec, length = self.spec, self.length
        head = spec.head_dim or spec.dim
        x = np.ones((1, 1, head))
        gain, z, size = [], f"np.exp({_PLACE}j * w) * (1 + 1j)", "(np.abs(z) ** 2).sum()"
        if head != spec.dim:  # the factor is put on the channels that turn, not on the logits
            gain, z = [f"g = {magnitude(spec.scaling, length)}"], f"g * {z}"
            size = f"({size} + {head - spec.dim})"

        def norm() -> float:
            key = bind(spec, length=length).key(x, np.array([_PLACE]))  # type: ignore[misc]
            return float(np.linalg.norm(key) / np.linalg.norm(x))

        kept = "norm-kept" if spec.attention_factor(length) == 1 else "norm-on-logits"
        carried = head != spec.dim and kept == "norm-on-logits"
        self.stated.state(
            "norm",
            norm,
            chapter=11,
            said=None if carried else kept,
            plain=[
                *ladder(spec),
                *gain,
                f"z = {z}",
                f"value = np.sqrt({size} / {head})",
            ],
            within=1e-9,
            place=_PLACE,
        )

        def moved() -> float:
            scheme = bind(spec, length=length)

            def score(m: int, n: int) -> float:
                q, k = scheme.query(x, np.array([m])), scheme.key(x, np.array([n]))  # type: ignore[misc]
                return float((q * k).sum())

            return abs(score(_PLACE + 7, _PLACE) - score(7, 0))

        angles = f"2 * np.cos({_PLACE + 7} * w - {_PLACE} * w) - 2 * np.cos(7 * w)"
        self.stated.state(
            "distance-alone",
            moved,
            chapter=11,
            relation="at_most",
            expected=1e-7,
            plain=[*self.formula(), f"value = abs(({angles}).sum())"],
            place=_PLACE,
        )

        def moved_key() -> float:
            x = np.ones((1, spec.dim))
            for position in (_PLACE, -1):
                cos, sin = tables(spec, np.array([position]), length=length, float64=True)
                x = rotate(x, cos, sin, layout=spec.layout)
            cos, sin = tables(spec, np.array([_PLACE - 1]), length=length, float64=True)
            want = rotate(np.ones((1, spec.dim)), cos, sin, layout=spec.layout)
            return float(np.abs(x - want).max())

        back = f"np.exp({_PLACE}j * w) * np.exp(-1j * w) - np.exp({_PLACE - 1}j * w)"
        self.stated.state(
            "turned-back",
            moved_key,
            chapter=12,
            relation="at_most",
            expected=1e-9,
            plain=[*self.formula(), f"value = np.abs({back}).max()"],
            place=_PLACE,
            before=_PLACE - 1,
        )

    def precision(self) -> None:
        spec, length = self.spec, self.length
        last = length - 1

        def exact() -> float:
            cos, _ = tables(spec, np.array([last]), length=length)
            return float(np.abs(cos - cosines([last], spec.frequencies(length))).max())

        ours = ", ".join(repr(float(self.freqs[i])) for i in self.shown[-2:])
        fractions = f"w = [f.as_integer_ratio() for f in ({ours},)]"
        worst = f"value = max(abs(counted({last}, *f) - exact({last}, *f)) for f in w)"
        self.stated.state(
            "exact-angles",
            exact,
            chapter=12,
            relation="at_most",
            expected=1e-7,
            plain=[*_COUNTED, fractions, worst],
            last=last,
        )
        first = max(0, length - 64)
        formula = "\n".join([*ladder(spec), *rule(spec, length)])
        pairs = slice(None) if self.pairs is None else self.pairs

        def float32() -> float:
            where = np.arange(first, length)
            cos, _ = tables(spec, where, length=length, arithmetic="float32")
            true = np.cos(where[:, None] * worked_out(formula, "w"))
            return float(-np.log2(np.abs(cos - true)[:, pairs].max()))

        off = "np.abs(np.cos(np.float32(p) * np.float32(w)) - np.cos(p * w)).max()"
        plain = [*self.formula(), f"p = np.arange({first}, {length})[:, None]"]
        if length >= 64:
            self.stated.state(
                "float32-angles",
                float32,
                chapter=12,
                plain=[*plain, f"value = -np.log2({off})"],
                within=1.2,  # how a rule is written decides the last bits that it rounds
                count=length - first,
                length=length,
            )
        count = min(length, 2**20)
        self.stated.state(
            "bfloat16-positions",
            lambda: float(1 + np.count_nonzero(np.diff(bfloat16(np.arange(count))))),
            chapter=12,
            plain=[line.format(count) for line in _BFLOAT16],
            count=count,
        )


def _spread(pairs: Matrix, count: int) -> list[int]:
    """A few of them, first and last among them."""
    chosen = np.linspace(0, len(pairs) - 1, min(count, len(pairs)))
    return [int(pairs[round(i)]) for i in chosen.tolist()]
