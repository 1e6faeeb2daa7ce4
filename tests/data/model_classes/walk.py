#!/usr/bin/env python3
"""Counts every causal and image-text class of `transformers` with its default configuration, on the meta device.

    python3 -m venv venv && venv/bin/pip install transformers==5.24.0 torch
    venv/bin/python tests/data/model_classes/walk.py > tests/data/model_classes/classes.jsonl

Each line has the class, what its `config.json` says (without keys that change no size), the parameters of its language model, and the
values that a token adds to the cache: the growth from 3 to 4 tokens. A class that cannot be built has the reason instead.
"""

import json
import logging
import math
import signal
import sys
import warnings

import torch
import transformers
from transformers import AutoModelForCausalLM, AutoModelForImageTextToText
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

SECONDS_EACH = 120

# Keys that change no size, and are long.
DROPPED = {
    "id2label", "label2id", "bos_token_id", "eos_token_id", "pad_token_id", "transformers_version", "rope_parameters",
    "task_specific_params", "initializer_range", "hidden_act", "_name_or_path", "vision_config", "audio_config", "use_cache",
    "output_attentions", "output_hidden_states", "return_dict", "chunk_size_feed_forward", "problem_type", "attention_dropout",
    "is_decoder",
}

ASIDE = ("vision", "visual", "image", "audio", "projector", "multi_modal", "connector", "qformer", "query_tokens", "embed_vision",
         "embed_audio", "patch", "vqmodel", "resampler", "aligner", "speech", "talker", "code2wav", "abstractor", "perceiver", "language_projection", "video", "merger")


def plain(value):
    """The value without keys that change no size."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items() if key not in DROPPED and inner is not None}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    # JSON has no infinity.
    return None if isinstance(value, float) and not math.isfinite(value) else value


def config_of(model_type, name):
    config = CONFIG_MAPPING[model_type]()
    config.architectures = [name]
    return config


def parameters_of(model):
    """Parameters of the language model; a matrix that is embedding and head counts once."""
    sizes = {id(p): p.numel() for name, p in model.named_parameters() if not any(part in name for part in ASIDE)}
    return sum(sizes.values())


def cache_values(model, tokens):
    """Values in the cache after so many tokens."""
    ids = torch.zeros((1, tokens), dtype=torch.long, device="meta")
    out = model(input_ids=ids, use_cache=True)
    cache = out.past_key_values
    total = 0
    for layer in cache.layers:
        for name in ("keys", "values"):
            tensor = getattr(layer, name, None)
            if isinstance(tensor, torch.Tensor):
                total += tensor.numel()
    return total


class TooSlow(Exception):
    pass


def stop(_signal, _frame):
    raise TooSlow(f"more than {SECONDS_EACH} s")


def row(model_type, name, auto):
    found = {"model_type": model_type, "class": name}
    signal.alarm(SECONDS_EACH)
    try:
        config = config_of(model_type, name)
        found["config"] = plain(config.to_dict())
        with torch.device("meta"):
            model = auto.from_config(config)
        found["parameters"] = parameters_of(model)
        try:
            with torch.no_grad():
                found["cache_values"] = cache_values(model, 4) - cache_values(model, 3)
        except TooSlow:
            raise
        except Exception as fault:  # noqa: BLE001: any reason is the answer
            found["cache_reason"] = f"{type(fault).__name__}: {fault}"[:120]
    except Exception as fault:  # noqa: BLE001
        found["reason"] = f"{type(fault).__name__}: {fault}"[:200]
    finally:
        signal.alarm(0)
    return found


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    transformers.logging.set_verbosity_error()
    signal.signal(signal.SIGALRM, stop)
    done = set()
    kinds = (
        (modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, AutoModelForCausalLM),
        (modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES, AutoModelForImageTextToText),
    )
    for names, auto in kinds:
        for model_type, name in names.items():
            if model_type in done:
                continue
            done.add(model_type)
            print(json.dumps(row(model_type, str(name), auto), sort_keys=True), flush=True)
    print(f"{transformers.__version__}, {len(done)} classes", file=sys.stderr)


if __name__ == "__main__":
    main()
