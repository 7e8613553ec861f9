from hoad.learning.names import name_in


def test_an_imitator_plays_for_an_agent_if_the_source_says_so() -> None:
    assert name_in("originals", "iggi") == "iggi"
    assert name_in("imitators", "iggi") == "imitator:iggi"
    assert name_in("imitators", "imitator:iggi") == "imitator:iggi"
    assert name_in("imitators", "imitator:my.safetensors") == "imitator:my.safetensors"
