"""A training script as anybody writes one: train.py BACKEND. Rank 0 prints its losses."""

import sys

import torch
import torch.distributed as dist

import gradwire.torch  # noqa: F401


def model():
    """A small convolutional network, the same everywhere."""
    torch.manual_seed(5)
    return torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(),
                               torch.nn.Linear(4 * 6 * 6, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))


def samples(count):
    """Images and labels, the same everywhere."""
    numbers = torch.Generator().manual_seed(7)
    return torch.randn(count, 1, 8, 8, generator=numbers), torch.randint(10, (count,), generator=numbers)


def train(network, rank, size, steps=6):
    """The losses of a rank's part of every batch of 36."""
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1, momentum=0.9)
    criterion = torch.nn.CrossEntropyLoss()
    losses = []
    images, labels = samples(36 * steps)
    for images, labels in zip(images.split(36), labels.split(36)):
        optimizer.zero_grad()
        loss = criterion(network(images[rank::size]), labels[rank::size])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    torch.set_num_threads(1)
    dist.init_process_group(sys.argv[1])
    rank, size = dist.get_rank(), dist.get_world_size()
    losses = torch.tensor(train(torch.nn.parallel.DistributedDataParallel(model()), rank, size))
    dist.all_reduce(losses)
    if rank == 0:
        print("losses", *(losses / size).tolist())


if __name__ == "__main__":
    main()
