"""The rotation as one Triton program: phases are made where they are used, in 32-bit integers.

A table of cos and sin would be as much to read as a head. A position and a step are a few bytes,
and their product modulo 2^64 *is* the phase less whole turns: exact, of any position, however far.

Triton's interpreter runs the same code on a CPU. Where it is not like hardware, a comment says so.
"""

# What Triton's compiler reads is a language of its own: capitals are known when it compiles.
# ruff: noqa: N803
# mypy: disable-error-code="no-untyped-def, untyped-decorator"

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def waves(positions, steps):
    """cos and sin, float32, of int64 positions times int64 steps of 2^-64 turn.

    The top 32 bits of the product, and of them the nearest quarter turn, a remainder and a short
    polynomial: what ``posenc.functional._angles._from_quarter`` does, whose constants these are.
    """
    # By halves, since 32 bits are what a GPU multiplies at once. The halves are unsigned: of a
    # signed product hardware leaves the overflow open, and a checking build reports it. With
    # positions in two's complement the upper half of a negative one takes ``lower`` off by itself.
    low, high = positions.to(tl.uint32), (positions >> 32).to(tl.uint32)
    lower, upper = steps.to(tl.uint32), (steps >> 32).to(tl.uint32)
    top = tl.add(
        tl.add(
            tl.mul(low, upper, sanitize_overflow=False),
            tl.mul(high, lower, sanitize_overflow=False),
            sanitize_overflow=False,
        ),
        # The interpreter widens to 64 bits here, and is right for unsigned operands alone.
        tl.umulhi(low, lower),
        sanitize_overflow=False,
    )
    shifted = tl.add(top, 0x20000000, sanitize_overflow=False)
    quarter = shifted >> 30
    rest = (shifted & 0x3FFFFFFF).to(tl.int32) - 0x20000000
    r = rest.to(tl.float32) * 1.4629180792671596e-09  # 2 pi / 2^32
    s = r * r
    c = 1.0 + s * (-0.5 + s * (4.166664622e-2 + s * (-1.388734087e-3 + s * 2.443577910e-5)))
    d = r + r * s * (-1.666665018e-1 + s * (8.331957430e-3 + s * -1.949342772e-4))
    odd = (quarter & 1) == 1
    cos, sin = tl.where(odd, d, c), tl.where(odd, c, d)
    cos = tl.where(((quarter + 1) & 2) == 2, -cos, cos)
    sin = tl.where((quarter & 2) == 2, -sin, sin)
    return cos, sin


@triton.jit
def stored(number, like, BY_BITS: tl.constexpr):
    """float32 in the type that ``like`` points to, rounded to the nearest, ties to even."""
    kind: tl.constexpr = like.dtype.element_ty
    # The interpreter cuts bfloat16 off, where hardware has an instruction that rounds.
    if BY_BITS and kind == tl.bfloat16:
        bits = number.to(tl.uint32, bitcast=True)
        up = tl.add(bits, 0x7FFF + ((bits >> 16) & 1), sanitize_overflow=False)
        bits = tl.where(number == number, up, bits | 0x400000)  # NaN stays NaN
        return (bits >> 16).to(tl.uint16).to(tl.bfloat16, bitcast=True)
    return number.to(kind)


