"""What transport/cuda/measure-profiles is made of."""
