"""Specs as the JSON that the library reads and writes, every field present."""

from collections.abc import Sequence

from oracle.exact import Data

UNSCALED: Data = {"kind": "unscaled"}
ONE_AXIS: Data = {"kind": "one_axis"}


def rope(
    dim: int = 8,
    *,
    head_dim: int | None = None,
    at: str = "front",
    layout: str = "half",
    base: float = 10000.0,
    scaling: Data = UNSCALED,
    axes: Data = ONE_AXIS,
) -> Data:
    return {
        "kind": "rope",
        "dim": dim,
        "head_dim": head_dim,
        "at": at,
        "layout": layout,
        "base": base,
        "scaling": scaling,
        "axes": axes,
    }


def sections(sizes: Sequence[int], order: str = "chunked") -> Data:
    return {"kind": "sections", "sizes": list(sizes), "order": order}


def axial(
    dims: Sequence[int],
    *,
    bases: Sequence[float] | None = None,
    order: str = "blocks",
    ladder: str = "geometric",
    halves: str = "all",
) -> Data:
    return {
        "kind": "axial",
        "dims": list(dims),
        "bases": None if bases is None else list(bases),
        "order": order,
        "ladder": ladder,
        "halves": halves,
    }


def learned_rope(dim: int, **fields: object) -> Data:
    usual = {
        "layout": "interleaved",
        "form": "freqs",
        "heads": 1,
        "coordinates": 1,
        "head_dim": None,
        "at": "front",
        "base": 10000.0,
        "scaling": UNSCALED,
    }
    return {"kind": "learned_rope", "dim": dim, **usual, **fields}


def crossed_rope(
    dim: int, layout: str, axes: Data, *, head_dim: int | None = None, base: float = 10000.0
) -> Data:
    return {
        "kind": "crossed_rope",
        "dim": dim,
        "layout": layout,
        "head_dim": head_dim,
        "base": base,
        "axes": axes,
    }


def linear(factor: float) -> Data:
    return {"kind": "linear", "factor": factor}


def ntk(factor: float) -> Data:
    return {"kind": "ntk", "factor": factor}


def mixed_ntk(factor: float, beta: float = 1.0) -> Data:
    return {"kind": "mixed_ntk", "factor": factor, "beta": beta}


def dynamic_ntk(factor: float, trained_length: int, *, doubling: bool = False) -> Data:
    return {
        "kind": "dynamic_ntk",
        "factor": factor,
        "trained_length": trained_length,
        "doubling": doubling,
    }


def yarn(
    factor: float,
    trained_length: int = 4096,
    *,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    truncate: bool = True,
    mscale: float | None = None,
    mscale_all_dim: float | None = None,
    attention_factor: float | None = None,
) -> Data:
    return {
        "kind": "yarn",
        "factor": factor,
        "trained_length": trained_length,
        "beta_fast": beta_fast,
        "beta_slow": beta_slow,
        "truncate": truncate,
        "mscale": mscale,
        "mscale_all_dim": mscale_all_dim,
        "attention_factor": attention_factor,
    }


def long_rope(
    short: Sequence[float],
    long: Sequence[float],
    trained_length: int = 4096,
    *,
    factor: float | None = None,
    attention_factor: float | None = None,
    short_mscale: float | None = None,
    long_mscale: float | None = None,
) -> Data:
    return {
        "kind": "long_rope",
        "short": list(short),
        "long": list(long),
        "trained_length": trained_length,
        "factor": factor,
        "attention_factor": attention_factor,
        "short_mscale": short_mscale,
        "long_mscale": long_mscale,
    }


def llama3(
    factor: float = 8.0, low: float = 1.0, high: float = 4.0, trained_length: int = 8192
) -> Data:
    return {
        "kind": "llama3",
        "factor": factor,
        "low_freq_factor": low,
        "high_freq_factor": high,
        "trained_length": trained_length,
    }


def proportional(share: float, factor: float = 1.0) -> Data:
    return {"kind": "proportional", "share": share, "factor": factor}


def high_pass(trained_length: int, turns: float = 1.0) -> Data:
    return {"kind": "high_pass", "trained_length": trained_length, "turns": turns}


def sinusoidal(
    dim: int = 8,
    *,
    base: float = 10000.0,
    ladder: str = "paper",
    layout: str = "interleaved",
    first: str = "sin",
    odd: str = "refuse",
    scale: float = 1.0,
    trained: bool = False,
) -> Data:
    return {
        "kind": "sinusoidal",
        "dim": dim,
        "base": base,
        "ladder": ladder,
        "layout": layout,
        "first": first,
        "odd": odd,
        "scale": scale,
        "trained": trained,
    }


def alibi(
    heads: int,
    slopes: str | list[float] = "reference",
    *,
    symmetric: bool = False,
    bias_max: float = 8.0,
    head_dim: int | None = None,
) -> Data:
    return {
        "kind": "alibi",
        "heads": heads,
        "slopes": slopes,
        "symmetric": symmetric,
        "bias_max": bias_max,
        "head_dim": head_dim,
    }


def t5_bias(
    heads: int,
    buckets: int,
    max_distance: int,
    *,
    bidirectional: bool,
    step: int = 1,
    scale: float = 1.0,
    coordinates: int = 1,
    axis: int = 0,
) -> Data:
    return {
        "kind": "t5_bias",
        "heads": heads,
        "buckets": buckets,
        "max_distance": max_distance,
        "bidirectional": bidirectional,
        "step": step,
        "scale": scale,
        "coordinates": coordinates,
        "axis": axis,
    }


def kerple(heads: int, form: str) -> Data:
    return {"kind": "kerple", "heads": heads, "form": form}


def sandwich(heads: int, dim: int, base: float = 10000.0) -> Data:
    return {"kind": "sandwich", "heads": heads, "dim": dim, "base": base}


def fire(heads: int, hidden: int, threshold: float = 512.0) -> Data:
    return {"kind": "fire", "heads": heads, "hidden": hidden, "threshold": threshold}


def dynamic_bias(heads: int, dim: int, depth: int, *, log_distance: bool) -> Data:
    return {
        "kind": "dynamic_bias",
        "heads": heads,
        "dim": dim,
        "depth": depth,
        "log_distance": log_distance,
    }


def swin_bias(
    heads: int,
    window: tuple[int, ...],
    *,
    offsets: str = "signed",
    class_token: bool = False,
) -> Data:
    return {
        "kind": "swin_bias",
        "heads": heads,
        "window": list(window),
        "offsets": offsets,
        "class_token": class_token,
    }


def swin_v2_bias(
    heads: int,
    window: tuple[int, int],
    *,
    pretrained: tuple[int, int] | None = None,
    hidden: int = 512,
    form: str = "v2",
) -> Data:
    return {
        "kind": "swin_v2_bias",
        "heads": heads,
        "window": list(window),
        "pretrained_window": None if pretrained is None else list(pretrained),
        "hidden": hidden,
        "form": form,
    }


def grid_sinusoidal(
    dims: Sequence[int],
    *,
    dim: int | None = None,
    rest: str = "refuse",
    base: float = 10000.0,
    bases: Sequence[float] | None = None,
    scales: Sequence[float] | None = None,
    ladder: str = "paper",
    layout: str = "half",
    halves: str = "axis",
    first: str = "sin",
) -> Data:
    return {
        "kind": "grid_sinusoidal",
        "dims": list(dims),
        "dim": dim,
        "rest": rest,
        "base": base,
        "bases": None if bases is None else list(bases),
        "scales": None if scales is None else list(scales),
        "ladder": ladder,
        "layout": layout,
        "halves": halves,
        "first": first,
    }
