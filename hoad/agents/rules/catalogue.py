"""The rules by number.

0 to 49 are those of Canaan et al. 2018, 50 to 104 those that their public rule base has since, 105
to 134 our own. A chromosome is a list of these numbers. Each rule is one row for the compiled
code: which function it asks, with which arguments, and under which condition.

The published program of rules 78 to 82 aborts the game where it finds no hint; here these rules
then do not fire. Rules 83 to 104 work in the first seat only, as in their program.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from hoad.agents.rules import comparing, discard, hinted, other, play, tell
from hoad.agents.rules.conditions import (
    ALL_LIVES,
    ALL_TOKENS,
    ALWAYS,
    DECK_EMPTY,
    DECK_UP_TO_10,
    FIRST_SEAT,
    LIVES_1,
    LIVES_ABOVE_1,
    TOKENS_BELOW_4,
    TOKENS_FROM_4,
    condition_words,
)
from hoad.agents.rules.hinted import ALONE, NEWEST, SPARING
from hoad.agents.situation import CERTAIN
from hoad.core.errors import HoadError


class Row(NamedTuple):
    """What the compiled code needs of a rule.

    Attributes:
        function: number of a function of the rule modules.
        first: its first argument, if any; often a probability in thousandths.
        second: its second argument, if any.
        condition: when it is asked (:mod:`hoad.agents.rules.conditions`).
    """

    function: int
    first: int = 0
    second: int = 0
    condition: int = ALWAYS


COLUMNS: Final = len(Row._fields)
"""How many numbers describe one rule to the compiled code."""


@dataclass(frozen=True)
class Rule:
    """One rule of the catalogue.

    Attributes:
        number: its number in chromosomes.
        name: its published name, or one of the same form.
        words: what it does, in one line.
        row: what the compiled code needs of it.
    """

    number: int
    name: str
    words: str
    row: Row


def _thousandths(probability: float) -> int:
    """Return a probability as the compiled rules take it."""
    return round(probability * CERTAIN)


def _only_if(condition: int, rule: Rule) -> Rule:
    when = condition_words(condition)
    row = rule.row._replace(condition=condition)
    return replace(rule, name=f"If({when}) {rule.name}", words=f"if {when}: {rule.words}", row=row)


def _if_at_least(chance: float) -> str:
    return f", if at least {chance:.0%} likely" if chance else ""


def _play_probably(number: int, chance: float) -> Rule:
    return Rule(
        number,
        f"PlayProbablySafeCard({chance})",
        "play the card likeliest to be playable" + _if_at_least(chance),
        Row(play.PLAY_PROBABLY_SAFE_CARD, _thousandths(chance)),
    )


def _discard_probably(number: int, chance: float) -> Rule:
    return Rule(
        number,
        f"DiscardProbablyUselessCard({chance})",
        "discard the card likeliest to be useless" + _if_at_least(chance),
        Row(discard.DISCARD_PROBABLY_USELESS_CARD, _thousandths(chance)),
    )


def _just_hinted(number: int, chance: float, options: int) -> Rule:
    alone, newest = bool(options & ALONE), bool(options & NEWEST)
    which = "newest card" if newest else "likeliest card"
    touched = "touched alone by a hint" if alone else "hinted"
    return Rule(
        number,
        f"JustHinted(single={alone}, newest={newest}, {chance})",
        f"play the {which} {touched} since the partner's last play or discard, if certain "
        f"(with 3 lives: at least {chance:.0%} likely)",
        Row(hinted.PLAY_JUST_HINTED, _thousandths(chance), options | SPARING),
    )


def _unambiguous_2(number: int, playable_weight: int, other_weight: int) -> Rule:
    return Rule(
        number,
        f"Unambiguous2({playable_weight}, {other_weight})",
        "give the hint that makes playable cards look playable "
        f"(weight {playable_weight}; others: {other_weight})",
        Row(comparing.TELL_UNAMBIGUOUS_2, playable_weight, other_weight),
    )


def _unambiguous_3(number: int, name: str) -> Rule:
    words = "tell about the playable card in the highest slot that is not fully known, colour first"
    return Rule(number, name, words, Row(tell.TELL_UNAMBIGUOUS_3))


def _at_least_useless(number: int, cards: int) -> Rule:
    words = f"show at least {cards} useless cards to be useless, if none is known to be yet"
    row = Row(comparing.TELL_AT_LEAST_N_USELESS, cards)
    return Rule(number, f"AtLeastNUseless({cards})", words, row)


def _false_positive(number: int, chance: float) -> Rule:
    name = f"ProbableMistake(false positive, {chance})"
    words = f"tell about the unplayable card that looks most playable, if at least {chance:.0%}"
    row = Row(tell.TELL_LIKELY_MISPLAY, _thousandths(chance))
    return _only_if(FIRST_SEAT, Rule(number, name, words, row))


def _false_negative(number: int, chance: float) -> Rule:
    name = f"ProbableMistake(false negative, {chance})"
    words = f"tell about the playable card that looks least playable, if at most {chance:.0%}"
    row = Row(tell.TELL_UNLIKELY_PLAY, _thousandths(chance))
    return _only_if(FIRST_SEAT, Rule(number, name, words, row))


_CHANCES: Final = (0.0, 0.2, 0.4, 0.6, 0.8)

# fmt: off
_ROWS = (
    Rule(0, "PlayFinesse", "never fires with two players", Row(play.NEVER_FIRES)),
    Rule(1, "PlayFinesseTold", "never fires with two players", Row(play.NEVER_FIRES)),
    Rule(2, "PlayIfCertain", "play a card that hints alone show to be playable",
         Row(play.PLAY_IF_CERTAIN)),
    *(_play_probably(3 + row, chance) for row, chance in enumerate(_CHANCES)),
    Rule(8, "PlaySafeCard", "play a card that is playable whatever unseen card it is",
         Row(play.PLAY_SAFE_CARD)),
    Rule(9, "PlayUniquePossibleCard", "play a card that a hint touched alone",
         Row(hinted.PLAY_UNIQUE_POSSIBLE_CARD)),
    Rule(10, "CompleteTellUsefulCard", "complete what is known of a playable card",
         Row(tell.COMPLETE_TELL_USEFUL_CARD)),
    Rule(11, "TellAboutOnes", "tell about a 1, rank first", Row(tell.TELL_ABOUT_ONES)),
    Rule(12, "TellAnyoneAboutOldestUsefulCard",
         "tell about the playable card in the highest slot, colour first",
         Row(tell.TELL_LAST_USEFUL_CARD)),
    Rule(13, "TellAnyoneAboutUsefulCard", "tell about a playable card, rank first",
         Row(tell.TELL_USEFUL_CARD)),
    Rule(14, "TellAnyoneAboutUselessCard", "tell about the first useless card, rank first",
         Row(tell.TELL_USELESS_CARD)),
    Rule(15, "TellDispensable", "tell what shows that a card has been played already",
         Row(tell.TELL_DISPENSABLE)),
    Rule(16, "TellFinesse", "never fires with two players", Row(play.NEVER_FIRES)),
    Rule(17, "TellFives", "tell that a card is a 5", Row(tell.TELL_FIVES)),
    Rule(18, "TellIllInformed",
         "tell about a playable card, or a useless one if a token is missing, rank first",
         Row(tell.TELL_ILL_INFORMED)),
    Rule(19, "TellMostInformation(total)", "give the hint that touches most cards",
         Row(comparing.TELL_MOST_INFORMATION)),
    Rule(20, "TellPlayableCard", "tell rank or colour, by chance, of the first playable card",
         Row(tell.TELL_PLAYABLE_CARD)),
    Rule(21, "TellPlayableCardOuter", "tell about a playable card, rank first (the same as 13)",
         Row(tell.TELL_USEFUL_CARD)),
    Rule(22, "TellRandomly", "tell rank or colour, by chance, of any card",
         Row(tell.TELL_RANDOMLY)),
    Rule(23, "TellUnknown", "tell about a card that is not fully known, colour first",
         Row(tell.TELL_UNKNOWN)),
    Rule(24, "DiscardHighest", "discard the card of the highest known rank",
         Row(discard.DISCARD_HIGHEST)),
    Rule(25, "DiscardIfCertain", "discard a card known to have been played already",
         Row(discard.DISCARD_IF_CERTAIN)),
    Rule(26, "DiscardLeastLikelyToBeNecessary", "discard the card least likely to be necessary",
         Row(discard.DISCARD_LEAST_LIKELY_TO_BE_NECESSARY)),
    Rule(27, "DiscardOldestFirst", "discard the oldest card", Row(discard.DISCARD_OLDEST_FIRST)),
    Rule(28, "DiscardOldestNoInfoFirst",
         "discard the first card in slot order of which nothing is known (the same as 36)",
         Row(discard.DISCARD_UNIDENTIFIED_CARD)),
    *(_discard_probably(29 + row, chance) for row, chance in enumerate(_CHANCES)),
    Rule(34, "DiscardRandomly", "discard any card, by chance", Row(discard.DISCARD_RANDOMLY)),
    Rule(35, "DiscardSafeCard", "discard a card known to be useless",
         Row(discard.DISCARD_SAFE_CARD)),
    Rule(36, "DiscardUnidentifiedCard",
         "discard the first card in slot order of which nothing is known",
         Row(discard.DISCARD_UNIDENTIFIED_CARD)),
    Rule(37, "DiscardUselessCard",
         "discard a card of known colour beyond what its firework can reach",
         Row(discard.DISCARD_USELESS_CARD)),
    Rule(38, "OsawaDiscard", "rule 35, else rule 37", Row(discard.OSAWA_DISCARD)),
    Rule(39, "LegalRandom", "any legal move, by chance", Row(other.LEGAL_RANDOM)),
    Rule(40, "TryToUnBlock", "regain a token for a partner who has no safe move",
         Row(other.TRY_TO_UNBLOCK)),
    Rule(41, "If(lives>1 and deck empty) PlayProbablySafeCard(0.0)",
         "never fires: the published program never sees an empty deck", Row(play.NEVER_FIRES)),
    Rule(42, "If(lives>1 and deck empty) PlayProbablySafeCard(0.1)",
         "never fires: the published program never sees an empty deck", Row(play.NEVER_FIRES)),
    *(_only_if(LIVES_ABOVE_1, _play_probably(43 + row, chance))
      for row, chance in enumerate(_CHANCES)),
    _only_if(TOKENS_BELOW_4, Rule(
        48, "TellDispensable", "tell what shows that a card has been played already",
        Row(tell.TELL_DISPENSABLE))),
    _play_probably(49, 0.25),
    # Published later, in the public rule base of Canaan et al.
    Rule(50, "JustHinted",
         "play the likeliest card hinted since the partner's last play or discard",
         Row(hinted.PLAY_JUST_HINTED)),
    *(_just_hinted(51 + 4 * row + column, chance, options)
      for row, chance in enumerate((0.0, 0.6, 0.8, 1.0))
      for column, options in enumerate((ALONE | NEWEST, ALONE, NEWEST, 0))),
    Rule(67, "Unambiguous(prefer playable)",
         "tell about the playable card that a hint confuses with most other playable cards",
         Row(comparing.TELL_UNAMBIGUOUS_MOST_PLAYABLE)),
    Rule(68, "Unambiguous(avoid unplayable)",
         "tell about the playable card that a hint confuses with fewest unplayable cards",
         Row(comparing.TELL_UNAMBIGUOUS_FEWEST_OTHERS)),
    _unambiguous_2(69, 1, 0),
    _unambiguous_2(70, 10, -1),
    _unambiguous_2(71, 2, -1),
    *(_unambiguous_3(72 + row, f"Unambiguous3({weights})") for row, weights in enumerate(
        ("1, 0", "0, -1", "2, -1", "1, -2", "10, -1", "1, -10"))),
    *(_at_least_useless(77 + cards, cards) for cards in range(1, 6)),
    *(_false_positive(83 + tenths, tenths / 10) for tenths in range(11)),
    *(_false_negative(94 + tenths, tenths / 10) for tenths in range(11)),
    # Our own.
    _play_probably(105, 0.5),
    _play_probably(106, 0.9),
    _play_probably(107, 1.0),
    _only_if(ALL_LIVES, _play_probably(108, 0.4)),
    _only_if(LIVES_1, Rule(
        109, "PlaySafeCard", "play a card that is playable whatever unseen card it is",
        Row(play.PLAY_SAFE_CARD))),
    _only_if(LIVES_ABOVE_1 | DECK_EMPTY, _play_probably(110, 0.0)),
    _only_if(LIVES_ABOVE_1 | DECK_UP_TO_10, _play_probably(111, 0.6)),
    _only_if(LIVES_ABOVE_1 | ALL_TOKENS, _play_probably(112, 0.4)),
    _only_if(LIVES_ABOVE_1, Rule(
        113, "PlayNewestJustHinted",
        "play the newest card that may be playable of those that the partner's last move hinted",
        Row(hinted.PLAY_NEWEST_JUST_HINTED))),
    _only_if(LIVES_ABOVE_1, Rule(
        114, "PlayBestJustHinted(0.4)",
        "play the likeliest card that the partner's last move hinted, if at least 40% likely",
        Row(hinted.PLAY_BEST_JUST_HINTED, _thousandths(0.4)))),
    _only_if(LIVES_ABOVE_1, Rule(
        115, "PlayNewestLastHinted",
        "play the newest card that may be playable of those that the last hint touched",
        Row(hinted.PLAY_NEWEST_LAST_HINTED))),
    Rule(116, "PlayNewestSafeCard",
         "play the newest card that is playable whatever unseen card it is",
         Row(play.PLAY_NEWEST_SAFE_CARD)),
    _only_if(ALL_LIVES, Rule(
        117, "PlayNewestCard", "play the newest card if it may be playable",
        Row(play.PLAY_NEWEST_CARD))),
    _only_if(LIVES_ABOVE_1, Rule(
        118, "PlayNewestUntouchedCard(0.2)",
        "play the newest card that no hint has touched, if at least 20% likely to be playable",
        Row(play.PLAY_NEWEST_UNTOUCHED_CARD, _thousandths(0.2)))),
    Rule(119, "TellUsefulCardColourFirst", "tell about a playable card, colour first",
         Row(tell.TELL_USEFUL_CARD_COLOUR_FIRST)),
    Rule(120, "TellNewestUsefulCard",
         "tell about the newest playable card not fully known, rank first",
         Row(tell.TELL_NEWEST_USEFUL_CARD)),
    Rule(121, "TellOldestUsefulCard",
         "tell about the oldest playable card not fully known, rank first",
         Row(tell.TELL_OLDEST_USEFUL_CARD)),
    Rule(122, "TellUselessCardColourFirst",
         "tell about a useless card that is not fully known, colour first",
         Row(tell.TELL_USELESS_CARD_COLOUR_FIRST)),
    Rule(123, "TellOldestUntouchedToSave",
         "tell about the oldest card that no hint has touched, if it is necessary, rank first",
         Row(tell.TELL_OLDEST_UNTOUCHED_TO_SAVE)),
    Rule(124, "TellToSave", "tell about a necessary card, rank first", Row(tell.TELL_TO_SAVE)),
    Rule(125, "TellMostInformation(new)",
         "give the hint that touches most cards whose attribute is unknown",
         Row(comparing.TELL_MOST_NEW_INFORMATION)),
    Rule(126, "TellSomethingNew",
         "give a hint, by chance, that says something new about a card it touches",
         Row(comparing.TELL_SOMETHING_NEW)),
    Rule(127, "TellUnmistakableUsefulCard",
         "tell about the newest playable card that a hint touches alone, rank first",
         Row(tell.TELL_UNMISTAKABLE_USEFUL_CARD)),
    Rule(128, "TellMostPlayableCards",
         "give the hint that touches most cards, all of them playable and one of them newly",
         Row(comparing.TELL_MOST_PLAYABLE_CARDS)),
    _only_if(ALL_TOKENS, Rule(
        129, "TellRandomly", "tell rank or colour, by chance, of any card",
        Row(tell.TELL_RANDOMLY))),
    _only_if(TOKENS_FROM_4, Rule(
        130, "TellAnyoneAboutUsefulCard", "tell about a playable card, rank first",
        Row(tell.TELL_USEFUL_CARD))),
    _discard_probably(131, 1.0),
    Rule(132, "DiscardOldestUnidentifiedCard", "discard the oldest card of which nothing is known",
         Row(discard.DISCARD_OLDEST_UNIDENTIFIED_CARD)),
    Rule(133, "DiscardOldestSurelyUselessCard",
         "discard the oldest card that is useless whatever unseen card it is",
         Row(discard.DISCARD_OLDEST_SURELY_USELESS_CARD)),
    _only_if(TOKENS_BELOW_4, Rule(
        134, "DiscardOldestFirst", "discard the oldest card", Row(discard.DISCARD_OLDEST_FIRST))),
)
# fmt: on

CATALOGUE: Final = {rule.number: rule for rule in _ROWS}
"""Every rule by its number."""


def find_rule(number: int) -> Rule:
    """Return the rule with this number.

    Raises:
        HoadError: the catalogue has no such number.
    """
    if number not in CATALOGUE:
        raise HoadError(f"unknown rule {number}; the catalogue has 0 to {max(CATALOGUE)}")
    return CATALOGUE[number]


def rule_parameters(rules: Sequence[int | Row]) -> np.ndarray:
    """Return what the compiled code needs of a list of rules, int64, flat.

    Rules that never fire are left out.

    Args:
        rules: numbers of the catalogue, or rows for rules that have no number.

    Raises:
        HoadError: a number is not in the catalogue.
    """
    rows = [rule if isinstance(rule, Row) else find_rule(rule).row for rule in rules]
    alive = [row for row in rows if row.function != play.NEVER_FIRES]
    return np.array(alive, dtype=np.int64).reshape(-1)
