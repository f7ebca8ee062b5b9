"""The only file that knows array libraries: which one, which dtype, whose device.

Everything else is written once against ``xp``, the namespace of the array API standard.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check

_WRAPPED = {"torch": "array_api_compat.torch", "jax": "jax.numpy", "jaxlib": "jax.numpy"}


def library(xp: Namespace | str | None) -> Namespace | None:
    """The namespace that a caller's ``xp`` means: a module, or a library by its name."""
    if xp is None:
        return None
    name = xp if isinstance(xp, str) else getattr(xp, "__name__", "")
    known = isinstance(xp, str) or hasattr(xp, "__array_namespace_info__") or name in _WRAPPED
    check(
        known,
        "xp",
        "an array namespace or one of 'numpy', 'torch', 'jax'",
        xp,
        "Pass numpy, torch or jax.numpy.",
        error=EncodingTypeError,
    )
    if not isinstance(xp, str) and name not in _WRAPPED:
        return xp
    check(name in {"numpy", *_WRAPPED}, "xp", "'numpy', 'torch' or 'jax'", xp)
    return np if name == "numpy" else _imported(_WRAPPED[name])


def namespace(array: Array, where: str = "An array") -> Namespace:
    """The namespace of the library that ``array`` belongs to; a refusal says ``where``."""
    if isinstance(array, (np.ndarray, np.generic)):
        if isinstance(array, np.matrix):  # whose * is another product
            hint = "Pass numpy.asarray(...)."
            check(False, where, "a plain array", "a numpy.matrix", hint, error=EncodingTypeError)
        if hasattr(array, "mask"):  # numpy.ma, whose mask nothing here would obey
            hint = "Give attend() a mask, or fill it: array.filled(0)."
            check(
                False, where, "an array without a mask", type(array), hint, error=EncodingTypeError
            )
        return np
    for kind in type(array).__mro__:  # a subclass of Tensor lives in its author's module
        owner = kind.__module__.partition(".")[0]
        if owner in _WRAPPED:
            if owner == "torch":
                _check_dense(array, where)
            return _imported(_WRAPPED[owner])
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__()
    raise EncodingTypeError(
        f"{where} must be of NumPy, PyTorch, JAX or the array API standard; got "
        f"{type(array).__name__}. Wrap it: numpy.asarray(...)."
    )


def _check_dense(array: Array, where: str) -> None:
    """Refuse a tensor that has no number in every place, or keeps them in an order of its own."""
    nested = array.is_nested
    if nested or array.layout is not sys.modules["torch"].strided:
        hint = "Pass x.to_padded_tensor(0.0)." if nested else "Pass x.to_dense()."
        got = f"{array.layout}{', nested' * nested}"
        check(False, where, "a dense tensor", got, hint, error=EncodingTypeError)


def library_name(xp: Namespace) -> str:
    """How people call the library of a namespace."""
    words = xp.__name__.split(".")
    known = {"torch": "PyTorch", "jax": "JAX", "numpy": "NumPy"}
    return next((known[word] for word in words if word in known), words[0])


_LOADED: dict[str, Namespace] = {}


def _imported(name: str) -> Namespace:
    # Only what has been imported to its end is remembered; ``sys.modules`` has half of a module
    # while another thread loads it.
    found = _LOADED.get(name)
    if found is None:
        found = _LOADED[name] = importlib.import_module(name)
    return found


def dtype_name(array: Array) -> str:
    """The plain name of an array's dtype, the same for every library: ``"bfloat16"``."""
    dtype = array.dtype
    return str(getattr(dtype, "name", None) or dtype).rpartition(".")[2]


def is_integer(array: Array) -> bool:
    """Whether the array holds integers, of any width."""
    return dtype_name(array).startswith(("int", "uint"))


def is_real(array: Array) -> bool:
    """Whether the array holds floating-point numbers, of any width but extended ones."""
    name = dtype_name(array)
    return name.startswith(("float", "bfloat")) and name not in {"float96", "float128"}


def check_real(where: str, array: Array) -> None:
    """Refuse what holds no floating-point numbers, or wider ones than there are rules for."""
    kind = dtype_name(array)
    hint = "Cast it to float64, the widest there is." if kind.startswith("float") else ""
    check(is_real(array), where, "floating-point numbers", kind, hint, error=EncodingTypeError)


def is_narrow(array: Array) -> bool:
    """Whether the array holds floats of 16 bits or fewer, which cannot count positions."""
    return is_real(array) and dtype_name(array) not in {"float32", "float64", "float128"}


def is_float64(array: Array) -> bool:
    """Whether the array holds float64."""
    return dtype_name(array) == "float64"


def widened(array: Array, xp: Namespace) -> Array:
    """Floats of 16 bits or fewer as float32, where a sum over many would be rounded."""
    return xp.astype(array, xp.float32) if is_narrow(array) else array


def held(array: Array) -> Array:
    """The values alone: no gradient goes back through them."""
    xp = namespace(array)
    if is_torch(xp):
        return array.detach()
    return sys.modules["jax"].lax.stop_gradient(array) if is_jax(xp) else array


def is_host(xp: Namespace) -> bool:
    """Whether the library computes on the host, where float64 costs nothing extra."""
    return xp.__name__.partition(".")[0] in {"numpy", "array_api_strict"} or (
        xp.__name__ == "array_api_compat.numpy"
    )


def is_jax(xp: Namespace) -> bool:
    """Whether the namespace is JAX's."""
    return bool(xp.__name__ == "jax.numpy")


def is_torch(xp: Namespace) -> bool:
    """Whether the namespace is PyTorch's."""
    return bool(xp.__name__ == "array_api_compat.torch")


