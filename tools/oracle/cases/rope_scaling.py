"""Every scaling rule, at the numbers of shipped models and at its edges."""

from collections.abc import Iterator

from oracle import specs
from oracle.cases.rope import FEW, case, head
from oracle.exact import Data

LINEAR = "arXiv:2306.15595, section 3.2"
NTK = "arXiv:2309.00071, section 3.1"
SU = "Su 2023, kexue.fm/archives/9706; vLLM, NTKScalingRotaryEmbedding"
QWEN = "Qwen-1, modeling_qwen: get_ntk_alpha"
DYNAMIC = "arXiv:2309.00071, section 3.3; rope_type dynamic of transformers"
YARN = "arXiv:2309.00071, sections 3.2 and 3.4; rope_type yarn of transformers"
LONG = "arXiv:2402.13753; rope_type longrope of transformers"
LLAMA3 = "Llama 3.1; rope_type llama3 of transformers"
HOPE = "arXiv:2410.21216, section 4"
PROPORTIONAL = "Gemma 4; rope_type proportional of transformers"


def squeezed() -> Iterator[Data]:
    """The rules without a band: linear and the two NTK forms."""
    spec = specs.rope(8, scaling=specs.linear(4.0))
    yield case("linear-4", spec, LINEAR, positions=FEW, x=head(spec))
    yield case("linear-1", specs.rope(6, scaling=specs.linear(1.0)), LINEAR, positions=FEW)
    spec = specs.rope(2, scaling=specs.linear(3.0))
    yield case("linear-3-dim-2", spec, LINEAR, positions=FEW)
    spec = specs.rope(6, base=1e6, head_dim=10, at="back", scaling=specs.linear(8.0))
    yield case("linear-8-back", spec, LINEAR, positions=FEW, x=head(spec))

    spec = specs.rope(10, layout="interleaved", scaling=specs.ntk(8.0))
    yield case("ntk-8", spec, NTK, positions=FEW, x=head(spec))
    yield case("ntk-1", specs.rope(6, scaling=specs.ntk(1.0)), NTK, positions=FEW)
    spec = specs.rope(128, scaling=specs.ntk(1000.0))
    yield case("ntk-1000-dim-128", spec, f"{NTK}; alpha of Hunyuan", positions=[])

    for beta in (1.0, 0.625, 0.0):
        spec = specs.rope(8, scaling=specs.mixed_ntk(8.0, beta))
        yield case(f"mixed-ntk-8-beta-{beta}", spec, SU, positions=FEW, x=head(spec))
    spec = specs.rope(2, scaling=specs.mixed_ntk(3.0, 0.625))
    yield case("mixed-ntk-3-dim-2", spec, SU, positions=FEW)

    for length in (512, 4096, 4097, 16384):
        spec = specs.rope(8, scaling=specs.dynamic_ntk(2.0, 4096))
        name = f"dynamic-ntk-2-length-{length}"
        yield case(name, spec, DYNAMIC, length=length, positions=FEW, x=head(spec))
    spec = specs.rope(6, head_dim=10, scaling=specs.dynamic_ntk(1.0, 2048))
    yield case("dynamic-ntk-1", spec, DYNAMIC, length=5000, positions=FEW, x=head(spec))
    spec = specs.rope(128, scaling=specs.dynamic_ntk(2.0, 2048))
    yield case("dynamic-ntk-no-length", spec, DYNAMIC, positions=[])
    yield case("dynamic-ntk-dim-128", spec, DYNAMIC, length=8192, positions=[])
    for length in (2048, 2049, 4096, 4097, 6000):
        spec = specs.rope(10, scaling=specs.dynamic_ntk(2.0, 2048, doubling=True))
        yield case(f"qwen-1-length-{length}", spec, QWEN, length=length, positions=[])


def yarn() -> Iterator[Data]:
    for truncate in (True, False):
        spec = specs.rope(16, scaling=specs.yarn(8.0, truncate=truncate))
        name = f"yarn-8-{'truncated' if truncate else 'not-truncated'}"
        yield case(name, spec, YARN, positions=FEW, x=head(spec))
        spec = specs.rope(10, base=1e6, scaling=specs.yarn(4.0, 32768, truncate=truncate))
        name = f"yarn-4-dim-10-{'truncated' if truncate else 'not-truncated'}"
        yield case(name, spec, f"{YARN}; Qwen3", positions=FEW)
    spec = specs.rope(6, head_dim=10, at="back", layout="interleaved", scaling=specs.yarn(40.0))
    yield case("yarn-40-back", spec, YARN, positions=FEW, x=head(spec))
    yield case("yarn-1", specs.rope(6, scaling=specs.yarn(1.0)), YARN, positions=FEW)
    yield case("yarn-8-dim-2", specs.rope(2, scaling=specs.yarn(8.0)), YARN, positions=FEW)

    given = specs.rope(8, scaling=specs.yarn(8.0, attention_factor=1.25))
    yield case("yarn-8-factor-given", given, YARN, positions=FEW, x=head(given))
    pairs = {"equal": (1.0, 1.0), "unequal": (1.0, 0.707), "alone": (0.707, None)}
    for name, (mscale, mscale_all_dim) in pairs.items():
        rule = specs.yarn(40.0, mscale=mscale, mscale_all_dim=mscale_all_dim)
        spec = specs.rope(64, scaling=rule)
        yield case(f"yarn-mscale-{name}", spec, f"{YARN}; DeepSeek", positions=[])
    rule = specs.yarn(40.0, mscale=1.0, mscale_all_dim=0.707, attention_factor=1.0)
    spec = specs.rope(8, scaling=rule)
    yield case("yarn-factor-before-mscale", spec, f"{YARN}; DeepSeek", positions=[])
    for truncate in (True, False):  # not truncated, the band has no width
        rule = specs.yarn(32.0, beta_fast=1.0, truncate=truncate, mscale=1.0, mscale_all_dim=1.0)
        name = f"yarn-equal-betas-{'truncated' if truncate else 'not-truncated'}"
        spec = specs.rope(64, base=50000.0, scaling=rule)
        yield case(name, spec, f"{YARN}; Kimi K2", positions=[])
    spec = specs.rope(64, base=150000.0, scaling=specs.yarn(32.0, truncate=False))
    yield case("yarn-gpt-oss", spec, f"{YARN}; gpt-oss", positions=[])


