"""Fixed odds, spread bets and the exchange. Stands beside the tote; neither imports the other."""
