"""Settings of the papers: batch sizes of one GPU or server, and the numbers of MG-WFBP's Figure 9."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# By workload: BML, Figures 6 and 7; late multiply, section 4; MG-WFBP (TPDS), Table IV.
BATCHES = {
    "lenet5": (128, 256, 512, 1024),
    "alexnet": (256,),
    "vgg19": (16, 32, 64),
    "googlenet": (64,),
    "resnet50": (32,),
    "resnet152": (128,),
    "densenet161": (64,),
    "densenet201": (64,),
    "inceptionv4": (128,),
}

# The ranges that Figure 9 prints, as results/reference/mg-wfbp.json numbers them.
FIGURE9 = {
    "10gbe": {"resnet152": "MGT-19a", "densenet161": "MGT-19b", "densenet201": "MGT-19c", "inceptionv4": "MGT-19d"},
    "56gbib": {"resnet152": "MGT-19e", "densenet161": "MGT-19f", "densenet201": "MGT-19g", "inceptionv4": "MGT-19h"},
}


def printed(number):
    """The value that MG-WFBP prints under this number, by the project's table."""
    table = json.loads((ROOT / "results/reference/mg-wfbp.json").read_text(encoding="utf-8"))
    return next(each["value"] for each in table["numbers"] if each["id"] == number)
