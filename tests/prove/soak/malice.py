"""What those who mean harm put into requests, kind by kind: each of these is refused, whoever sends it."""

from __future__ import annotations

NUMBERS = (
    *("-1.00", "+1.00", "1e2", "1E400", "NaN", "Infinity", "-Infinity", "0x10", "0", "0.00", "0.001", "1,00", " 1.00"),
    *("1.00 ", "1_000", "１.00", "٣.00", "9" * 19, "9" * 25, "1" * 5000, "9223372036854775808", "", ".", "1.", ".5"),
    *(True, None, -1, 5, 2.5, 2**63, 2**64, -(2**63) - 1, 10**39, [], {}, ["1.00"], {"stake": "1.00"}),
)
BARE = (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"1" * 60, b"01", b"+1", b"1.", b"0x1", b"--1", b"1e")
TEXTS = (
    "P1\x00",
    "\ud800",
    "\udfff1",
    "\x00",
    "P1\r\nX: y",
    "'; DROP TABLE tickets; --",
    "../../etc/passwd",
    "{{7*7}}",
)
LONG = ("A" * 41, "A" * 5_000, "Ж" * 100_000)
JUNK = (
    b"",
    b"{",
    b"[1,",
    b"nul",
    b"'a'",
    b'{"a":}',
    b"{a: 1}",
    b'{"a" 1}',
    b"[]",
    b'""',
    b"null",
    b"7",
    b"\x00",
    b"<xml/>",
)
BROKEN_TEXT = (
    b'{"pool": "\xff"}',
    b'{"pool": "\xc3\x28"}',
    b'{"pool": "\xed\xa0\x80"}',
    b"\xfe\xff\x00{",
    b'{"pool": "\xf8\x88"}',
)
MEDIA = ("text/plain", "application/xml", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded")
CHARSETS = ("application/json; charset=utf-16", "application/json; charset=koi8-r")
UNKNOWN = (
    "/",
    "/admin",
    "/.git/config",
    "/api",
    "/api/v1",
    "/api/v1/",
    "/api/v2/pools",
    "/api/v1/pools/x/y",
    "/wp-login.php",
)
TRAVERSAL = (
    *("/../../etc/passwd", "/api/v1/../../etc/passwd", "/api/v1/%2e%2e/%2e%2e/etc/passwd", "/api/docs/../../wsgi.py"),
    *("/api/docs/%2e%2e%2f%2e%2e%2fwsgi.py", "/api/v1/documents/protocols/..%2f..%2fetc", "/api/v1/tickets/1%00"),
    *(
        "/api/v1/pools/%00",
        "/api/v1/pools/%ff%fe",
        "/api/v1/pools/..;/totals",
        "/api/v1/tickets/-1",
        "/api/v1/tickets/1e3",
    ),
    *("/api/v1/tickets/99999999999999999999999", "/api/v1/pools/P1%0d%0aX-Injected:%20yes", "//api/v1//pools"),
)
QUERIES = (
    *("cursor=-1", "cursor=%27%20OR%201=1--", "cursor=99999999999999999999", "cursor=1e5", "cursor=", "limit=0"),
    *(
        "limit=-1",
        "limit=201",
        "limit=NaN",
        "limit=9999999999999999999999",
        "limit=1.5",
        "limit=1&limit=2",
        "unknown=1",
    ),
    *("day=2022-13-45", "day=0000-00-00", "day=9999-12-31", "status=%27", "pool=%00", "player_id=0", "desk_id=-7"),
    *("pool=%ed%a0%80", "cursor=%D9%A3%00", "limit[]=1", "status=won%0d%0aX-Injected:%20yes"),
)
KEYS = ("short", "A" * 129, "two words", "ключ-ключ-ключ", "';DROP TABLE x;--", "a\tb\tc\td\te", "%00%00%00%00", "")
FRAMES = (
    b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET /\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 \r\n\r\n",
    b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
    b"POST /api/v1/pool-bets HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    b"POST /api/v1/pool-bets HTTP/1.1\r\nHost: x\r\nContent-Length: 1e3\r\n\r\n",
    b"POST /api/v1/pool-bets HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    b"POST /api/v1/pool-bets HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-A: a\r\n folded\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX A: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-A: \x00\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: a\r\n" % number for number in range(150)) + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 9000 + b"\r\n\r\n",
    b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
)
