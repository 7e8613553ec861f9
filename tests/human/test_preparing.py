"""The page while the game and the agents are compiled."""

import urllib.error
import urllib.request

import pytest

from hoad.human.door import address_of, listen, new_token
from hoad.human.preparing import preparing


def test_the_page_says_that_it_prepares_until_the_block_ends() -> None:
    token = new_token()
    with listen(0) as listening:
        address = address_of(listening, token)
        with preparing(listening, token):
            with urllib.request.urlopen(address, timeout=10) as answer:
                page = answer.read().decode()
            with urllib.request.urlopen(f"{address}style.css", timeout=10) as answer:
                assert b"--accent" in answer.read()
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(address.replace(token, "guess"), timeout=10)

        assert 'http-equiv="refresh"' in page and "Preparing" in page
        assert listening.fileno() != -1
        with preparing(listening, token), urllib.request.urlopen(address, timeout=10) as answer:
            assert answer.status == 200