def long_rope() -> Iterator[Data]:
    short, long = [1.0, 1.05, 1.25, 1.5], [1.0, 2.0, 4.0, 8.0]
    for length in (512, 4096, 4097, 131072):
        spec = specs.rope(8, scaling=specs.long_rope(short, long, factor=32.0))
        name = f"long-rope-length-{length}"
        yield case(name, spec, LONG, length=length, positions=FEW, x=head(spec))
        rule = specs.long_rope(short, long, factor=32.0, short_mscale=1.1, long_mscale=1.25)
        name = f"long-rope-mscales-length-{length}"
        yield case(
            name, specs.rope(8, scaling=rule), f"{LONG}; PhiMoE", length=length, positions=[]
        )
    rules = {
        "no-length": specs.long_rope(short, long, factor=32.0),
        "factor-1": specs.long_rope(short, long, factor=1.0),
        "factor-given": specs.long_rope(short, long, factor=32.0, attention_factor=1.5),
    }
    for name, rule in rules.items():
        run = None if name == "no-length" else 8192
        spec = specs.rope(8, scaling=rule)
        yield case(f"long-rope-{name}", spec, LONG, length=run, positions=[])
    rule = specs.long_rope([1.5, 1.0, 2.0], [5.0, 3.0, 7.0], 8192, factor=16.0)
    spec = specs.rope(6, head_dim=8, layout="interleaved", scaling=rule)
    yield case("long-rope-6-of-8", spec, LONG, length=8193, positions=FEW, x=head(spec))
    rule = specs.long_rope([1 + i / 64 for i in range(48)], [1 + i for i in range(48)], factor=32.0)
    spec = specs.rope(96, head_dim=128, scaling=rule)
    yield case("long-rope-96-of-128", spec, f"{LONG}; Phi-4-mini", length=8192, positions=[])


def llama3() -> Iterator[Data]:
    spec = specs.rope(16, base=500000.0, scaling=specs.llama3())
    yield case("llama3-8", spec, LLAMA3, positions=FEW, x=head(spec))
    spec = specs.rope(10, layout="interleaved", scaling=specs.llama3(32.0, 2.0, 8.0, 4096))
    yield case("llama3-other-band", spec, LLAMA3, positions=FEW, x=head(spec))
    spec = specs.rope(6, base=500000.0, scaling=specs.llama3(1.0))
    yield case("llama3-1", spec, LLAMA3, positions=FEW)
    for factor, dim in ((8.0, 128), (32.0, 64)):
        spec = specs.rope(dim, base=500000.0, scaling=specs.llama3(factor))
        yield case(f"llama3-{factor:.0f}-dim-{dim}", spec, LLAMA3, positions=[])


def proportional() -> Iterator[Data]:
    heads = ((16, 0.25, 1.0), (16, 0.25, 4.0), (10, 0.334, 1.0), (6, 1.0, 1.0))
    for dim, share, factor in heads:
        spec = specs.rope(dim, base=1e6, scaling=specs.proportional(share, factor))
        name = f"proportional-{share}-of-{dim}-factor-{factor:.0f}"
        yield case(name, spec, PROPORTIONAL, positions=FEW, x=head(spec))
    # 0.3 lies below three tenths, and 0.3 * 20 is 6 in float64 all the same.
    spec = specs.rope(20, scaling=specs.proportional(0.3))
    yield case("proportional-0.3-of-20", spec, PROPORTIONAL, positions=[])
    spec = specs.rope(128, base=1e6, scaling=specs.proportional(0.25))
    yield case("proportional-0.25-of-128", spec, PROPORTIONAL, positions=[])


def high_pass() -> Iterator[Data]:
    spec = specs.rope(10, layout="interleaved", scaling=specs.high_pass(512))
    yield case("high-pass-512", spec, HOPE, positions=FEW, x=head(spec))
    spec = specs.rope(64, scaling=specs.high_pass(2048, 2.5))
    yield case("high-pass-2048-turns-2.5", spec, HOPE, positions=[])


def cases() -> Iterator[Data]:
    for rule in (squeezed, yarn, long_rope, llama3, proportional, high_pass):
        yield from rule()
