"""Models whose blocks have branches: GoogLeNet (Szegedy et al. 2015) and Inception-v4 (Szegedy et al. 2016)."""

import torch
from torch import nn
from torch.nn import functional as F


class Inception(nn.Module):
    """Branches of 1 x 1, 3 x 3, "5x5" (which is 3 x 3, as in torchvision) and pooling, without biases."""

    def __init__(self, inputs, maps):
        super().__init__()
        single, reduced3, three, reduced5, five, pooled = maps
        for name, taken, made, kernel in (("1x1", inputs, single, 1),
                                          ("3x3_reduce", inputs, reduced3, 1), ("3x3", reduced3, three, 3),
                                          ("5x5_reduce", inputs, reduced5, 1), ("5x5", reduced5, five, 3),
                                          ("pool_proj", inputs, pooled, 1)):
            self.add_module(name, nn.Conv2d(taken, made, kernel, padding=kernel // 2, bias=False))

    def through(self, images, *names):
        for name in names:
            images = torch.relu(getattr(self, name)(images))
        return images

    def forward(self, images):
        return torch.cat((self.through(images, "1x1"), self.through(images, "3x3_reduce", "3x3"),
                          self.through(images, "5x5_reduce", "5x5"),
                          self.through(F.max_pool2d(images, 3, 1, padding=1), "pool_proj")), 1)


# Maps of 1x1, 3x3_reduce, 3x3, 5x5_reduce, 5x5 and pool_proj. Before 4a and 5a images are pooled.
GOOGLENET = {"3a": (64, 96, 128, 16, 32, 32), "3b": (128, 128, 192, 32, 96, 64), "4a": (192, 96, 208, 16, 48, 64),
             "4b": (160, 112, 224, 24, 64, 64), "4c": (128, 128, 256, 24, 64, 64), "4d": (112, 144, 288, 32, 64, 64),
             "4e": (256, 160, 320, 32, 128, 128), "5a": (256, 160, 320, 32, 128, 128), "5b": (384, 192, 384, 48, 128, 128)}


class GoogLeNet(nn.Module):
    """GoogLeNet without auxiliary heads, of 6,610,344 parameters."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)
        self.conv2_reduce = nn.Conv2d(64, 64, 1, bias=False)
        self.conv2 = nn.Conv2d(64, 192, 3, padding=1, bias=False)
        self.pool = nn.MaxPool2d(3, 2, ceil_mode=True)
        self.normalize = nn.LocalResponseNorm(5)
        inputs = 192
        for name, maps in GOOGLENET.items():
            self.add_module(f"inception_{name}", Inception(inputs, maps))
            inputs = maps[0] + maps[2] + maps[4] + maps[5]
        self.classifier = nn.Linear(inputs, 1000)

    def forward(self, images):
        made = self.normalize(self.pool(torch.relu(self.conv1(images))))
        made = torch.relu(self.conv2(torch.relu(self.conv2_reduce(made))))
        made = self.pool(self.normalize(made))
        for name in GOOGLENET:
            made = self.get_submodule(f"inception_{name}")(self.pool(made) if name in ("4a", "5a") else made)
        return self.classifier(F.dropout(made.mean((2, 3)), 0.4, self.training))


def convolution(inputs, outputs, kernel, stride=1, padding=0):
    """A convolution with its batch normalization as `bn`; `activated` applies both."""
    made = nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False)
    made.bn = nn.BatchNorm2d(outputs, eps=0.001)
    return made


def activated(layer, images):
    """Applies a convolution, its normalization and the activation; or any other layer alone."""
    return torch.relu(layer.bn(layer(images))) if isinstance(layer, nn.Conv2d) else layer(images)


class Chain(nn.Sequential):
    """Convolutions one behind the other. With ends, the last two stand side by side, called "...a" and "...b"."""

    def forward(self, images):
        for name, layer in self.named_children():
            if name.endswith("a"):
                return torch.cat((activated(layer, images), activated(self.get_submodule(name[:-1] + "b"), images)), 1)
            images = activated(layer, images)
        return images


def chain(inputs, *kernels):
    """Convolutions that keep the image's size, each given as (maps, kernel)."""
    made = Chain()
    for i, (maps, kernel) in enumerate(kernels):
        made.add_module(str(i), convolution(inputs, maps, kernel, padding=tuple(size // 2 for size in kernel)))
        inputs = maps
    return made


def with_end(made, layer):
    """A chain with one more layer."""
    made.add_module(str(len(made)), layer)
    return made


def with_ends(made, inputs, maps):
    """A chain with 1 x 3 and 3 x 1 side by side at its end."""
    last = len(made)
    made.add_module(f"{last}a", convolution(inputs, maps, (1, 3), padding=(0, 1)))
    made.add_module(f"{last}b", convolution(inputs, maps, (3, 1), padding=(1, 0)))
    return made


def pooled(inputs, maps):
    """Averages of 3 x 3, and a convolution of 1 x 1."""
    return Chain(nn.AvgPool2d(3, 1, padding=1, count_include_pad=False), convolution(inputs, maps, 1))


ONE, THREE, ACROSS, DOWN = (1, 1), (3, 3), (1, 7), (7, 1)


class Branches(nn.Sequential):
    """Branches side by side; with `pool`, images of half the size beside them."""

    def __init__(self, *branches, pool=False):
        super().__init__(*branches)
        self.pools = pool

    def forward(self, images):
        made = [activated(branch, images) for branch in self]
        return torch.cat(made + [F.max_pool2d(images, 3, 2)] if self.pools else made, 1)


class Halved(nn.Module):
    """A convolution with a stride beside pooling."""

    def __init__(self, inputs, maps, pool_first):
        super().__init__()
        self.conv = convolution(inputs, maps, 3, stride=2)
        self.pool_first = pool_first

    def forward(self, images):
        both = (F.max_pool2d(images, 3, 2), activated(self.conv, images))
        return torch.cat(both if self.pool_first else both[::-1], 1)


def inception_a():
    return Branches(convolution(384, 96, 1), chain(384, (64, ONE), (96, THREE)),
                    chain(384, (64, ONE), (96, THREE), (96, THREE)), pooled(384, 96))


def inception_b():
    return Branches(convolution(1024, 384, 1), chain(1024, (192, ONE), (224, ACROSS), (256, DOWN)),
                    chain(1024, (192, ONE), (192, DOWN), (224, ACROSS), (224, DOWN), (256, ACROSS)), pooled(1024, 128))


def inception_c():
    return Branches(convolution(1536, 256, 1), with_ends(chain(1536, (384, ONE)), 384, 256),
                    with_ends(chain(1536, (384, ONE), (448, (3, 1)), (512, (1, 3))), 512, 256), pooled(1536, 256))


class InceptionV4(nn.Module):
    """Inception-v4, of 42,679,816 parameters."""

    def __init__(self):
        super().__init__()
        self.stem = Chain(convolution(3, 32, 3, stride=2), convolution(32, 32, 3), convolution(32, 64, 3, padding=1))
        self.mixed_3a = Halved(64, 96, pool_first=True)
        self.mixed_4a = Branches(with_end(chain(160, (64, ONE)), convolution(64, 96, 3)),
                                 with_end(chain(160, (64, ONE), (64, ACROSS), (64, DOWN)), convolution(64, 96, 3)))
        self.mixed_5a = Halved(192, 192, pool_first=False)
        self._add(4, "a", inception_a)
        self.reduction_a = Branches(convolution(384, 384, 3, stride=2),
                                    with_end(chain(384, (192, ONE), (224, THREE)), convolution(224, 256, 3, stride=2)),
                                    pool=True)
        self._add(7, "b", inception_b)
        self.reduction_b = Branches(with_end(chain(1024, (192, ONE)), convolution(192, 192, 3, stride=2)),
                                    with_end(chain(1024, (256, ONE), (256, ACROSS), (320, DOWN)),
                                             convolution(320, 320, 3, stride=2)), pool=True)
        self._add(3, "c", inception_c)
        self.last_linear = nn.Linear(1536, 1000)

    def _add(self, count, letter, block):
        for i in range(count):
            self.add_module(f"inception_{letter}{i}", block())

    def forward(self, images):
        for name, block in self.named_children():
            if name != "last_linear":
                images = block(images)
        return self.last_linear(F.dropout(images.mean((2, 3)), 0.2, self.training))
