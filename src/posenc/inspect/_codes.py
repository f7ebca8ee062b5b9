"""Every finding by its code: stable, never reused, explained in two languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from posenc.inspect._findings import Severity


@dataclass(frozen=True)
class Code:
    """What a code stands for.

    Attributes:
        severity: The usual one; a finding may say otherwise.
        title: A line in "en" and "zh".
        explanation: A paragraph in "en" and "zh".
    """

    severity: Severity
    title: Mapping[str, str]
    explanation: Mapping[str, str]


def _code(severity: Severity, en: tuple[str, str], zh: tuple[str, str]) -> Code:
    return Code(severity, {"en": en[0], "zh": zh[0]}, {"en": en[1], "zh": zh[1]})


CODES: Mapping[str, Code] = {
    "PE101": _code(
        "warning",
        (
            "Misspelt key",
            "A key that nothing reads is one slip away from a key that is read. Loaders pass over "
            "it and take the default, so the model runs with another number than the file states.",
        ),
        (
            "键名拼错",
            "这个键没有任何程序会读，却和一个会被读的键只差一点。加载器会跳过它而用默认值，"
            "模型实际用的数就不是文件里写的数。",
        ),
    ),
    "PE102": _code(
        "warning",
        (
            "Key that the rule does not read",
            "Each scaling rule reads its own keys. A key of another rule or of another engine has "
            "no effect here; a factor without the name of a rule has none either.",
        ),
        (
            "该规则不读的键",
            "每种缩放规则只读自己的键。属于别的规则或别的引擎的键在这里不起作用；"
            "没有写规则名时，连 factor 也不起作用。",
        ),
    ),
    "PE103": _code(
        "warning",
        (
            "Base not given",
            "Without a base every model class takes 10000. That is right for Llama 1 and 2. Where "
            "an exporter dropped the key, or put it where this reader does not look, every slow "
            "pair turns at a wrong rate, and the text stays fluent.",
        ),
        (
            "没有给出底数",
            "不写底数时，所有模型类都取 10000。对 Llama 1 和 2 这是对的。但若是导出工具丢了这个键，"
            "或放到了加载器不看的地方，慢的那些对就会全部转错，而生成的文字依旧通顺。",
        ),
    ),
    "PE104": _code(
        "error",
        (
            "One thing said twice, differently",
            "Two keys mean the same and disagree. Which one counts depends on the engine, so the "
            "file describes two models.",
        ),
        (
            "同一件事写了两遍且不一致",
            "两个键是同一个意思，值却不同。以哪个为准要看引擎，这个文件等于描述了两个模型。",
        ),
    ),
    "PE105": _code(
        "error",
        (
            "Two rule names disagree",
            "The block names its rule under rope_type and, differently, under the older type. "
            "transformers takes rope_type without a word; a reader that knows type alone takes "
            "the other rule.",
        ),
        (
            "两个规则名不一致",
            "rope_type 和旧写法 type 写了不同的规则。transformers 不声不响地取 rope_type;"
            "只认识 type 的程序会用另一条规则。",
        ),
    ),
    "PE106": _code(
        "error",
        (
            "Unknown rule",
            "No engine that this reader follows has a scaling rule of this name, so there is no "
            "telling which frequencies are meant.",
        ),
        ("未知的规则", "没有哪个引擎有叫这个名字的缩放规则,所以无从知道该用哪些频率。"),
    ),
    "PE107": _code(
        "warning",
        (
            "Factor and lengths disagree",
            "A rule lengthens the trained length by its factor, so the two lengths and the factor "
            "should agree. Where they do not, engines pick different ones: the factor, the ratio "
            "of the lengths, or the longest text they accept.",
        ),
        (
            "倍数与长度不一致",
            "规则按倍数延长训练长度，所以两个长度与倍数应当吻合。不吻合时，各引擎各取所需："
            "有的用倍数，有的用长度之比，有的据此决定能接受多长的文字。",
        ),
    ),
    "PE108": _code(
        "error",
        (
            "Factor below 1",
            "A factor below 1 would speed the pairs up and shorten the context. Most often its "
            "inverse is meant: some engines state 1 / factor.",
        ),
        (
            "倍数小于 1",
            "小于 1 的倍数会让各对转得更快，上下文反而变短。多半是写成了倒数："
            "有的引擎写的是 1 / factor。",
        ),
    ),
    "PE109": _code(
        "error",
        (
            "List of the wrong length",
            "LongRoPE has one number for each pair of channels that turns: half of the rotated "
            "channels, which is not half of the head where only a part of it turns.",
        ),
        (
            "列表长度不对",
            "LongRoPE 给每一对旋转的通道一个数，个数是旋转通道数的一半；"
            "当头部只有一部分旋转时，它不等于头部宽度的一半。",
        ),
    ),
    "PE110": _code(
        "warning",
        (
            "Null where a value is needed",
            "Null reads as if the key were absent. Where there is a default it is taken; where the "
            "rule cannot do without the value, the file is refused. transformers often fails.",
        ),
        (
            "需要数值的地方是 null",
            "null 按没有这个键来读：有默认值就取默认值；规则离不开它时，文件会被拒绝。"
            "transformers 遇到它往往直接报错。",
        ),
    ),
    "PE111": _code(
        "error",
        (
            "Value that cannot be meant",
            "A word where a number is needed, a negative width, bounds in the wrong order, numbers "
            "that overflow together: no spec can be made of it.",
        ),
        (
            "不可能成立的值",
            "该写数的地方写了字、宽度为负、上下界颠倒、几个数合起来溢出：这样的值造不出任何编码。",
        ),
    ),
    "PE112": _code(
        "error",
        (
            "Head that cannot be paired",
            "Channels turn in pairs, so the number of those that turn must be even and at least "
            "two. The head is head_dim, or hidden_size / num_attention_heads, times the share.",
        ),
        (
            "头部通道无法配对",
            "通道成对旋转，所以旋转的通道数必须是偶数且至少为 2。头部宽度是 head_dim,"
            "或 hidden_size / num_attention_heads，再乘以旋转的比例。",
        ),
    ),
    "PE113": _code(
        "warning",
        (
            "Key that this model class does not read",
            "The key has a meaning in other families or engines and none in this one, so the "
            "number it states is not the one in use.",
        ),
        (
            "这个模型类不读的键",
            "这个键在别的模型族或引擎里有意义，在这里没有，所以实际用的并不是它写的那个数。",
        ),
    ),
    "PE114": _code(
        "warning",
        (
            "Clear, but transformers fails on it",
            "The file has one meaning, which is what is read here, but transformers 5.24 refuses "
            "to load it or fails when it runs.",
        ),
        (
            "含义清楚，但 transformers 会失败",
            "这个文件只有一种含义，这里就按它来读；"
            "但 transformers 5.24 会拒绝加载，或在运行时报错。",
        ),
    ),
    "PE115": _code(
        "warning",
        (
            "Trained length not given",
            "The rule needs the length before extension. Without it max_position_embeddings is "
            "taken, which often is the length after extension: then the rule starts too late.",
        ),
        (
            "没有给出训练长度",
            "规则需要延长之前的长度。没有写时取 max_position_embeddings，而它往往是延长之后的长度，"
            "规则就会从错误的地方起算。",
        ),
    ),
    "PE116": _code(
        "note",
        (
            "Frequencies depend on the length of the run",
            "Past the trained length the rule turns all tokens at other rates. Keys cached before "
            "the change keep the old ones, so the same text gives other results in one piece than "
            "token by token. Fix the length of a run, and turn cached keys again from raw.",
        ),
        (
            "频率随本次运行的长度而变",
            "超过训练长度后，规则会用另一套速率旋转所有词。变化之前缓存的键仍是旧速率，"
            "于是同一段文字整段计算与逐词计算结果不同。应固定一次运行的长度，并从未旋转的键重新旋转。",
        ),
    ),
    "PE117": _code(
        "note",
        (
            "The rule acts on short text too",
            "YaRN is static: its slowed pairs and its attention factor hold at every length. A "
            "model that was not trained with it reads short text a little worse.",
        ),
        (
            "规则对短文也起作用",
            "YaRN 是静态的：变慢的那些对和注意力倍数在任何长度下都生效。"
            "没有用它训练过的模型，读短文会略差一些。",
        ),
    ),
}
