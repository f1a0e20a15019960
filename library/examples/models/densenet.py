"""DenseNet-161 and DenseNet-201 (Huang et al. 2017), as in torchvision."""

import torch
from torch import nn


class DenseLayer(nn.Module):
    """Layer of 1 x 1 and 3 x 3 convolutions on all maps so far; makes `growth` more."""

    def __init__(self, inputs, growth):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(inputs)
        self.conv1 = nn.Conv2d(inputs, 4 * growth, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(4 * growth)
        self.conv2 = nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False)

    def forward(self, maps):
        made = self.conv1(torch.relu(self.norm1(torch.cat(maps, 1))))
        return self.conv2(torch.relu(self.norm2(made)))


class DenseBlock(nn.Module):
    """Block of layers each of which gets the maps of all before it."""

    def __init__(self, layers, inputs, growth):
        super().__init__()
        for i in range(layers):
            self.add_module(f"denselayer{i + 1}", DenseLayer(inputs + i * growth, growth))

    def forward(self, images):
        maps = [images]
        for layer in self.children():
            maps.append(layer(maps))
        return torch.cat(maps, 1)


class Transition(nn.Module):
    """Transition to half of the maps, of half the size."""

    def __init__(self, inputs):
        super().__init__()
        self.norm = nn.BatchNorm2d(inputs)
        self.conv = nn.Conv2d(inputs, inputs // 2, 1, bias=False)

    def forward(self, images):
        return nn.functional.avg_pool2d(self.conv(torch.relu(self.norm(images))), 2)


class DenseNet(nn.Module):
    """DenseNet: blocks of given numbers of layers, with transitions between them."""

    def __init__(self, growth, *blocks):
        super().__init__()
        maps = 2 * growth
        self.features = nn.Sequential()
        self.features.add_module("conv0", nn.Conv2d(3, maps, 7, stride=2, padding=3, bias=False))
        self.features.add_module("norm0", nn.BatchNorm2d(maps))
        self.features.add_module("relu0", nn.ReLU())
        self.features.add_module("pool0", nn.MaxPool2d(3, 2, padding=1))
        for i, layers in enumerate(blocks, 1):
            self.features.add_module(f"denseblock{i}", DenseBlock(layers, maps, growth))
            maps += layers * growth
            if i < len(blocks):
                self.features.add_module(f"transition{i}", Transition(maps))
                maps //= 2
        self.features.add_module("norm5", nn.BatchNorm2d(maps))
        self.classifier = nn.Linear(maps, 1000)

    def forward(self, images):
        return self.classifier(torch.relu(self.features(images)).mean((2, 3)))


def densenet161():
    """Makes DenseNet-161, of 28,681,000 parameters."""
    return DenseNet(48, 6, 12, 36, 24)


def densenet201():
    """Makes DenseNet-201, of 20,013,928 parameters."""
    return DenseNet(32, 6, 12, 48, 32)
