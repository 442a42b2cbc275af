"""What people of the office read for each kind of transfer, in one place for all reports.

What a player reads stands in :mod:`reports.statements`, what a shift's report calls them in :mod:`desk.shift_report`:
the same movement is another thing to each of them.
"""

from __future__ import annotations

KINDS = {
    "own_money_in": "внесены собственные средства",
    "special_account_in": "пополнен специальный счёт",
    "special_account_out": "возвращено со специального счёта",
    "safe_in": "пополнен сейф",
    "safe_out": "сдано из сейфа в банк",
    "desk_float_sent": "размен отправлен в кассу",
    "desk_float": "размен в кассу",
    "collection": "инкассация",
    "collection_received": "инкассация получена",
    "delivery_returned": "наличные в пути возвращены",
    "delivery_missing": "недостача наличных в пути",
    "deposit": "внесено на игровой счёт",
    "stake": "ставка",
    "withdrawal": "изъятие",
    "prize_fund": "выигрышный фонд",
    "withdrawal_returned": "изъятие возвращено",
    "from_organizer": "за счёт организатора",
    "wins": "выигрыши к выплате",
    "to_jackpot": "в джек-пот",
    "win_credited": "зачислен выигрыш",
    "payout": "выплата наличными",
    "shift_difference": "расхождение смены",
    "win_expired": "срок выплаты истёк",
    "win_taken_back": "зачисленное списано обратно",
    "win_claimed": "требование к игроку",
    "overpaid": "переплата за счёт организатора",
    "cancelled_stake": "ставка отменённого билета",
    "cancelled_win": "выигрыш отменённого билета в джек-пот",
    "jackpot_made_good": "джек-пот восполнен организатором",
    "jackpot_shortfall": "недостаток джек-пота за счёт организатора",
    "bank_deposit": "поступило на игровой счёт через банк",
    "account_withdrawal": "выдано с игрового счёта",
    "account_withdrawal_reserved": "вывод с игрового счёта: отложено",
    "account_withdrawal_sent": "вывод с игрового счёта: перечислено",
    "account_withdrawal_returned": "вывод с игрового счёта: возвращено",
}
WORDS = KINDS | {f"{kind}_reversed": f"{title}: отмена" for kind, title in KINDS.items()}
"""Those of their opposites as well, by which a mistake is undone."""
