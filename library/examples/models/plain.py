"""Models whose layers stand one behind the other: LeNet-5, AlexNet and VGG-19."""

import torch
from torch import nn
from torch.nn import functional as F


class LeNet5(nn.Module):
    """LeNet-5 of TensorFlow's tutorial and the BML paper: 32 and 64 5 x 5 maps, 1024 neurons, 3,274,634 parameters."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 5, padding=2)
        self.conv2 = nn.Conv2d(32, 64, 5, padding=2)
        self.fc1 = nn.Linear(64 * 7 * 7, 1024)
        self.fc2 = nn.Linear(1024, 10)

    def forward(self, images):
        made = F.max_pool2d(torch.relu(self.conv1(images)), 2)
        made = F.max_pool2d(torch.relu(self.conv2(made)), 2)
        made = torch.relu(self.fc1(made.flatten(1)))
        return self.fc2(F.dropout(made, 0.5, self.training))


class AlexNet(nn.Module):
    """AlexNet of 2012, with two groups and normalized responses: 60,965,224 parameters."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 96, 11, stride=4)
        self.conv2 = nn.Conv2d(96, 256, 5, padding=2, groups=2)
        self.conv3 = nn.Conv2d(256, 384, 3, padding=1)
        self.conv4 = nn.Conv2d(384, 384, 3, padding=1, groups=2)
        self.conv5 = nn.Conv2d(384, 256, 3, padding=1, groups=2)
        self.fc6 = nn.Linear(256 * 6 * 6, 4096)
        self.fc7 = nn.Linear(4096, 4096)
        self.fc8 = nn.Linear(4096, 1000)
        self.between = nn.Sequential(nn.LocalResponseNorm(5), nn.MaxPool2d(3, 2))

    def forward(self, images):
        made = self.between(torch.relu(self.conv1(images)))
        made = self.between(torch.relu(self.conv2(made)))
        made = torch.relu(self.conv4(torch.relu(self.conv3(made))))
        made = F.max_pool2d(torch.relu(self.conv5(made)), 3, 2).flatten(1)
        for layer in (self.fc6, self.fc7):
            made = F.dropout(torch.relu(layer(made)), 0.5, self.training)
        return self.fc8(made)


class VGG19(nn.Module):
    """VGG-19, of 143,667,240 parameters."""

    def __init__(self):
        super().__init__()
        layers, inputs = [], 3
        for maps, convolutions in ((64, 2), (128, 2), (256, 4), (512, 4), (512, 4)):
            for _ in range(convolutions):
                layers += [nn.Conv2d(inputs, maps, 3, padding=1), nn.ReLU()]
                inputs = maps
            layers.append(nn.MaxPool2d(2))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Linear(512 * 7 * 7, 4096), nn.ReLU(), nn.Dropout(),
                                        nn.Linear(4096, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, 1000))

    def forward(self, images):
        return self.classifier(self.features(images).flatten(1))
