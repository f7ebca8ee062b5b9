"""A decoder that takes any encoding by name, trains on a text and goes on writing it.

    python examples/decoder.py --encoding rope --text book.txt --steps 300

Without ``--text`` it learns this file. The encoding is a name of ``posenc list`` or
``package.module:object``; nothing here knows which kind it is. At the input the model is GPT-2's:
token vector plus code (wte + wpe), a norm (ln_1), then queries, keys and values in one product
(c_attn). A code is added where an encoding has one, everything else happens in ``attend``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, gelu

import posenc
from posenc.registry import load
from posenc.torch import Cache, Encoding, attend

WIDTH, HEADS, LAYERS, BLOCK = 64, 4, 2, 64


def encoding(name: str, length: int) -> Encoding:
    """The encoding for this model: of a token's width if it adds a code, else of a head's."""
    for dim in (WIDTH // HEADS, WIDTH):
        spec = load(name, dim=dim, heads=HEADS, length=length)
        made = Encoding(spec, length=length)
        made.prepare(torch.arange(1))  # refused where a position is more than one number
        code = made.scheme().embed
        if code is None or code(torch.arange(1)).shape[-1] == WIDTH:
            return made
    raise SystemExit(f"{name} has codes of another width than tokens have, {WIDTH}.")


class Layer(nn.Module):
    """Attention and a feed-forward net, each after a norm and beside the way straight through."""

    def __init__(self) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.c_attn, self.c_proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor, at: Tensor, enc: Encoding, cache: Cache | None) -> Tensor:
        q, k, v = (
            part.unflatten(-1, (HEADS, -1)).transpose(-3, -2)
            for part in self.c_attn(self.ln_1(x)).chunk(3, dim=-1)
        )
        if cache is None:
            y = attend(q, k, v, enc, q_positions=at, causal=True)
        else:
            cache.append(k, v, at)
            y = cache.attend(q, at)
        x = x + self.c_proj(y.transpose(-3, -2).flatten(-2))
        return x + self.down(gelu(self.up(self.ln_2(x))))


class Decoder(nn.Module):
    """Characters in, what comes next out. All layers share one encoding."""

    def __init__(self, vocabulary: int, enc: Encoding) -> None:
        super().__init__()
        self.wte, self.enc = nn.Embedding(vocabulary, WIDTH), enc
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.ln_f, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, vocabulary, bias=False)

    def forward(self, tokens: Tensor, at: Tensor, caches: list[Cache] | None = None) -> Tensor:
        x = self.wte(tokens)
        if self.enc.scheme().embed is not None:
            x = x + self.enc(at)
        for number, layer in enumerate(self.layers):
            x = layer(x, at, self.enc, caches[number] if caches else None)
        return self.head(self.ln_f(x))

    @torch.no_grad()
    def generate(self, tokens: Tensor, count: int, *, seed: int = 0) -> Tensor:
        """``count`` more tokens, drawn one by one; each is read once."""
        draw = torch.Generator().manual_seed(seed)
        caches = [Cache(self.enc) for _ in self.layers]
        at = posenc.positions.arange(len(tokens), xp="torch")
        new = tokens
        for _ in range(count):
            logits = self(new[None], at, caches)[0, -1]
            new = torch.multinomial(torch.softmax(logits, -1), 1, generator=draw)
            tokens, at = torch.cat([tokens, new]), caches[0].following()
        return tokens


def train(model: Decoder, data: Tensor, *, steps: int, seed: int = 0) -> list[float]:
    """The loss of every step, in nats a character; stretches of the text are drawn at random."""
    draw = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    at, losses = posenc.positions.arange(BLOCK, xp="torch"), []
    for _ in range(steps):
        starts = torch.randint(len(data) - BLOCK, (32, 1), generator=draw)
        rows = data[starts + torch.arange(BLOCK + 1)]
        loss = cross_entropy(model(rows[:, :-1], at).flatten(0, 1), rows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--encoding", default="rope", help="a name of `posenc list`")
    parser.add_argument("--text", type=Path, default=Path(__file__), help="what to learn")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--generate", type=int, default=120, help="characters to write")
    options = parser.parse_args()
    if options.steps < 1 or options.generate < 1:
        parser.error("--steps and --generate must be at least 1")

    torch.manual_seed(0)
    text = options.text.read_text(encoding="utf-8")
    if len(text) <= BLOCK + 1:
        parser.error(f"--text must have more than {BLOCK + 1} characters")
    signs = sorted(set(text))
    data = torch.tensor([signs.index(sign) for sign in text])
    try:
        enc = encoding(options.encoding, BLOCK + options.generate)
    except posenc.EncodingError as error:
        parser.error(str(error))
    model = Decoder(len(signs), enc)
    losses = train(model, data, steps=options.steps)
    for step in sorted({0, len(losses) // 2, len(losses) - 1}):
        print(f"step {step:5}: {losses[step]:.3f} nats a character")
    written = model.generate(data[:BLOCK], options.generate)
    print("".join(signs[i] for i in written[BLOCK:].tolist()))


if __name__ == "__main__":
    main()
