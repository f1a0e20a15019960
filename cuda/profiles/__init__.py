"""What cuda/measure-profiles is made of."""
