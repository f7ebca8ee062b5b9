"""Over a mesh of four devices, which the host plays in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

BEFORE = """
import jax, jax.numpy as jnp, numpy as np, posenc
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from posenc.jax import Encoding, attend

assert jax.device_count() == 4 and not jax.config.jax_enable_x64
mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("rows", "tokens"))
on = lambda x, *axes: jax.device_put(x, NamedSharding(mesh, P(*axes)))
places = jnp.asarray([8, 9, 40, 70_001, 70_002, 10**9])
x = jax.random.normal(jax.random.key(0), (2, 3, 6, 10))
rope, alibi = posenc.Rope(dim=10, layout="half"), posenc.Alibi(heads=3)
split = ("rows", None, "tokens", None)
"""

CASES = {
    "jit": """
run = jax.jit(lambda spec, x, at: posenc.bind(spec).query(x, at))
due = run(rope, x, places)
got = run(rope, on(x, *split), on(places, "tokens"))
assert got.sharding.is_equivalent_to(NamedSharding(mesh, P(*split)), 4)
assert len(got.addressable_shards) == 4 and got.addressable_shards[0].data.shape == (1, 3, 3, 10)
np.testing.assert_allclose(got, due, atol=1e-6)
""",
    "shard_map": """
enc = Encoding(rope)
local = jax.shard_map(lambda x, at: enc(x, x, at)[0], mesh=mesh,
                      in_specs=(P(*split), P("tokens")), out_specs=P(*split))
np.testing.assert_allclose(jax.jit(local)(x, places), enc(x, x, places)[0], atol=1e-6)
""",
    "attention": """
run = jax.jit(lambda x, spec, at: attend(x, x, x, spec, q_positions=at, causal=True))
for spec in (rope, alibi):
    got = run(on(x, *split), spec, on(places, "tokens"))
    np.testing.assert_allclose(got, run(x, spec, places), atol=2e-6)
""",
    "eager attention": """
for spec in (rope, alibi):
    due = attend(x, x, x, spec, q_positions=places, causal=True, window=3)
    got = attend(*[on(x, *split)] * 3, spec, q_positions=places, causal=True, window=3)
    np.testing.assert_allclose(got, due, atol=2e-6)
""",
    "table": """
enc = Encoding(posenc.Learned(rows=80_000, dim=6), key=jax.random.key(1))
spread = jax.tree.map(lambda array: on(array, "tokens"), enc)
assert spread.learned["table"].addressable_shards[0].data.shape == (40_000, 6)
near = places[:5]
step = jax.jit(jax.value_and_grad(lambda enc: jnp.sum(enc(near) ** 2)))
for got, due in zip(step(spread), step(enc)):
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(due), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)
assert step(spread)[1].spec == enc.spec
""",
    "explicit axes": """
mesh = jax.make_mesh((2, 2), ("rows", "tokens"))
jax.set_mesh(mesh)
at = on(places[:4], "tokens")
turned = jax.jit(lambda enc, x, at: enc(x, x, at)[0])(Encoding(rope), on(x[:, :, :4], *split), at)
assert turned.sharding.spec == P(*split)
table = Encoding(posenc.Learned(rows=80_000, dim=6), key=jax.random.key(1))
for enc, given in ((table, (at,)), (Encoding(alibi), (at, at))):
    run = jax.jit(jax.sharding.auto_axes(lambda enc, given: enc(*given), out_sharding=P()))
    np.testing.assert_allclose(run(enc, given), enc(*[np.asarray(p) for p in given]), rtol=1e-6)
""",
}


@pytest.mark.parametrize("case", CASES)
def test_sharded_as_on_one_device(case: str) -> None:
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=4"
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-W", "error", "-c", BEFORE + CASES[case]]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
