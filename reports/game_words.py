"""How the games are called on papers and in registers."""

GAMES = {
    "totolot_variant": "Тотолот-Вариант",
    "totolot_position": "Тотолот-Позиция",
    "sportloto_variant": "Спортлото-Вариант",
    "sportloto_position": "Спортлото-Позиция",
}
