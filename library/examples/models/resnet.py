"""ResNet-50 and ResNet-152 (He et al. 2016), with the stride in the middle of a block, as in torchvision."""

import torch
from torch import nn


def normalized(inputs, outputs, kernel, stride=1):
    """A convolution that keeps the image's size, but for its stride, and batch normalization."""
    return (nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False), nn.BatchNorm2d(outputs))


class Bottleneck(nn.Module):
    """Block of 1 x 1, 3 x 3 and 1 x 1 beside a shortcut; four times as many maps come out as there are inside."""

    def __init__(self, inputs, inside, stride):
        super().__init__()
        outputs = 4 * inside
        self.conv1, self.bn1 = normalized(inputs, inside, 1)
        self.conv2, self.bn2 = normalized(inside, inside, 3, stride)
        self.conv3, self.bn3 = normalized(inside, outputs, 1)
        self.downsample = None
        if inputs != outputs:
            self.downsample = nn.Sequential(*normalized(inputs, outputs, 1, stride))

    def forward(self, images):
        made = torch.relu(self.bn1(self.conv1(images)))
        made = torch.relu(self.bn2(self.conv2(made)))
        made = self.bn3(self.conv3(made))
        return torch.relu(made + (images if self.downsample is None else self.downsample(images)))


class ResNet(nn.Module):
    """ResNet: four layers of given numbers of blocks."""

    def __init__(self, *blocks):
        super().__init__()
        self.conv1, self.bn1 = normalized(3, 64, 7, stride=2)
        self.pool = nn.MaxPool2d(3, 2, padding=1)
        self.layer1 = self._layer(64, 64, blocks[0], stride=1)
        self.layer2 = self._layer(256, 128, blocks[1], stride=2)
        self.layer3 = self._layer(512, 256, blocks[2], stride=2)
        self.layer4 = self._layer(1024, 512, blocks[3], stride=2)
        self.fc = nn.Linear(2048, 1000)

    @staticmethod
    def _layer(inputs, inside, blocks, stride):
        first = Bottleneck(inputs, inside, stride)
        return nn.Sequential(first, *(Bottleneck(4 * inside, inside, 1) for _ in range(blocks - 1)))

    def forward(self, images):
        made = self.pool(torch.relu(self.bn1(self.conv1(images))))
        made = self.layer4(self.layer3(self.layer2(self.layer1(made))))
        return self.fc(made.mean((2, 3)))


def resnet50():
    """Makes ResNet-50, of 25,557,032 parameters."""
    return ResNet(3, 4, 6, 3)


def resnet152():
    """Makes ResNet-152, of 60,192,808 parameters."""
    return ResNet(3, 8, 36, 3)
