"""Parts of transport/cuda/measure-profiles."""
