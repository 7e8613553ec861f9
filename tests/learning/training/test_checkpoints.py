"""Checkpoints, and those that are shipped."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from hoad.core.errors import AbsentError, HoadError
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.networks import Perceptron
from hoad.learning.training.checkpoints import (
    load_checkpoint,
    load_weights,
    narrow,
    read_header,
    save_checkpoint,
)
from hoad.learning.training.folder import write_metadata_file
from hoad.learning.training.loop import train_and_test
from hoad.learning.training.ship import ship
from tests.learning.training.test_loop import RECIPE, run_in

pytestmark = pytest.mark.usefixtures("without_pictures")
ABOUT = {"kind": "imitator", "step": 3}


@pytest.fixture
def network() -> Perceptron:
    torch.manual_seed(0)
    return Perceptron((8, 4))


@pytest.fixture
def path(tmp_path: Path, network: Perceptron) -> Path:
    path = tmp_path / "some" / "model.safetensors"
    save_checkpoint(path, network.state_dict(), ABOUT)
    return path


def test_narrow_weights_play_as_bfloat16_products_do(tmp_path, network):
    path = tmp_path / "narrow.safetensors"
    save_checkpoint(path, narrow(network.state_dict()), ABOUT)
    other = Perceptron((8, 4))
    load_weights(other, load_checkpoint(path)[0], path)
    observations = torch.randint(0, 2, (50, 658)).float()
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(network.eval()(observations), other.eval()(observations))


def test_a_checkpoint_cut_short_is_refused_wherever_it_is_cut(path):
    content = path.read_bytes()
    for length in (0, 1, 7, 8, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        for read in (load_checkpoint, read_header):
            with pytest.raises(HoadError, match=r"model\.safetensors: damaged"):
                read(path)


def test_a_flipped_bit_and_a_changed_digit_of_the_metadata_are_noticed(path):
    content = path.read_bytes()
    path.write_bytes(content[:-5] + bytes([content[-5] ^ 1]) + content[-4:])
    assert read_header(path) == ABOUT
    with pytest.raises(HoadError, match=r"model\.safetensors: damaged .*checksum"):
        load_checkpoint(path)

    path.write_bytes(content.replace(rb"\"step\": 3", rb"\"step\": 4"))
    for read in (load_checkpoint, read_header):
        with pytest.raises(HoadError, match=r"damaged checkpoint .*metadata"):
            read(path)


FORGED = '{"format": "hoad-checkpoint-1", "about": [], "about_checksum": "x"}'


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        (None, "not a checkpoint of HOAD"),
        ({"hoad": "[" * 100_000}, "damaged"),
        ({"hoad": "[]"}, "not a checkpoint"),
        ({"hoad": FORGED}, "damaged"),
    ],
)
def test_a_foreign_file_and_a_forged_header_are_refused(path, network, headers, told):
    save_file(network.state_dict(), path, headers)

    for read in (load_checkpoint, read_header):
        with pytest.raises(HoadError, match=rf"model\.safetensors: {told}"):
            read(path)


def test_a_missing_checkpoint_is_told_from_one_that_cannot_be_read(tmp_path):
    for read in (load_checkpoint, read_header):
        with pytest.raises(AbsentError, match=r"d\.safetensors: no such .*HOAD_CHECKPOINTS"):
            read(tmp_path / "d.safetensors")
    (tmp_path / "a.safetensors").mkdir()
    (tmp_path / "b.safetensors").symlink_to("b.safetensors")
    (tmp_path / "c.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid 0\n")
    complaints = {"a": "Is a directory", "b": "Too many levels", "c": "Git LFS"}
    for name, complaint in complaints.items():
        with pytest.raises(HoadError, match=complaint):
            load_checkpoint(tmp_path / f"{name}.safetensors")


@pytest.mark.parametrize(
    ("hidden", "layer"), [((9, 4), r"layers\.0\.bias"), ((8, 5), r"layers\.4\.bias")]
)
def test_another_shape_is_refused_by_layer(path, hidden, layer):
    weights, _ = load_checkpoint(path)
    with pytest.raises(HoadError, match=rf"model\.safetensors: .*another shape: {layer}"):
        load_weights(Perceptron(hidden), weights, path)


def test_what_was_saved_comes_back_and_half_precision_as_float32(path, network):
    tensors, about = load_checkpoint(path)
    assert about == ABOUT
    assert tensors.keys() == network.state_dict().keys()
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensors[name], tensor)

    save_checkpoint(path, {k: v.bfloat16() for k, v in network.state_dict().items()}, ABOUT)
    other = Perceptron((8, 4))
    load_weights(other, load_checkpoint(path)[0], path)
    for mine, theirs in zip(other.parameters(), network.parameters(), strict=True):
        assert mine.dtype == torch.float32
        assert torch.equal(mine, theirs.bfloat16().float())


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"kind": "maml", "recipe": {}}', "\x00\xff"])
def test_damaged_metadata_next_to_a_network_are_noticed(path, text):
    metadata = path.with_name("metadata.json")
    whole = {"kind": "imitator", "recipe": {}, "measures": {}, "made_with": {}}
    write_metadata_file(metadata, whole)
    load_checkpoint(path)
    metadata.write_text(text)

    with pytest.raises(HoadError, match=r"metadata\.json: .*restore it"):
        load_checkpoint(path)


def test_a_shipped_network_is_the_same_and_shipped_once_when_it_is_finished(tmp_path, logs):
    trained, shipped = tmp_path / "imitator" / "iggi", tmp_path / "shipped"
    train_and_test(ImitatorLearner(logs, RECIPE), run_in(trained), resume=False)

    folder = ship(trained, shipped)

    assert folder == shipped / "imitator" / "iggi"
    assert sorted(path.name for path in folder.iterdir()) == ["metadata.json", "model.safetensors"]
    for path in folder.iterdir():
        assert path.read_bytes() == (trained / path.name).read_bytes()
    with pytest.raises(HoadError, match="iggi: exists"):
        ship(trained, shipped)
    (trained / "metadata.json").unlink()
    with pytest.raises(HoadError, match="no metadata of this network"):
        ship(trained, tmp_path / "other")
