"""Which channels are a pair in transformers, model by model, beside the entry that lists it.

A layout is written in no config: only what a rotation does to channels can tell it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import posenc

pytestmark = pytest.mark.upstream

WIDTH = 16
MODULES = {
    "rope": {
        **{f"Llama {n}": "llama" for n in (1, 2, 3)},
        "Mistral": "mistral",
        "Mixtral": "mixtral",
        "Qwen 2": "qwen2",
        "Qwen 3": "qwen3",
        "Gemma 1": "gemma",
        "Gemma 2": "gemma2",
        "Falcon": "falcon",
        "OLMo": "olmo",
        "StarCoder2": "starcoder2",
        "Granite": "granite",
        "Granite-SWA": "granite_swa",
        "Muse Glimmer": "muse_glimmer",
        "Muse Spark": "muse_spark",
        "SmolLM3": "smollm3",
        "EXAONE 4": "exaone4",
        "Seed-OSS": "seed_oss",
        "LFM2": "lfm2",
        "BitNet": "bitnet",
        "CSM": "csm",
        "Solar Open": "solar_open",
        "Nomic BERT": "nomic_bert",
        "Jina embeddings v3": "jina_embeddings_v3",
        "nanochat": "nanochat",
    },
    "rope-interleaved": {
        "Cohere": "cohere",
        "Cohere 2": "cohere2",
        "ERNIE-4.5": "ernie4_5",
        "Helium": "helium",
        "BLT": "blt",
    },
    "rope-partial": {
        "GPT-NeoX": "gpt_neox",
        "Pythia": "gpt_neox",
        "StableLM": "stablelm",
        "Qwen3-Next": "qwen3_next",
        "MiMo-V2-Flash": "mimo_v2_flash",
    },
    "rope-linear": {"Gemma 3": "gemma3"},
    "rope-yarn": {"Qwen2.5": "qwen2", "Qwen3": "qwen3", "OLMo 3": "olmo3"},
    "rope-llama3": {
        **{f"Llama 3.{n}": "llama" for n in (1, 2, 3)},
        "Apertus": "apertus",
        "CWM": "cwm",
        "Higgs Audio v2": "higgs_audio_v2",
    },
    "rope-longrope": {"Phi-3": "phi3", "Phi-3.5": "phi3", "PhiMoE": "phimoe"},
    "rope-longrope2": {"Phi-4-mini": "phi3", "Phi-4-multimodal": "phi4_multimodal"},
    "rope-proportional": {"LFM3": "lfm3"},
    "rope-glm": {"GLM-4": "glm4"},
    "rope-moonshine": {"Moonshine": "moonshine", "Moonshine Streaming": "moonshine_streaming"},
    "rope-half-head": {
        "Phi-1.5": "phi",
        "Persimmon": "persimmon",
        "Fuyu": "persimmon",
        "Nemotron-4": "nemotron",
        "GLM-4.5": "glm4_moe",
        "GLM-ASR": "glmasr",
        "RecurrentGemma": "recurrent_gemma",
        "Bamba": "bamba",
        "Zaya": "zaya",
        "MiniMax-M2": "minimax_m2",
        "Laguna": "laguna",
        "Step-3.7": "step3p7",
    },
    "rope-phi2": {"Phi-2": "phi"},
    "rope-mla": {
        "GLM-4-MoE-Lite": "glm4_moe_lite",
        "GLM-MoE-DSA": "glm_moe_dsa",
        "LongCat-Flash": "longcat_flash",
        "Youtu": "youtu",
        "A.X-K1": "axk1",
        "A.X-K2": "axk2",
        "Bailing-hybrid": "bailing_hybrid",
        "dots3": "dots3_note",
    },
    "rope-mla-half": {"MiniCPM3": "minicpm3", "HY v4": "hy_v4"},
    "rope-mistral-4": {"Mistral 4": "mistral4"},
    "lerope": {"Mistral Large 4": "mistral_large4"},
    "rope-ministral3": {"Ministral 3": "ministral3"},
    "rope-gemma3-global": {"Gemma 3": "gemma3", "T5Gemma 2": "t5gemma2"},
    "rope-modernbert-global": {"ModernBERT decoder": "modernbert_decoder", "GTE": "gte"},
    "rope-gpt-oss": {"gpt-oss": "gpt_oss"},
    "rope-gpt-oss-interleaved": {"OpenAI privacy filter": "openai_privacy_filter"},
    "rope-hunyuan": {"Hunyuan": "hunyuan_v1_dense", "HY v3": "hy_v3"},
    "mrope": {
        "Qwen2-VL": "qwen2_vl",
        "Qwen2.5-VL": "qwen2_5_vl",
        "Qwen2.5-Omni": "qwen2_5_omni",
        "PaddleOCR-VL": "paddleocr_vl",
    },
    "mrope-partial": {"GLM-4.1V": "glm4v", "GLM-OCR": "glm_ocr"},
    "mrope-partial-half": {"GLM-4.5V": "glm4v_moe", "GLM-Image": "glm_image"},
    "mrope-interleaved": {
        "Qwen3-VL": "qwen3_vl",
        "Qwen3-VL-MoE": "qwen3_vl_moe",
        "Cosmos 3": "cosmos3_edge",
        "Qwen3-Omni": "qwen3_omni_moe",
        "Cohere Compass": "cohere_compass",
    },
    "mrope-interleaved-partial": {"Qwen3.5": "qwen3_5", "Qwen4-exp": "qwen4_exp"},
    "mrope-mla": {"HY-V4-VL": "hy_v4_vl"},
    "mrope-time-last": {"ERNIE-4.5-VL": "ernie4_5_vl_moe"},
    "mrope-rows-columns": {"NeoMME": "neomme"},
}
CASES = [(name, model, at) for name, listed in MODULES.items() for model, at in listed.items()]
NAMES = ("apply_rotary_pos_emb_interleave", "apply_rotary_pos_emb")


def layout_of(spec: Any) -> str:
    parts = getattr(spec, "parts", (spec,))
    return str(next(part.layout for part in parts if hasattr(part, "layout")))


def paired(turn: Callable[..., Any]) -> str:
    """The layout by which channel of the input goes where channel 0 goes."""
    x = torch.eye(WIDTH)[None, None]
    for width in (WIDTH, WIDTH // 2):  # a few take an angle once for both channels
        cos, sin = torch.full((1, WIDTH, width), 0.6), torch.full((1, WIDTH, width), 0.8)
        try:
            turned: Tensor = turn(x, x, cos, sin)[0][0, 0]
            break
        except RuntimeError:
            continue
    reach = turned != 0
    (partner,) = [c for c in range(1, WIDTH) if torch.equal(reach[c], reach[0])]
    return {1: "interleaved", WIDTH // 2: "half"}[partner]


@pytest.mark.parametrize(("name", "model", "module"), CASES)
def test_pairs_are_those_of_the_model(name: str, model: str, module: str) -> None:
    entry = posenc.encodings(plugins=False)[name]
    assert model in entry.shipped_by
    found = importlib.import_module(f"transformers.models.{module}.modeling_{module}")
    turn = next(getattr(found, n) for n in NAMES if hasattr(found, n))
    assert paired(turn) == layout_of(entry.make(dim=64))
