"""The demonstration days: every figure they show, worked by hand."""
