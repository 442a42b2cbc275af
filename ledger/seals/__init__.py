"""Seals: what was written is put into a chain of hashes, and verified against it (DESIGN 3.5).

``sealing`` writes the chain, ``verify`` reads it; ``finality`` tells which rows no longer change, ``canonical`` what of
a row is hashed, ``outside`` keeps digests where the database's owner cannot reach them.
"""
