"""What games have in common: how bets are won, and what a family of games says of money and time. Pure."""
