"""The rulebook, a sentence a test, each named for its paragraph; `docs/t-rules.md` is the map to them."""