@triton.jit
def turned_heads(
    x, out, batch, token, known, first, heads, cos, sin,
    xb, xt, xh, xc, ob, ot, oh, oc,
    START: tl.constexpr, PAIRS: tl.constexpr, OTHERS: tl.constexpr, INTERLEAVED: tl.constexpr,
    TOKENS: tl.constexpr, WIDTH: tl.constexpr, REST: tl.constexpr, HEADS: tl.constexpr,
    BY_BITS: tl.constexpr,
):  # fmt: skip
    """Up to ``HEADS`` heads of one tensor, from ``first`` on, turned by what is known of tokens."""
    # In 64 bits: a large tensor has more numbers than 32 bits count, and strides come as 32.
    source = x + batch * xb + first.to(tl.int64) * xh + token[:, None] * xt
    target = out + batch * ob + first.to(tl.int64) * oh + token[:, None] * ot
    for _ in range(tl.minimum(HEADS, heads - first)):
        if INTERLEAVED:
            # Read in a row and parted in registers: every other number would be read twice.
            c = tl.arange(0, 2 * WIDTH)[None, :]
            held = known[:, None] & (c < 2 * PAIRS)
            both = tl.load(source + (START + c) * xc, mask=held, other=0.0).to(tl.float32)
            a, b = tl.split(tl.reshape(both, (TOKENS, WIDTH, 2)))
            both = tl.join(a * cos - b * sin, a * sin + b * cos)
            both = tl.reshape(both, (TOKENS, 2 * WIDTH))
            tl.store(target + (START + c) * oc, stored(both, out, BY_BITS), mask=held)
        else:
            c = tl.arange(0, WIDTH)[None, :]
            held = known[:, None] & (c < PAIRS)
            a = tl.load(source + (START + c) * xc, mask=held, other=0.0).to(tl.float32)
            b = tl.load(source + (START + PAIRS + c) * xc, mask=held, other=0.0).to(tl.float32)
            u, v = a * cos - b * sin, a * sin + b * cos
            tl.store(target + (START + c) * oc, stored(u, out, BY_BITS), mask=held)
            tl.store(target + (START + PAIRS + c) * oc, stored(v, out, BY_BITS), mask=held)
        if OTHERS:
            c = tl.arange(0, REST)[None, :]
            held = known[:, None] & (c < OTHERS)
            c = tl.where(c < START, c, c + 2 * PAIRS)
            tl.store(target + c * oc, tl.load(source + c * xc, mask=held), mask=held)
        source += xh
        target += oh


# Sizes that change from call to call would each be compiled for anew where they are 1 or a
# multiple of 16. Which channels turn is fixed, and has to be: what is not known to be aligned is
# read number by number.
@triton.jit(do_not_specialize=["blocks", "tokens"])
def turn(
    q, q_out, k, k_out, positions, steps, axis, blocks, tokens, q_heads, k_heads, factor, sense,
    qb, qt, qh, qc, rb, rt, rh, rc, kb, kt, kh, kc, lb, lt, lh, lc, pb, pt, pa,
    START: tl.constexpr, PAIRS: tl.constexpr, OTHERS: tl.constexpr, INTERLEAVED: tl.constexpr,
    SEVERAL: tl.constexpr, TOKENS: tl.constexpr, WIDTH: tl.constexpr, REST: tl.constexpr,
    HEADS: tl.constexpr, BY_BITS: tl.constexpr,
):  # fmt: skip
    """A block of tokens of one row of the batch, and some heads of q or else of k.

    Tensors are ``(batch, tokens, heads, channels)`` by their strides: b, t, h, c of q, of its
    output (r), of k and of its output (l); positions are ``(batch, tokens, coordinates)``. The
    angles of a block are made once and serve all of its heads. ``WIDTH`` and ``REST`` are powers of
    two that hold the ``PAIRS`` from ``START`` on and the ``OTHERS`` to copy.
    """
    at = tl.program_id(0)
    batch = (at // blocks).to(tl.int64)
    token = (at % blocks).to(tl.int64) * TOKENS + tl.arange(0, TOKENS)
    known = token < tokens
    pair = tl.arange(0, WIDTH)
    step = tl.load(steps + pair, mask=pair < PAIRS, other=0)
    place = positions + batch * pb + token[:, None] * pt
    held = known[:, None]
    if SEVERAL:  # each pair reads its own coordinate
        place += tl.load(axis + pair, mask=pair < PAIRS, other=0)[None, :] * pa
        held = held & (pair < PAIRS)[None, :]
    cos, sin = waves(tl.load(place, mask=held, other=0).to(tl.int64), step[None, :])
    cos, sin = cos * factor, sin * (factor * sense)
    group, q_groups = tl.program_id(1), (q_heads + HEADS - 1) // HEADS
    if group < q_groups:
        turned_heads(
            q, q_out, batch, token, known, group * HEADS, q_heads, cos, sin,
            qb, qt, qh, qc, rb, rt, rh, rc,
            START, PAIRS, OTHERS, INTERLEAVED, TOKENS, WIDTH, REST, HEADS, BY_BITS,
        )  # fmt: skip
    else:
        turned_heads(
            k, k_out, batch, token, known, (group - q_groups) * HEADS, k_heads, cos, sin,
            kb, kt, kh, kc, lb, lt, lh, lc,
            START, PAIRS, OTHERS, INTERLEAVED, TOKENS, WIDTH, REST, HEADS, BY_BITS,
        )  # fmt: skip


INTERPRETED = not isinstance(turn, triton.runtime.JITFunction)
"""Whether the loops were made for the interpreter, which TRITON_INTERPRET=1 has chosen by now."""