def undisturbed(like: Array) -> AbstractContextManager[Any]:
    """Arithmetic in the dtypes that stand there, whatever autocast is on around it."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(like, torch.Tensor):
        return nullcontext()
    kind = like.device.type
    if not torch.amp.is_autocast_available(kind):  # "meta" has none to turn off
        return nullcontext()
    return torch.autocast(kind, enabled=False)  # type: ignore[no-any-return]


def has_int64(xp: Namespace) -> bool:
    """Whether 64-bit integers exist: everywhere but in JAX as it comes."""
    return not is_jax(xp) or bool(sys.modules["jax"].config.jax_enable_x64)


def has_float64(array: Array) -> bool:
    """Whether float64 exists where the array is: not in JAX as it comes, nor on Apple's GPU."""
    device = getattr(getattr(array, "device", None), "type", "")
    return has_int64(namespace(array)) and device != "mps"


def on_host(function: Callable[..., Any], *given: Any) -> Any:
    """What NumPy computes; torch's compiler would follow it, in narrower numbers of its own."""
    torch = sys.modules.get("torch")
    return (torch.compiler.disable(function) if torch else function)(*given)


on_host._torchdynamo_disable = True  # type: ignore[attr-defined]


def is_concrete(array: Array) -> bool:
    """Whether values can be looked at now: not under jit, not on torch's meta device."""
    jax, torch = sys.modules.get("jax"), sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        plain = type(array) in (torch.Tensor, torch.nn.Parameter)
        traced = torch.compiler.is_compiling() or torch.jit.is_tracing()
        if not plain or traced or array.is_meta:
            return False
        return not torch._C._functorch.is_functorch_wrapped_tensor(array)
    # Of an array that several hosts share none has all values.
    traced = jax is not None and isinstance(array, jax.core.Tracer)
    return not traced and bool(getattr(array, "is_fully_addressable", True))


def in_sight(array: Array) -> Array:
    """A concrete array where its values can be asked for.

    JAX's on the host: inside of jit it traces what is done to any array, traced itself or not.
    Tensors of the CPU as NumPy sees them: torch wakes its threads, which then stay awake for a
    while and hold up whoever computes next.
    """
    jax, torch = sys.modules.get("jax"), sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        near = array.device.type == "cpu" and array.layout is torch.strided
        odd = is_narrow(array) or array.is_neg()
        followed = torch._C._functorch.peek_interpreter_stack() is not None  # of functorch
        return array.detach().numpy() if near and not (odd or followed) else array
    return np.asarray(array) if jax is not None and isinstance(array, jax.Array) else array


def clipped(
    array: Array, least: float | None = None, most: float | None = None, *, xp: Namespace
) -> Array:
    """Values no smaller and no larger; the wrapper's own looks up what no compiler follows."""
    return array.clamp(least, most) if is_torch(xp) else xp.clip(array, min=least, max=most)


def swapped(array: Array, first: int, second: int, *, xp: Namespace) -> Array:
    """Two axes in each other's place, also under torch's vmap, which moves none."""
    axes = [*range(array.ndim)]
    axes[first], axes[second] = axes[second], axes[first]
    return xp.permute_dims(array, tuple(axes))


def running_max(array: Array) -> Array:
    """The largest so far along the last axis, which the standard lacks."""
    xp = namespace(array)
    if is_torch(xp):
        return array.cummax(-1).values
    if is_jax(xp):
        return sys.modules["jax"].lax.cummax(array, axis=array.ndim - 1)
    if xp is np:
        return np.maximum.accumulate(array, axis=-1)
    parts = [xp.max(array[..., : i + 1], axis=-1) for i in range(array.shape[-1])]
    return xp.stack(parts, axis=-1) if parts else array


def running_sum(array: Array, *, axis: int = -1) -> Array:
    """The sum so far along an axis; the wrapper's own looks up what no compiler follows."""
    xp = namespace(array)
    return array.cumsum(axis) if is_torch(xp) else xp.cumulative_sum(array, axis=axis)


def settle(array: Array, xp: Namespace) -> Array:
    """A host array in another library, once and before any tracing.

    Where there are no 64-bit integers, one becomes two uint32 words, the high one first, on a
    new leading axis.
    """
    if not isinstance(array, np.ndarray) or xp is np:
        return array
    if array.dtype == np.int64 and not has_int64(xp):
        words = array.view(np.uint64)
        array = np.stack([words >> np.uint64(32), words & np.uint64(0xFFFFFFFF)]).astype(np.uint32)
    # In order, and in this machine's bytes; torch takes no other.
    array = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
    # On the host, whatever device torch was told to take by default; see ``adopt``.
    return xp.asarray(array, device="cpu") if is_torch(xp) else xp.asarray(array)


def adopt(array: Array, *, like: Array, xp: Namespace) -> Array:
    """``array`` in the library and on the device of ``like``; unchanged if it is there."""
    array = settle(array, xp)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor) and array.device != like.device:
        return array.to(like.device)
    return array


def to_host(array: Array) -> np.ndarray[Any, np.dtype[Any]]:
    """The values as a NumPy array, from any library and device; half widths as float32."""
    if isinstance(array, np.ndarray):
        return array
    if hasattr(array, "detach"):
        array = array.detach().cpu()
        return np.asarray((array.float() if is_narrow(array) else array).numpy())
    if hasattr(array, "__array__") or isinstance(array, np.generic):
        return np.asarray(array)
    return np.from_dlpack(array)


def plain_dtype(dtype: object) -> str:
    """The plain name of a dtype in any library's spelling: ``"float64"``."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    return str(name).rpartition(".")[2]
