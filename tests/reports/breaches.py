"""For every check of the audit a change by the owner that breaks the promise it keeps, by the promise's own words."""

from __future__ import annotations

BREACHES = {
    "переводы в сумме дают ноль по каждой валюте": """
        UPDATE transfers SET debit_account_id = (SELECT id FROM foreign_money) WHERE kind = 'deposit'
    """,
    "остаток игрового счёта равен его переводам": "UPDATE balances SET balance = balance + 1",
    "у каждого билета ровно одна оплата, равная ставке": "UPDATE tickets SET stake = stake + 1 WHERE id = 1",
    "у каждого перевода за ставку есть билет": """
        UPDATE transfers SET ticket_id = NULL WHERE kind = 'stake' AND ticket_id = 1
    """,
    "выданное по расчёту равно его сумме": "UPDATE endings SET amount = amount + 1 WHERE \"end\" = 'credited'",
    "у каждой выплаты наличными одна строка журнала": "UPDATE payouts SET amount = amount + 1",
    "номера без пропусков": "UPDATE protocols SET number = number + 1",
    "состояние билета равно его фактам": "UPDATE ticket_states SET status = 'won' WHERE status = 'lost'",
    "законченный расчёт зачислен на счета": """
        WITH gone AS (DELETE FROM settlement_creditings RETURNING run_id)
        UPDATE settlement_completions SET recorded_at = now() - interval '11 minutes'
        WHERE run_id IN (SELECT run_id FROM gone)
    """,
    "игровой счёт принадлежит своему игроку": """
        UPDATE players SET account_id = (SELECT id FROM accounts WHERE kind = 'cash' LIMIT 1) WHERE id = 1
    """,
    "выигрыши к выплате равны неоконченным расчётам": "UPDATE settlements SET win = win + 1 WHERE ticket_id = 2",
    "у заменённого решения есть окончание": """
        INSERT INTO settlements
            (ticket_id, version, run_id, reverses_id, decision, win, stake_back, received, payable_from)
        SELECT ticket_id, 2, run_id, id, decision, win, stake_back, 0, payable_from FROM settlements WHERE ticket_id = 2
    """,
    "пока выплаты приостановлены, ничего не выплачено и не зачислено": """
        INSERT INTO payout_holds (recorded_at, trade, subject_id, reason, held_by, held_at, cause)
        OVERRIDING SYSTEM VALUE
        SELECT '2000-01-01', trade, subject_id, 'проба', 1, '2000-01-01', 'decision' FROM settlement_runs
    """,
    "пока рассчитывается заново, ничего не выплачено и не зачислено": """
        INSERT INTO settlement_runs
            (recorded_at, trade, subject_id, version, cause, protocol_id, payable_account_id, started_at)
        SELECT '2000-01-01', trade, subject_id, 2, cause, protocol_id, payable_account_id, started_at
        FROM settlement_runs
    """,
    "полученное по прежним решениям равно выплаченному и не возвращённому": """
        UPDATE settlements SET received = 1 WHERE decision = 'lost'
    """,
    "выплаченное лишнее возвращено, стало требованием или списано": """
        UPDATE transfers SET kind = 'win_taken_back' WHERE kind = 'win_credited'
    """,
    "протокол подтвердил тот, кто решил по предложенному результату": """
        UPDATE proposal_uses SET used_by = 1 WHERE proposal_id = (SELECT max(proposal_id) FROM results)
    """,
    "счёт по периодам — тот, что предложен и подтверждён с результатом": """
        INSERT INTO result_scores (result_id, period, home, away) SELECT id, 'sets', 2, 1 FROM results
    """,
    "выплату, которой нужен второй сотрудник, подтвердил другой логин": "UPDATE payouts SET amount = 500000",
    "наличные с игрового счёта выданы по одной строке журнала, на банковский счёт ни по одной": """
        UPDATE payouts SET amount = amount + 1 WHERE withdrawal_id IS NOT NULL
    """,
    "о каждом пополнении известно, каким способом оно пришло": "DELETE FROM deposits",
    "каждый вывод снят с игрового счёта своего игрока": """
        UPDATE account_withdrawals SET amount = amount + 1 WHERE means = 'cash_desk'
    """,
    "деньги в пути равны переводам, которые ждут решения": """
        UPDATE transfers SET amount = amount + 1 WHERE kind = 'account_withdrawal_reserved'
    """,
    "самоограничение лица действует на его регистрацию": "UPDATE players SET excluded_until = NULL",
    "прекращённая регистрация закрыта": "UPDATE players SET blocked_at = NULL",
    "деньги в пути равны передачам, по которым они ещё не приняты": "UPDATE cash_receptions SET amount = amount - 1",
    "действующие остановки продаж — те, что не сняты": "DELETE FROM open_sales_stops",
    "у каждой неудалённой записи о лице есть её ключ": """
        UPDATE data_keys SET wrapped = NULL, destroyed_at = now() WHERE purpose = 'person'
    """,
    "регистрация указывает на запись о своём лице": """
        UPDATE players SET person_version_id = (SELECT person_version_id FROM payouts LIMIT 1)
    """,
    "действующая регистрация чья-то": "UPDATE players SET person_id = NULL",
    "у каждого билета тотализатора одна ставка в пуле, равная его ставке": """
        UPDATE pool_bets SET stake = stake + 1 WHERE ticket_id = 1
    """,
    "закрытие пула насчитало все его ставки": "UPDATE pool_closings SET bets = bets + 1",
    "счёт ставок пула до закрытия равен ставкам, после закрытия пуст": """
        UPDATE transfers SET amount = amount + 1 WHERE kind = 'stake' AND ticket_id = 1
    """,
    "выигрышный фонд после закрытия равен фонду, после расчёта пуст": """
        UPDATE transfers SET amount = amount + 1 WHERE kind = 'prize_fund'
    """,
    "фонд и добавленное организатором равны выигрышам и джек-поту": "UPDATE pool_divisions SET wins = wins + 1",
    "из проводок всех расчётов пула стоят проводки последнего раздела": """
        UPDATE pool_divisions SET jackpot_shortfall = 1
    """,
    "у отменённой ставки одно решение, и её деньги взяты там, где она была": """
        INSERT INTO pool_cancellations (ticket_id, pool_id, stage, reason, explanation, from_stakes, from_withdrawal,
            from_fund, cancelled_by, cancelled_at)
        SELECT ticket_id, pool_id, 'settled', 'unpaid', 'проба', 0, 0, 0, 1, now() FROM pool_bets WHERE ticket_id = 1
    """,
    "пока выплата одного билета приостановлена, он не оплачен, не зачислен и не просрочен": """
        INSERT INTO payout_holds (recorded_at, trade, subject_id, reason, held_by, held_at, cause)
        OVERRIDING SYSTEM VALUE SELECT '2000-01-01', 'tote_ticket', decided.ticket_id, 'проба', 1, '2000-01-01', 'claim'
        FROM endings JOIN settlements AS decided ON decided.id = endings.settlement_id
    """,
    "у законченного расчёта пула есть срок выплаты, и невостребованное зачислено его концом": """
        DELETE FROM payment_terms
    """,
    "в билете столько ставок, сколько можно составить из его отметок, и отмечено объявленное": """
        UPDATE pool_bets SET rows = 2 WHERE ticket_id = 1
    """,
    "уровни раздела — объявленные, и вместе дают его выигравшие ставки и фонд": """
        INSERT INTO pool_level_divisions (run_id, level, winning_bets, winning_stake, fund_numerator, fund_denominator)
        SELECT run_id, 1, winning_bets, winning_stake, 0, 1 FROM pool_divisions
    """,
    "контрольные суммы пулов равны ставкам под ними": """
        UPDATE pool_checkpoints SET stakes = stakes + 1 WHERE outcome = '2'
    """,
    "ни одна ставка не принята после начала события, известного в тот момент": """
        INSERT INTO start_changes (event_id, turn, instant, was, source, reason, entered_by, entered_at)
        SELECT id, 'started', early.at, starts_at, 'проба', 'проба', 1, early.at
        FROM events, LATERAL (SELECT starts_at - interval '5 hours' AS at) AS early
    """,
}
"""A check that is added, moved or reworded must be found here under what it promises now."""

FOREIGN_MONEY = """
    CREATE VIEW foreign_money AS SELECT id FROM accounts WHERE currency = 'USD';
    INSERT INTO accounts (kind, subject, currency) VALUES ('cash', 'desk:K-1', 'USD');
    ALTER TABLE transfers DROP CONSTRAINT fk_transfers_debit_account_id_currency;
"""
