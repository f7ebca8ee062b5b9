"""Chapter 6 on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from posenc.claims._tables import counted, longest_text, refusal, row_gradients, rows_read
from posenc.figures.text import strip
from posenc.specs._learned import Learned
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say
from posenc.tour._table import table_page

__all__ = ["page", "table_page"]

_SHIPPED = {
    "GPT-2": Learned(rows=1024, dim=768),
    "BERT": Learned(rows=512, dim=768),
    "RoBERTa": Learned(rows=514, dim=768, offset=2),
    "BART": Learned(rows=1026, dim=768, offset=2),
    "OPT": Learned(rows=2050, dim=768, offset=2),
}


def page(context: Context) -> Iterator[Block]:
    """What a table is, where it ends, which rows training reaches, which row a token reads."""

    def word(key: str) -> str:
        return sentence("tour/learned", key, context.language)

    yield Say("table")
    yield Grid("sizes", ("", *map(word, ("rows", "dim", "numbers", "longest"))), _sizes())
    yield Prove(["learned.gpt2-table", "learned.bert-table", "learned.gpt2-limit"])
    yield Say("index")
    yield Prove(["naive.lookup", "learned.most-flexible"])
    yield Say("end")
    yield Grid("lengths", (word("tokens"), word("read")), [(n, _served(n)) for n in (5, 8, 12)])
    yield Prove(["learned.fits", "learned.out-of-range"])
    yield Say("training")
    gradients = row_gradients(rows=12, tokens=8)
    yield Drawing("gradients", strip(range(12), [f"{g:.3g}" for g in gradients]))
    yield Prove(["learned.unseen-rows", "learned.untouched-row"])
    yield Say("rules")
    families = list(_rules(word("not-asked")))
    yield Grid("rules-table", ("", word("mask"), "p", word("read")), families)
    rules = [f"learned.rows-of-{name}" for name in ("bert", "bart", "opt", "roberta")]
    yield Prove([*rules, "learned.roberta-length"])
    yield Say("tried")
    yield Say("further")
    yield Prove(["learned.formula-goes-on", "learned.formula-extrapolates"])
    yield Say("which-wins")
    yield Say("your-own")


def _sizes() -> list[tuple[str, int, int, int, int]]:
    return [
        (name, spec.rows, spec.dim, spec.parameters(), longest_text(spec))
        for name, spec in _SHIPPED.items()
    ]


def _served(tokens: int) -> str:
    """The rows that a table of 8 gives a text, or the library's own refusal."""
    spec = Learned(rows=8, dim=4)
    return refusal(spec, range(tokens)) or _listed(rows_read(spec, range(tokens)))


def _rules(not_asked: str) -> Iterator[tuple[str, str, str, str]]:
    """Three words in each family, with padding in front or behind where it counts."""
    masks = {
        "BERT, GPT-2": (0, None),
        "BART": (2, None),
        "OPT": (2, [0, 0, 1, 1, 1]),
        "RoBERTa": (2, [1, 1, 1, 0, 0]),
    }
    for name, (offset, mask) in masks.items():
        positions = counted(mask) if mask else range(3)
        read = rows_read(Learned(rows=16, dim=1, offset=offset), positions)
        yield name, _listed(mask or ()) or not_asked, _listed(positions), _listed(read)


def _listed(numbers: Iterable[float]) -> str:
    return " ".join(f"{number:g}" for number in numbers)
