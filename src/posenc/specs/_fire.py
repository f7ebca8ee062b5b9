"""FIRE and the dynamic position bias: a small network of the distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc._arrays import adopt, is_host, widened
from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._bias import heads_first
from posenc.functional._curves import fire_input
from posenc.functional._mlp import Activation, drawn, mlp, relu, shapes, silu
from posenc.positions._bits import distance
from posenc.scheme import Scheme
from posenc.specs._fields import flag, number, whole, width
from posenc.specs._record import Spec


def network(
    x: Array, arrays: Arrays, *, depth: int, activation: Activation, xp: Namespace
) -> Array:
    """The network of a spec, its arrays named as in ``shapes``, with one output a head.

    Shape ``(*batch, q, k)`` to ``(*batch, heads, q, k)``.
    """
    layers = [(arrays[f"weight{i}"], arrays[f"bias{i}"]) for i in range(1, depth + 1)]
    return heads_first(mlp(x[..., None], layers, activation=activation, xp=xp), xp=xp)


def at_hand(arrays: Arrays, *, like: Array, xp: Namespace) -> Arrays:
    """Learned arrays where the positions are, float32 or wider; float64 on the host.

    Far distances go into a network as large numbers, whose rounding its layers carry on.
    """
    own = {name: widened(adopt(a, like=like, xp=xp), xp) for name, a in arrays.items()}
    return {n: xp.astype(a, xp.float64) for n, a in own.items()} if is_host(xp) else own


@dataclass(frozen=True, kw_only=True)
class Fire(Spec):
    """A network of the distance as a share of what the query can look back on.

        MLP(ln(1 + abs(c (m - n))) / (ln(1 + abs(c max(m, L))) + 1e-6)),
        L = abs(multiplier threshold)

    m is the position of the query: from L on, what a key gets depends on more than its distance,
    and the numbers that go into the network stay between 0 and 1 at any length. Learned are ``c``,
    ``multiplier`` and the network, ``weight1`` and ``bias1`` to ``weight2`` and ``bias2``.

    Attributes:
        heads: Attention heads.
        hidden: Width of the network.
        threshold: L at the start of training.

    References:
        Li et al. 2023, arXiv:2310.04418, section 3 and the code of appendix E.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    hidden: int = width(32)
    threshold: float = number(512.0, above=0, at_most=2**31)

    relative: ClassVar[bool] = False

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"c": (), "multiplier": (), **self._network()}

    def init(self, rng: np.random.Generator) -> Arrays:
        """c = 0.1, multiplier = 1, and a network as torch draws linear layers; float32."""
        fixed = {"c": np.asarray(0.1, np.float32), "multiplier": np.asarray(1.0, np.float32)}
        return {**fixed, **drawn(rng, self._network())}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def bias(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
            own = at_hand(arrays, like=q_positions, xp=xp)
            reach = distance(q_positions, k_positions, xp=xp)
            threshold = xp.abs(own["multiplier"] * self.threshold)
            share = fire_input(reach, q_positions, own["c"], threshold, xp=xp)
            return network(share, own, depth=2, activation=relu, xp=xp)

        return scheme_of(bias=bias, xp=xp)

    def _network(self) -> dict[str, tuple[int, ...]]:
        return shapes((1, self.hidden, self.heads))


@dataclass(frozen=True, kw_only=True)
class DynamicBias(Spec):
    """A network of the distance itself.

        MLP(r) or MLP(sign(r) ln(1 + abs(r))),    r = query - key

    Learned is the network, ``weight1`` and ``bias1`` and so on. It is asked anew for every pair of
    tokens, except by ``posenc.torch.attend``, which asks once for every distance.

    Attributes:
        heads: Attention heads.
        dim: Width of the network.
        depth: Hidden layers, each followed by SiLU.
        log_distance: Whether it is given the logarithm.

    References:
        x_transformers, ``DynamicPositionBias``; Wang et al. 2021, arXiv:2108.00154, section 3.2.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    dim: int = width()
    depth: int = whole(2, at_least=1, at_most=64)
    log_distance: bool = flag(False)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return shapes((1, *[self.dim] * self.depth, self.heads))

    def init(self, rng: np.random.Generator) -> Arrays:
        """A network as torch draws linear layers; float32."""
        return drawn(rng, self.learned())

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def bias(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
            own = at_hand(arrays, like=q_positions, xp=xp)
            reach = distance(q_positions, k_positions, xp=xp)
            x = xp.astype(reach, own["weight1"].dtype)
            if self.log_distance:
                x = xp.sign(x) * xp.log1p(xp.abs(x))
            return network(x, own, depth=self.depth + 1, activation=silu, xp=xp)

        return scheme_of(bias=bias, xp=xp)
