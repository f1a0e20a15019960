#!/usr/bin/env python3
"""An ordinary script for torchrun: sums the ranks' numbers, counted from 1, with torch.distributed over Gloo."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
total = torch.tensor([float(dist.get_rank() + 1)])
dist.all_reduce(total)
print(f"rank {dist.get_rank()} of {dist.get_world_size()}: {int(total.item())}")
dist.destroy_process_group()
