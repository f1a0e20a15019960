#!/usr/bin/python3
"""The models that examples write out are those of the workloads of their names: the same tensors and multiply-adds."""

import json
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "library" / "examples"))

try:
    import torch
except ImportError as error:
    print(f"SKIPPED: {error}; Debian's package is python3-torch")
    sys.exit(77)

from models import MODELS, random_batch  # noqa: E402
from torch import nn  # noqa: E402


def table_of(name):
    return json.loads((ROOT / "workloads" / f"{name}.json").read_text(encoding="utf-8"))


def multiply_adds(model, images):
    """By tensor, of one forward pass: a weight takes part in as many as places of the output it is used for."""
    counted = {}
    names = {id(each): name for name, each in model.named_parameters()}

    def count(module, _, made):
        uses = made[0].numel() if isinstance(module, nn.BatchNorm2d) else \
            module.weight.numel() * (made[0, 0].numel() if isinstance(module, nn.Conv2d) else 1)
        name = names[id(module.weight)]
        counted[name] = counted.get(name, 0) + uses * len(made)

    hooks = [module.register_forward_hook(count) for module in model.modules() if hasattr(module, "weight")]
    with torch.no_grad():
        made = model(images)
    for hook in hooks:
        hook.remove()
    return counted, made


class Models(unittest.TestCase):
    def test_tensors_have_names_shapes_and_order_of_the_workload(self):
        for name, entry in MODELS.items():
            with self.subTest(name):
                table, model = table_of(name), entry.make()
                self.assertEqual([(found, list(each.shape)) for found, each in model.named_parameters()],
                                 [(each["name"], each["shape"]) for each in table["tensors"]])
                self.assertEqual(sum(each.numel() for each in model.parameters()), table["parameters"])

    # Strides, padding and pooling decide how often a weight is used.
    def test_weights_take_part_in_as_many_multiply_adds_of_an_image(self):
        for name, entry in MODELS.items():
            with self.subTest(name):
                table = table_of(name)
                self.assertEqual([1, *entry.image], table["input"])
                counted, made = multiply_adds(entry.make().eval(), random_batch(entry, 1)[0])
                self.assertEqual(counted, {each["name"]: each["forward_macs"] for each in table["tensors"]
                                           if each["forward_macs"]})
                self.assertEqual(made.shape, (1, entry.classes))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
