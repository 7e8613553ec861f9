"""The address of a server, and the login to it."""

import ipaddress
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http.client import HTTPException
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import urlencode, urlsplit

from hoad.core.errors import HoadError
from hoad.core.files import one_line

PREFIX: Final = "Bot-"
"""How the name of every program begins; the server lets such players sit at several tables."""

_SECONDS: Final = 30
_REFUSED: Final = (401, 403)


@dataclass(frozen=True)
class Account:
    """A player's name, of a program (else a HoadError), and password, which it never shows."""

    name: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.name.startswith(PREFIX):
            raise HoadError(f"name {self.name!r}: names of programs begin with {PREFIX}")


@dataclass(frozen=True)
class Site:
    """A server, by the address at which a browser opens it: ``https://HOST`` or ``http://HOST``.

    Raises:
        HoadError: it is no such address; or the password would cross a network in clear.
    """

    address: str

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.address)
            _ = parts.port  # a ValueError if it is no number
        except ValueError as error:
            raise HoadError(f"{self.address}: {error}; expected https://HOST:PORT") from None
        # As it is written, because the properties below are made of it: urlsplit lowers the scheme.
        is_web = self.address.startswith(("http://", "https://"))
        if not is_web or not parts.hostname or parts.username or parts.query or parts.fragment:
            raise HoadError(f"{self.address}: expected an address such as https://HOST:PORT")
        if parts.scheme == "http" and not _is_this_machine(parts.hostname):
            raise HoadError(
                f"{self.address}: the password would be sent in clear; use https, or http for a "
                "server on this machine"
            )

    @property
    def is_secure(self) -> bool:
        """Whether the connection is encrypted."""
        return self.address.startswith("https:")

    @property
    def login(self) -> str:
        """Where a name and a password are exchanged for a cookie."""
        return f"{self.address.rstrip('/')}/login"

    @property
    def socket(self) -> str:
        """The address of the websocket."""
        return f"ws{self.address.removeprefix('http').rstrip('/')}/ws"

    def log_in(self, account: Account) -> str:
        """Return the cookie of a login, as a header's value. It waits for the server.

        The password goes to this address alone: no redirection is followed and, without TLS, no
        proxy is used.

        Raises:
            HoadError: name or password are wrong.
            OSError: the server does not answer, or its answer is no login; later it may be.
        """
        form = {"username": account.name, "password": account.password, "version": "bot"}
        request = urllib.request.Request(self.login, urlencode(form).encode())
        try:
            with self._opener().open(request, timeout=_SECONDS) as answer:
                cookie: SimpleCookie = SimpleCookie()
                for header in answer.headers.get_all("Set-Cookie", []):
                    cookie.load(header)
        except urllib.error.HTTPError as error:
            with error:
                if error.code not in _REFUSED:
                    raise OSError(f"the server answers {error.code}") from None
                reason = one_line(error.read(300).decode(errors="replace").strip()) or "no reason"
            raise HoadError(f"{self.login}: {account.name} is refused: {reason}") from None
        except (HTTPException, CookieError, ValueError) as error:
            what = f"{type(error).__name__} {error}"
            raise OSError(f"the server's answer to the login is not understood: {what}") from error
        if not cookie:
            raise OSError(f"{self.login}: no cookie came back; is it a hanabi-live server?")
        return "; ".join(f"{name}={morsel.coded_value}" for name, morsel in cookie.items())

    def _opener(self) -> urllib.request.OpenerDirector:
        """Return what opens the address as :meth:`log_in` says."""
        opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(None if self.is_secure else {}),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
        ):
            opener.add_handler(handler)
        return opener


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
