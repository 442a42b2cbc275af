"""How the games are called on papers and in registers."""

GAMES = {"totolot_variant": "Тотолот-Вариант", "sportloto_variant": "Спортлото-Вариант"}
