"""The slow path: why a value is invalid, and what may be repaired."""
