"""What crosses the rooms: sheets of a pool, the trial balance, the cover of funds."""
