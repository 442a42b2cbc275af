"""What the database itself refuses: one login for two, acts nobody approved, acts other than what was approved."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from office.approvals.acts import ACTS
from office.approvals.limits import LIMITS
from office.settings.register import REGISTER
from tests.approvals.people import decided, proposed, winner
from tests.office import Office

DECIDE = """
    INSERT INTO proposal_decisions (proposal_id, proposed_by, decision, decided_by, decided_at)
    SELECT id, {proposer}, '{word}', {decider}, now() FROM proposals WHERE act = 'payout'
"""
USE = """
    INSERT INTO proposal_uses (proposal_id, decision, fingerprint, used_by, used_at)
    SELECT id, '{word}', {fingerprint}, 1, now() FROM proposals WHERE act = 'payout'
"""
PAY = """
    INSERT INTO payouts (number, settlement_id, amount, person_version_id, shift_id, cashier_id, paid_at, code_entry,
        approval_id, approved_by)
    SELECT 1, (SELECT id FROM settlements WHERE win > 0), 1, (proposed.content ->> 'person_version')::bigint, 1,
        {cashier}, now(), 'scanned', {approval}, {approver}
    FROM proposals AS proposed JOIN proposal_decisions AS decided ON decided.proposal_id = proposed.id
    WHERE proposed.act = 'payout'
"""


def refused_by(office: Office, statement: str) -> str:
    """The constraint that stops a statement of the owner."""
    with office.owner() as session, pytest.raises(IntegrityError) as stopped:
        session.execute(text(statement))
    return str(stopped.value.orig.diag.constraint_name)


def test_one_login_is_not_two(office: Office) -> None:
    """Whoever proposed cannot approve or refuse; another cannot withdraw; the proposer cannot be told otherwise."""
    proposed(office, winner(office, "4000.00", "6000.00"))
    two = "ck_proposal_decisions_two_persons"
    for word in ("approved", "refused"):
        assert refused_by(office, DECIDE.format(proposer="proposed_by", word=word, decider="proposed_by")) == two
    assert refused_by(office, DECIDE.format(proposer="proposed_by", word="withdrawn", decider="1")) == two
    pretended = refused_by(office, DECIDE.format(proposer="1", word="approved", decider="proposed_by"))
    assert pretended == "fk_proposal_decisions_proposal_id_proposed_by"


def test_only_what_was_approved_is_done_and_exactly_that(office: Office) -> None:
    approval = proposed(office, winner(office, "4000.00", "6000.00"))
    of_decision = "fk_proposal_uses_proposal_id_decision"
    assert refused_by(office, USE.format(word="approved", fingerprint="fingerprint")) == of_decision
    decided(office.supervisor, approval, "refused")
    assert refused_by(office, USE.format(word="approved", fingerprint="fingerprint")) == of_decision
    assert refused_by(office, USE.format(word="refused", fingerprint="fingerprint")) == "ck_proposal_uses_approved"


def test_another_meaning_than_the_approved_one_is_not_done(office: Office) -> None:
    decided(office.supervisor, proposed(office, winner(office, "4000.00", "6000.00")))
    other = refused_by(office, USE.format(word="approved", fingerprint="sha256('other')"))
    assert other == "fk_proposal_uses_proposal_id_fingerprint"


def test_a_journal_line_names_a_used_approval_and_another_login(office: Office) -> None:
    decided(office.supervisor, proposed(office, winner(office, "4000.00", "6000.00")))
    named = {"approval": "proposed.id", "approver": "decided.decided_by", "cashier": "proposed.proposed_by"}
    assert refused_by(office, PAY.format(**named)) == "fk_payouts_approval_id"
    assert refused_by(office, PAY.format(**{**named, "cashier": "decided.decided_by"})) == "ck_payouts_two_persons"
    assert refused_by(office, PAY.format(**{**named, "approver": "NULL"})) == "ck_payouts_approved_by_somebody"


def test_every_limit_is_a_setting_and_every_act_has_two_roles() -> None:
    assert {limit.name for limit in LIMITS} <= REGISTER.keys()
    for act in ACTS.values():
        assert act.proposers and act.approvers and act.life in LIMITS
