"""Models of the papers, written out, so that nothing but PyTorch is needed.

Tensors have the names, shapes and order of the tables of `gradwire list workloads`, and take part in as many multiply-adds;
tests/library/pytorch/models_test.py holds the two against each other.
"""

from collections import namedtuple

import torch

from .densenet import densenet161, densenet201
from .inception import GoogLeNet, InceptionV4
from .plain import AlexNet, LeNet5, VGG19
from .resnet import resnet50, resnet152

CLASSES = 1000
IMAGE = (3, 224, 224)

# What makes the model, what it is called, the shape of an image, and how many classes it tells apart.
Entry = namedtuple("Entry", "make title image classes", defaults=(IMAGE, CLASSES))

# By the names of workloads.
MODELS = {
    "lenet5": Entry(LeNet5, "LeNet-5 (32-64-1024)", (1, 28, 28), 10),
    "alexnet": Entry(AlexNet, "AlexNet", (3, 227, 227)),
    "vgg19": Entry(VGG19, "VGG-19"),
    "googlenet": Entry(GoogLeNet, "GoogLeNet"),
    "resnet50": Entry(resnet50, "ResNet-50"),
    "resnet152": Entry(resnet152, "ResNet-152"),
    "densenet161": Entry(densenet161, "DenseNet-161"),
    "densenet201": Entry(densenet201, "DenseNet-201"),
    "inceptionv4": Entry(InceptionV4, "Inception-v4"),
}


def random_batch(entry, batch):
    """Random images, which take as long to compute as real ones, and random labels."""
    draw = torch.Generator().manual_seed(1)
    return torch.rand((batch, *entry.image), generator=draw), torch.randint(entry.classes, (batch,), generator=draw)
