"""Alarms to a receiver: signed, tried again while it is down, put aside in the end, and never a storm of them."""

from __future__ import annotations

import json
import ssl
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from api.alarms.work import planned_and_due
from db.errors import SetupError
from db.instants import now
from office.alarms.channels import channels_from_environment
from office.alarms.delivery import ATTEMPTS, UndeliveredError, deliver, pause_after
from office.alarms.signature import read_secrets
from tests.office import Office
from tests.significant.hooked import (
    ROWS,
    SECRET,
    alarm,
    deliver_all,
    hook,
    let_pauses_pass,
    rows,
    signed_by,
    work,
)
from tests.significant.receiver import Receiver, receiving


def test_a_receiver_that_fails_twice_gets_the_same_signed_message_three_times(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving(Receiver(answers=[500, 503])) as receiver:
        hook(monkeypatch, receiver.url)
        event = alarm(office)
        work(office, "raise_alarms")
        assert len(receiver.came) == 1, "the second attempt has its time"
        for _ in range(3):
            let_pauses_pass(office)
            work(office, "raise_alarms")

    assert len(receiver.came) == 3
    assert len(set(receiver.keys)) == 1
    assert len({body for _, body in receiver.came}) == 1
    for headers, body in receiver.came:
        assert signed_by(headers, body)
        assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
        assert headers["content-type"] == "application/json"
    told = json.loads(receiver.came[0][1])
    assert (told["event"], told["kind"], told["severity"]) == (event, "books_broken", "alarm")
    assert (told["title"], told["facts"]) == ("Сверка книг: найдены расхождения", {"breaches": {"остаток": 1}})
    stands = ROWS.format("channel, attempts, delivered_at IS NOT NULL, last_error")
    assert rows(office, stands) == [("log", 1, True, None), ("webhook", 3, True, None)]
    assert rows(office, "SELECT count(*) FROM procrastinate_jobs") == [(0,)]


def test_the_signature_is_the_one_of_the_convention() -> None:
    """The published example of Standard Webhooks: secret, id, timestamp, body, and what they must come to."""
    secrets = read_secrets("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    headers = secrets.headers("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')

    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_while_a_receiver_changes_over_both_secrets_sign(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    older = SECRET[::-1].lstrip("=") + "="
    with receiving(Receiver()) as receiver:
        hook(monkeypatch, receiver.url, secret=f"{SECRET},{older}")
        alarm(office)
        assert deliver_all(office) == []
    assert signed_by(*receiver.came[0], SECRET) and signed_by(*receiver.came[0], older)


def test_a_redirect_is_a_failure_and_is_not_followed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(Receiver()) as elsewhere, receiving(Receiver(answers=[307])) as receiver:
        receiver.headers = {"Location": elsewhere.url}
        hook(monkeypatch, receiver.url)
        alarm(office)
        assert deliver_all(office) == ["HTTP 307"]
    assert elsewhere.came == []


def test_only_a_certificate_that_is_trusted_gets_the_message(
    office: Office, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A receiver of the operator's own authority: refused until SSL_CERT_FILE names it."""
    tls, authority = own_certificate(tmp_path)
    with receiving(Receiver(), tls) as receiver:
        hook(monkeypatch, receiver.url)
        alarm(office)
        assert deliver_all(office) == ["ConnectError"]
        assert receiver.came == []

        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
        del office.house.alarm_channels
        let_pauses_pass(office)
        assert deliver_all(office) == []
    assert len(receiver.came) == 1


def own_certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A certificate of this machine's address that vouches for itself, and the file that names it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "receiver of the tests")])
    address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now() - timedelta(days=1))
        .not_valid_after(now() + timedelta(days=1))
        .add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(Encoding.PEM))
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, secret)
    return context, certificate


def test_no_receiver_at_all_is_told_without_its_address(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(Receiver()) as gone:
        pass
    hook(monkeypatch, gone.url)
    alarm(office)
    assert deliver_all(office) == ["ConnectError"]
    assert rows(office, ROWS.format("channel, last_error")) == [("log", None), ("webhook", "ConnectError")]


def test_a_receiver_that_does_not_answer_is_left_in_time(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("office.alarms.webhook.TIMEOUT", 0.2)
    with receiving(Receiver(meanwhile=lambda: time.sleep(1))) as receiver:
        hook(monkeypatch, receiver.url)
        alarm(office)
        assert deliver_all(office) == ["ReadTimeout"]


def test_after_the_last_attempt_a_delivery_is_put_aside_and_the_other_channels_tell(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two alarms a dead receiver never takes: dead letters, but one alarm about the channel, and that is the end."""
    with receiving(Receiver(answers=[500] * (2 * ATTEMPTS + ATTEMPTS))) as receiver:
        hook(monkeypatch, receiver.url)
        first, second = alarm(office), alarm(office)
        for _ in range(3 * ATTEMPTS):
            deliver_all(office)
            let_pauses_pass(office)

        page = office.administrator.get("/alarms", state="abandoned", channel="webhook").json
        about_channel = office.administrator.get("/significant-events", kind="alarm_channel_failed").json["items"]
        assert [event["subject"] for event in about_channel] == ["alarm_channel:webhook"]
        dead = [about_channel[0]["id"], second, first]
        assert [item["event_id"] for item in page["items"]] == dead
        assert {(item["attempts"], item["last_error"]) for item in page["items"]} == {(ATTEMPTS, "HTTP 500")}
        assert [(told["channel"], told["waiting"], told["abandoned"]) for told in page["backlogs"]] == [
            ("webhook", 0, 3)
        ]
        told_by_log = office.administrator.get("/alarms", state="delivered", channel="log").json["items"]
        assert [item["event_id"] for item in told_by_log] == dead
        assert len(receiver.came) == 3 * ATTEMPTS

        run = office.app.test_cli_runner().invoke
        assert run(args=["alarms", "standing"]).exit_code == 1
        assert "3" in run(args=["alarms", "retry"]).output
        assert deliver_all(office) == []

    assert len(receiver.came) == 3 * ATTEMPTS + 3
    assert run(args=["alarms", "standing"]).exit_code == 0
    recovered = office.administrator.get("/significant-events", kind="alarm_channel_recovered").json["items"]
    assert len(recovered) == 1


def test_pauses_double_up_to_an_hour_and_last_over_seven_hours() -> None:
    pauses = [pause_after(attempts).total_seconds() for attempts in range(1, ATTEMPTS)]
    assert pauses == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, *[3600] * 6]
    assert timedelta(seconds=sum(pauses)) > timedelta(hours=7)


def test_a_crash_between_the_sending_and_the_record_sends_twice_under_one_key(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving(Receiver()) as receiver:
        hook(monkeypatch, receiver.url)
        alarm(office)
        log, webhook = planned(office)
        deliver(office.house.sessions, office.house.alarm_channels, log)
        with monkeypatch.context() as dying:
            dying.setattr("office.alarms.delivery._record", _die)
            with pytest.raises(Dead):
                deliver(office.house.sessions, office.house.alarm_channels, webhook)
        assert rows(office, ROWS.format("attempts")) == [(1,), (1,)]
        assert deliver_all(office) == [], "the pause is not over"
        assert len(receiver.came) == 1

        let_pauses_pass(office)
        assert deliver_all(office) == []

    assert len(receiver.came) == 2 and len(set(receiver.keys)) == 1
    assert deliver_all(office) == []


class Dead(BaseException):
    """What ends a process without anything being caught."""


def _die(*_arguments: object) -> None:
    raise Dead


def test_attempts_of_which_nothing_can_be_recorded_are_counted_paused_and_put_aside(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What arrives is never known to have: 16 letters in seven hours, not one every ten seconds for ever."""

    def fail(*_arguments: object) -> None:
        raise RuntimeError("nothing can be recorded")

    with receiving(Receiver()) as receiver:
        hook(monkeypatch, receiver.url)
        alarm(office)
        log, webhook = planned(office)
        deliver(office.house.sessions, office.house.alarm_channels, log)
        with monkeypatch.context() as failing:
            failing.setattr("office.alarms.delivery._record", fail)
            for _ in range(3):
                work(office, "raise_alarms")
            assert len(receiver.came) == 1, "the sweep keeps the pause"
            for _ in range(ATTEMPTS - 1):
                let_pauses_pass(office)
                with pytest.raises(RuntimeError):
                    deliver(office.house.sessions, office.house.alarm_channels, webhook)
            let_pauses_pass(office)
            with pytest.raises(UndeliveredError, match="Unrecorded"):
                deliver(office.house.sessions, office.house.alarm_channels, webhook)
            let_pauses_pass(office)
            assert not deliver(office.house.sessions, office.house.alarm_channels, webhook)
    assert len(receiver.came) == ATTEMPTS and len(set(receiver.keys)) == 1
    (dead,) = office.administrator.get("/alarms", state="abandoned", channel="webhook").json["items"]
    assert (dead["attempts"], dead["last_error"]) == (ATTEMPTS, "Unrecorded")


def test_no_transaction_waits_for_a_receiver(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Idle ones would be cut off while a slow receiver takes its time, and the record with them."""
    idle = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in %'"
    seen: list[int] = []
    with receiving(Receiver(meanwhile=lambda: seen.append(rows(office, idle)[0][0]))) as receiver:
        hook(monkeypatch, receiver.url)
        alarm(office)
        assert deliver_all(office) == []
    assert seen == [0]


def planned(office: Office) -> list[int]:
    """The deliveries of the alarms so far, that of the log first."""
    return planned_and_due(office.house)


def test_of_two_workers_at_one_delivery_one_sends_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(Receiver(meanwhile=lambda: time.sleep(0.3))) as receiver:
        hook(monkeypatch, receiver.url)
        alarm(office)
        _, webhook = planned(office)
        with ThreadPoolExecutor(4) as threads:
            tries = [
                threads.submit(deliver, office.house.sessions, office.house.alarm_channels, webhook) for _ in range(4)
            ]
            sent = [one.result() for one in tries]
    assert sorted(sent) == [False, False, False, True]
    assert len(receiver.came) == 1


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("http://receiver.example/alarms", SECRET),
        ("ftp://127.0.0.1/alarms", SECRET),
        ("https:///alarms", SECRET),
        ("https://receiver.example/alarms", ""),
        ("https://receiver.example/alarms", "не base64"),
        ("https://receiver.example/alarms", "c2hvcnQ="),
        ("https://receiver.example/alarms", f"{SECRET},"),
    ],
)
def test_a_wrong_receiver_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch, url: str, secret: str) -> None:
    hook(monkeypatch, url, secret=secret)
    with pytest.raises(SetupError, match="ALARM_WEBHOOK_"):
        channels_from_environment()


def test_the_log_needs_nothing_and_the_others_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    hook(monkeypatch)
    assert set(channels_from_environment()) == {"log"}
    hook(monkeypatch, "https://10.0.0.7:8443/alarms")
    assert set(channels_from_environment()) == {"log", "webhook"}


def test_a_worker_with_a_wrong_receiver_does_not_start(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would look as if alarms went out."""
    hook(monkeypatch, "http://receiver.example/alarms")
    monkeypatch.setattr(sys.modules["api.commands.worker"], "end_on_signals", lambda: None)
    ended = office.app.test_cli_runner().invoke(args=["worker"])
    assert ended.exit_code == 1
    assert "ALARM_WEBHOOK_URL" in ended.output


def test_deliveries_are_read_page_by_page(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    hook(monkeypatch)
    events = [alarm(office) for _ in range(3)]
    assert deliver_all(office) == []
    seen, cursor = [], 0
    while cursor is not None:
        page = office.administrator.get("/alarms", limit=2, cursor=cursor).json
        seen += [(item["event_id"], item["state"], item["attempts"], item["title"]) for item in page["items"]]
        cursor = page["next_cursor"]
    assert seen == [(event, "delivered", 1, "Сверка книг: найдены расхождения") for event in reversed(events)]
    assert page["backlogs"] == []
    assert office.administrator.get("/alarms", state="lost").status_code == 422
