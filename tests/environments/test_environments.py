"""What ``hoad.environments`` offers."""

import subprocess
import sys

import pytest

import hoad.environments
from tests.scripts import ROOT


def test_every_name_is_there() -> None:
    for name in hoad.environments.__all__:
        assert getattr(hoad.environments, name).__doc__
    with pytest.raises(AttributeError, match="absent"):
        _ = hoad.environments.absent


def test_importing_it_loads_nothing_optional() -> None:
    program = (
        "import sys, hoad.environments\n"
        "assert not {'gymnasium', 'pettingzoo', 'torch', 'numpy'} & set(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_what_is_not_installed_is_named() -> None:
    program = """
import sys
sys.modules |= {"gymnasium": None, "pettingzoo": None}  # as if neither was there
import hoad.environments
from hoad.core.errors import HoadError
for name in hoad.environments.__all__:
    try:
        getattr(hoad.environments, name)
    except HoadError as error:
        print(error)
"""

    told = subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, text=True)

    lines = told.splitlines()
    assert len(lines) == len(hoad.environments.__all__)
    assert all("pip install 'hoad[environments]'" in line for line in lines)
