"""The totalizator: games, pure rules, pools, sales, settlement."""
