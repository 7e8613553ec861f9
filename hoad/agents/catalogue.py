"""The rules by number, as Canaan et al. 2018 list them.

A chromosome is a list of these numbers. A row gives the rule's function, its argument (a
probability in percent) and the condition under which it is asked.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.agents import discard_rules as discard
from hoad.agents import other_rules as other
from hoad.agents import play_rules as play
from hoad.agents import tell_rules as tell
from hoad.errors import HoadError

ALWAYS: Final = 0
NEVER: Final = 1
LIVES_ABOVE_1: Final = 2
LIVES_1: Final = 3
TOKENS_BELOW_4: Final = 4

COLUMNS: Final = 3
"""Numbers that describe one rule to the compiled code: function, argument, condition."""


@dataclass(frozen=True)
class Rule:
    """One row of the catalogue.

    Attributes:
        number: its number in chromosomes.
        name: its published name.
        words: what it does, in one line.
        function: which function of the rule modules it asks.
        argument: a probability in percent, for rules that have one.
        condition: when it is asked.
    """

    number: int
    name: str
    words: str
    function: int
    argument: int = 0
    condition: int = ALWAYS


def _play_probably(number: int, percent: int, condition: int = ALWAYS) -> Rule:
    name = f"PlayProbablySafeCard({percent / 100:g})"
    words = f"play the card likeliest to be playable, if at least {percent} % likely"
    if condition == LIVES_ABOVE_1:
        name, words = f"If(lives>1) {name}", f"with two or three lives: {words}"
    if condition == NEVER:
        name = f"If(lives>1 and deck empty) {name}"
        words = f"never fires (its program never sees an empty deck): {words}"
    return Rule(number, name, words, play.PLAY_PROBABLY_SAFE_CARD, percent, condition)


def _discard_probably(number: int, percent: int) -> Rule:
    return Rule(
        number,
        f"DiscardProbablyUselessCard({percent / 100:g})",
        f"discard the card likeliest to be useless, if at least {percent} % likely",
        discard.DISCARD_PROBABLY_USELESS_CARD,
        percent,
    )


# fmt: off
_ROWS = (
    Rule(0, "PlayFinesse", "never fires with two players", play.PLAY_FINESSE),
    Rule(1, "PlayFinesseTold", "never fires with two players", play.PLAY_FINESSE),
    Rule(2, "PlayIfCertain", "play a card that hints alone show to be playable",
         play.PLAY_IF_CERTAIN),
    _play_probably(3, 0),
    _play_probably(4, 20),
    _play_probably(5, 40),
    _play_probably(6, 60),
    _play_probably(7, 80),
    Rule(8, "PlaySafeCard", "play a card that is playable whatever unseen card it is",
         play.PLAY_SAFE_CARD),
    Rule(9, "PlayUniquePossibleCard", "play a card that a hint touched alone",
         play.PLAY_UNIQUE_POSSIBLE_CARD),
    Rule(10, "CompleteTellUsefulCard", "complete what is known of a playable card",
         tell.COMPLETE_TELL_USEFUL_CARD),
    Rule(11, "TellAboutOnes", "tell about a 1, rank first", tell.TELL_ABOUT_ONES),
    Rule(12, "TellAnyoneAboutOldestUsefulCard",
         "tell about the playable card in the highest slot, colour first",
         tell.TELL_OLDEST_USEFUL_CARD),
    Rule(13, "TellAnyoneAboutUsefulCard", "tell about a playable card, rank first",
         tell.TELL_USEFUL_CARD),
    Rule(14, "TellAnyoneAboutUselessCard", "tell about the first useless card, rank first",
         tell.TELL_USELESS_CARD),
    Rule(15, "TellDispensable", "tell what shows that a card has been played already",
         tell.TELL_DISPENSABLE),
    Rule(16, "TellFinesse", "never fires with two players", play.PLAY_FINESSE),
    Rule(17, "TellFives", "tell that a card is a 5", tell.TELL_FIVES),
    Rule(18, "TellIllInformed",
         "tell about a playable card, or a useless one if a token is missing, rank first",
         tell.TELL_ILL_INFORMED),
    Rule(19, "TellMostInformation(total)", "give the hint that touches most cards",
         tell.TELL_MOST_INFORMATION),
    Rule(20, "TellPlayableCard", "tell rank or colour, by chance, of the first playable card",
         tell.TELL_PLAYABLE_CARD),
    Rule(21, "TellPlayableCardOuter", "tell about a playable card, rank first (the same as 13)",
         tell.TELL_USEFUL_CARD),
    Rule(22, "TellRandomly", "tell rank or colour, by chance, of any card", tell.TELL_RANDOMLY),
    Rule(23, "TellUnknown", "tell about a card that is not fully known, colour first",
         tell.TELL_UNKNOWN),
    Rule(24, "DiscardHighest", "discard the card of the highest known rank",
         discard.DISCARD_HIGHEST),
    Rule(25, "DiscardIfCertain", "discard a card known to have been played already",
         discard.DISCARD_IF_CERTAIN),
    Rule(26, "DiscardLeastLikelyToBeNecessary", "discard the card least likely to be necessary",
         discard.DISCARD_LEAST_LIKELY_TO_BE_NECESSARY),
    Rule(27, "DiscardOldestFirst", "discard the oldest card", discard.DISCARD_OLDEST_FIRST),
    Rule(28, "DiscardOldestNoInfoFirst",
         "discard the first card in slot order of which nothing is known (the same as 36)",
         discard.DISCARD_UNIDENTIFIED_CARD),
    _discard_probably(29, 0),
    _discard_probably(30, 20),
    _discard_probably(31, 40),
    _discard_probably(32, 60),
    _discard_probably(33, 80),
    Rule(34, "DiscardRandomly", "discard any card, by chance", discard.DISCARD_RANDOMLY),
    Rule(35, "DiscardSafeCard", "discard a card known to be useless", discard.DISCARD_SAFE_CARD),
    Rule(36, "DiscardUnidentifiedCard",
         "discard the first card in slot order of which nothing is known",
         discard.DISCARD_UNIDENTIFIED_CARD),
    Rule(37, "DiscardUselessCard",
         "discard a card of known colour beyond what its firework can reach",
         discard.DISCARD_USELESS_CARD),
    Rule(38, "OsawaDiscard", "rule 35, else rule 37", discard.OSAWA_DISCARD),
    Rule(39, "LegalRandom", "any legal move, by chance", other.LEGAL_RANDOM),
    Rule(40, "TryToUnBlock", "regain a token for a partner who has no safe move",
         other.TRY_TO_UNBLOCK),
    _play_probably(41, 0, NEVER),
    _play_probably(42, 10, NEVER),
    _play_probably(43, 0, LIVES_ABOVE_1),
    _play_probably(44, 20, LIVES_ABOVE_1),
    _play_probably(45, 40, LIVES_ABOVE_1),
    _play_probably(46, 60, LIVES_ABOVE_1),
    _play_probably(47, 80, LIVES_ABOVE_1),
    Rule(48, "If(tokens<4) TellDispensable",
         "with fewer than 4 tokens: tell what shows that a card has been played already",
         tell.TELL_DISPENSABLE, 0, TOKENS_BELOW_4),
    _play_probably(49, 25),
    Rule(109, "If(lives=1) PlaySafeCard",
         "with one life: play a card that is playable whatever unseen card it is",
         play.PLAY_SAFE_CARD, 0, LIVES_1),
    Rule(125, "TellMostInformation(new)",
         "give the hint that touches most cards whose attribute is unknown",
         tell.TELL_MOST_NEW_INFORMATION),
    _discard_probably(131, 100),
)
# fmt: on

CATALOGUE: Final = {rule.number: rule for rule in _ROWS}
"""Every rule by its number."""


def rule_parameters(chromosome: tuple[int, ...]) -> np.ndarray:
    """Return what the compiled code needs of a list of rule numbers, int64, flat.

    Raises:
        HoadError: a number is not in the catalogue.
    """
    unknown = [number for number in chromosome if number not in CATALOGUE]
    if unknown:
        numbers = ", ".join(map(str, sorted(CATALOGUE)))
        raise HoadError(f"unknown rule {unknown[0]}; the catalogue has {numbers}")
    rules = [CATALOGUE[number] for number in chromosome]
    rows = [(rule.function, rule.argument, rule.condition) for rule in rules]
    return np.array(rows, dtype=np.int64).reshape(-1)
