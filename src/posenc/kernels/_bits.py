"""What Numba lacks for raw memory: numbers at an address, and 16-bit floats.

Float16 travels as int16 and bfloat16 as uint16, so that their types say which conversion is due.
Numba is imported here and in the modules of loops alone, which nothing imports before it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir
from llvmlite.binding import get_default_triple, get_host_cpu_features
from numba import carray, config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable

from posenc.kernels._memory import LINE

_ENDLESS = (1 << 60,)
_FLOAT, _HALF = ir.FloatType(), ir.HalfType()
_16, _32, _64 = (ir.IntType(size) for size in (16, 32, 64))
_LINE = ir.VectorType(_64, LINE // 8)


@cache
def converts_halves() -> bool:
    """Whether the processor converts float16 itself; LLVM calls a library of C's otherwise."""
    if config.CPU_NAME not in (None, "host"):  # compiled for another one
        return False
    features = get_host_cpu_features()
    return bool(features.get("f16c") or get_default_triple().startswith(("aarch64", "arm64")))


def machine_code(loop: Callable[..., None], *, fused: bool = False) -> Callable[..., Any]:
    """A loop of whole numbers, compiled now, or read from disk where an earlier process kept it.

    Every product and every sum is rounded, as NumPy and PyTorch do it: the answers are theirs to
    the last bit (of what is a number), and moving memory takes longer than the arithmetic. Where
    arithmetic takes longer a sum may take its product unrounded: ``fused``.
    """
    given = (types.int64,) * loop.__code__.co_argcount
    options: dict[str, Any] = {"nogil": True, "fastmath": {"contract"} if fused else False}
    try:
        kept = njit(loop, cache=True, **options)
        kept.compile(given)
    except Exception:  # no folder can be written, the disk is full, or what is kept was cut off
        kept = njit(loop, **options)
        kept.compile(given)
    return kept  # type: ignore[no-any-return]


@intrinsic
def in_wide_vectors(typing: Any) -> Any:
    """Let the loops of the function that calls this use the widest registers there are.

    LLVM leaves those of 512 bits alone, since the first processors that had them slowed down.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # An attribute by a name of LLVM's that llvmlite does not list, and so would not add.
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _pointer(typing: Any, address: Any, like: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(like.dtype)(address, like), generate


@register_jitable
def at(address: int, dtype: Any) -> Any:
    """The numbers of a dtype from an address on, without end and without checks."""
    return carray(_pointer(address, dtype), _ENDLESS)


@intrinsic
def wide(typing: Any, number: Any) -> Any:
    """A stored number as the float that it is computed with."""

    def from_half(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fpext(builder.bitcast(arguments[0], _HALF), _FLOAT)

    def from_bfloat(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.shl(builder.zext(arguments[0], _32), ir.Constant(_32, 16))
        return builder.bitcast(bits, _FLOAT)

    def itself(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    if number == types.int16:
        return types.float32(number), from_half
    if number == types.uint16:
        return types.float32(number), from_bfloat
    return number(number), itself


@intrinsic
def stored(typing: Any, value: Any, like: Any) -> Any:
    """A computed float as the numbers of the array ``like`` are stored, ties to even."""

    def to_half(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(builder.fptrunc(arguments[0], _HALF), _16)

    def to_bfloat(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], _32)
        lowest = builder.and_(bits, ir.Constant(_32, 1 << 16))
        odd = builder.icmp_unsigned("!=", lowest, ir.Constant(_32, 0))
        half = builder.select(odd, ir.Constant(_32, 0x8000), ir.Constant(_32, 0x7FFF))
        # What arithmetic makes NaN is so in its upper bits, which a sum could carry away.
        number = builder.fcmp_ordered("ord", arguments[0], arguments[0])
        rounded = builder.select(number, builder.add(bits, half), bits)
        return builder.trunc(builder.lshr(rounded, ir.Constant(_32, 16)), _16)

    def itself(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    if like.dtype == types.int16:
        return types.int16(types.float32, like), to_half
    if like.dtype == types.uint16:
        return types.uint16(types.float32, like), to_bfloat
    return like.dtype(like.dtype, like), itself


@intrinsic
def negated(typing: Any, value: Any, word: Any) -> Any:
    """The negative of a float64 where the highest bit of a word is set: a change of sign alone."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], _64)
        sign = builder.and_(arguments[1], ir.Constant(_64, 1 << 63))
        return builder.bitcast(builder.xor(bits, sign), arguments[0].type)

    return types.float64(types.float64, types.uint64), generate


@intrinsic(prefer_literal=True)
def lines(typing: Any, count: Any) -> Any:
    """The address of room for so many lines, a constant, which lasts as long as the call."""
    if not isinstance(count, types.IntegerLiteral):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        room = cgutils.alloca_once(builder, ir.ArrayType(_LINE, count.literal_value))
        room.align = LINE
        return builder.ptrtoint(room, context.get_value_type(types.uintp))

    return types.uintp(count), generate


@intrinsic
def stream(typing: Any, into: Any, line: Any) -> Any:
    """Write a line from one address to another, past the caches; both divide by its length."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, source = (builder.inttoptr(a, _LINE.as_pointer()) for a in arguments)
        written = builder.store(builder.load(source, align=LINE), target, align=LINE)
        written.set_metadata("nontemporal", builder.module.add_metadata([ir.Constant(_32, 1)]))
        return context.get_dummy_value()

    return types.void(types.uintp, types.uintp), generate


@intrinsic
def streamed(typing: Any) -> Any:
    """Wait until what was streamed can be seen by all."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic(prefer_literal=True)
def prefetch(typing: Any, address: Any, count: Any) -> Any:
    """Ask for so many lines of memory, a constant, from an address on; it may be anywhere."""
    if not isinstance(count, types.IntegerLiteral):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, _32, _32, _32])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        to_read, keep, data = (ir.Constant(_32, n) for n in (0, 3, 1))
        for line in range(count.literal_value):
            place = builder.add(arguments[0], ir.Constant(arguments[0].type, line * LINE))
            builder.call(ask, [builder.inttoptr(place, byte), to_read, keep, data])
        return context.get_dummy_value()

    return types.void(types.uintp, count), generate
