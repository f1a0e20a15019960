#!/usr/bin/python3
"""The models that examples write out have the tensors of the workloads of their names: same names, shapes and order."""

import json
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))

try:
    import torch
except ImportError as error:
    print(f"SKIPPED: {error}; Debian's package is python3-torch")
    sys.exit(77)

from models import CLASSES, IMAGE, VGG19, ResNet50  # noqa: E402


class Models(unittest.TestCase):

    def expect_tensors_of(self, name, model):
        table = json.loads((ROOT / "workloads" / f"{name}.json").read_text(encoding="utf-8"))
        self.assertEqual([(found, list(each.shape)) for found, each in model.named_parameters()],
                         [(each["name"], each["shape"]) for each in table["tensors"]])
        self.assertEqual(sum(each.numel() for each in model.parameters()), table["parameters"])

    def test_vgg19_has_the_tensors_of_the_workload(self):
        self.expect_tensors_of("vgg19", VGG19())

    # And what its strides and shortcuts make of an image fits together.
    def test_resnet50_has_the_tensors_of_the_workload_and_classifies_images(self):
        model = ResNet50().eval()
        self.expect_tensors_of("resnet50", model)
        with torch.no_grad():
            self.assertEqual(model(torch.zeros(1, *IMAGE)).shape, (1, CLASSES))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
