"""The decoder of ``decoder.py`` in JAX: any encoding by name, trained, and decoded by a scan.

    python examples/decoder_jax.py --encoding rope --text book.txt --steps 300

The model is a tree of arrays and functions of it. An encoding is a part of the tree: what it
learns are leaves, the rest is structure, so jit, grad and scan take it as it is.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from posenc import EncodingError
from posenc.jax import Encoding, attend
from posenc.registry import load

WIDTH, HEADS, LAYERS, BLOCK = 64, 4, 2, 64


def encoding(name: str, length: int, key: Array) -> Encoding:
    """The encoding for this model: of a token's width if it adds a code, else of a head's."""
    for dim in (WIDTH // HEADS, WIDTH):
        made = Encoding(load(name, dim=dim, heads=HEADS, length=length), key=key, length=length)
        made.prepare(jnp.arange(1))  # refused where a position is more than one number
        code = made.scheme().embed
        if code is None or code(jnp.arange(1)).shape[-1] == WIDTH:
            return made
    raise SystemExit(f"{name} has codes of another width than tokens have, {WIDTH}.")


def model(vocabulary: int, enc: Encoding, key: Array) -> dict[str, Any]:
    """Fresh arrays. All layers share one encoding."""
    keys = iter(jax.random.split(key, 2 + 4 * LAYERS))

    def linear(rows: int, columns: int) -> Array:
        return jax.random.normal(next(keys), (rows, columns)) * rows**-0.5

    def layer() -> dict[str, Array]:
        return {
            "c_attn": linear(WIDTH, 3 * WIDTH),
            "c_proj": linear(WIDTH, WIDTH),
            "up": linear(WIDTH, 4 * WIDTH),
            "down": linear(4 * WIDTH, WIDTH),
        }

    wte = jax.random.normal(next(keys), (vocabulary, WIDTH))
    layers = [layer() for _ in range(LAYERS)]
    return {"wte": wte, "enc": enc, "layers": layers, "head": linear(WIDTH, vocabulary)}


def norm(x: Array) -> Array:
    """Each token less its mean, over its deviation."""
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-5)


def logits(tree: dict[str, Any], tokens: Array, at: Array, cache: Any = None) -> tuple[Array, Any]:
    """What comes next, and the cache with the tokens in it.

    A cache is a pair of arrays for each layer, with room for the whole text: positions are their
    own indices there, and what is not filled yet is masked.
    """
    enc = tree["enc"]
    x = tree["wte"][tokens]
    if enc.scheme().embed is not None:
        x = x + enc(at)
    filled = []
    for number, layer in enumerate(tree["layers"]):
        heads = jnp.reshape(norm(x) @ layer["c_attn"], (*x.shape[:-1], 3, HEADS, -1))
        q, k, v = jnp.moveaxis(jnp.moveaxis(heads, -2, -4), -2, 0)
        if cache is None:
            y = attend(q, k, v, enc, q_positions=at, causal=True)
        else:
            keys, values = (
                jax.lax.dynamic_update_slice_in_dim(held, new, at[0], axis=-2)
                for held, new in zip(cache[number], (k, v), strict=True)
            )
            filled.append((keys, values))
            everywhere = jnp.arange(keys.shape[-2])
            seen = everywhere <= at[:, None]
            y = attend(q, keys, values, enc, q_positions=at, k_positions=everywhere, mask=seen)
        x = x + jnp.reshape(jnp.moveaxis(y, -3, -2), x.shape) @ layer["c_proj"]
        x = x + jax.nn.gelu(norm(x) @ layer["up"]) @ layer["down"]
    return norm(x) @ tree["head"], filled


def train(tree: Any, data: Array, *, steps: int, key: Array) -> tuple[Any, list[float]]:
    """The trained tree and the loss of every step, in nats a character, by Adam."""

    def loss(tree: Any, rows: Array) -> Array:
        found = jax.nn.log_softmax(logits(tree, rows[:, :-1], jnp.arange(BLOCK))[0])
        return -jnp.take_along_axis(found, rows[:, 1:, None], axis=-1).mean()

    @jax.jit
    def step(tree: Any, mean: Any, square: Any, number: Array, key: Array) -> Any:
        starts = jax.random.randint(key, (32, 1), 0, len(data) - BLOCK)
        value, grad = jax.value_and_grad(loss)(tree, data[starts + jnp.arange(BLOCK + 1)])
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, grad)
        square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, square, grad)
        rates = 3e-3 * jnp.sqrt(1 - 0.99**number) / (1 - 0.9**number)
        tree = jax.tree.map(
            lambda w, m, s: w - rates * m / (jnp.sqrt(s) + 1e-8), tree, mean, square
        )
        return tree, mean, square, value

    mean = square = jax.tree.map(jnp.zeros_like, tree)
    losses = []
    for number, one in enumerate(jax.random.split(key, steps)):
        tree, mean, square, value = step(tree, mean, square, number + 1.0, one)
        losses.append(float(value))
    return tree, losses


@partial(jax.jit, static_argnames="count")
def generate(tree: Any, tokens: Array, count: int, key: Array) -> Array:
    """``count`` more tokens, drawn one by one in a scan."""
    room = len(tokens) + count
    cache = [tuple(jnp.zeros((2, HEADS, room, WIDTH // HEADS))) for _ in tree["layers"]]
    found, cache = logits(tree, tokens, jnp.arange(len(tokens)), cache)

    def step(carried: Any, key: Array) -> tuple[Any, Array]:
        last, place, cache = carried
        new = jax.random.categorical(key, last)
        found, cache = logits(tree, new[None], place[None], cache)
        return (found[-1], place + 1, cache), new

    start = (found[-1], jnp.asarray(len(tokens)), cache)
    return jnp.concatenate([tokens, jax.lax.scan(step, start, jax.random.split(key, count))[1]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--encoding", default="rope", help="a name of `posenc list`")
    parser.add_argument("--text", type=Path, default=Path(__file__), help="what to learn")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--generate", type=int, default=120, help="characters to write")
    options = parser.parse_args()
    if options.steps < 1 or options.generate < 1:
        parser.error("--steps and --generate must be at least 1")

    text = options.text.read_text(encoding="utf-8")
    if len(text) <= BLOCK + 1:
        parser.error(f"--text must have more than {BLOCK + 1} characters")
    signs = sorted(set(text))
    data = jnp.asarray([signs.index(sign) for sign in text])
    first, second, third, fourth = jax.random.split(jax.random.key(0), 4)
    try:
        enc = encoding(options.encoding, BLOCK + options.generate, first)
    except EncodingError as error:
        parser.error(str(error))
    tree, losses = train(model(len(signs), enc, second), data, steps=options.steps, key=third)
    for step in sorted({0, len(losses) // 2, len(losses) - 1}):
        print(f"step {step:5}: {losses[step]:.3f} nats a character")
    written = generate(tree, data[:BLOCK], options.generate, fourth)
    print("".join(signs[i] for i in written[BLOCK:].tolist()))


if __name__ == "__main__":
    main()
