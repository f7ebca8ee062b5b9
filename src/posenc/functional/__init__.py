"""The mathematics, over any array library; it knows arrays and numbers, never a spec."""
