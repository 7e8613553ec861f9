"""What happens before games: who asks the agent to which table, and what it answers."""

from collections.abc import Iterable, Mapping
from typing import Final

from hoad.live.protocol import Chat, TableInfo, refusal

HOW_TO: Final = (
    'Open a table for two players with the variant "No Variant", then send me "/join" or, if the '
    'table has a password, "/join PASSWORD".'
)


def invitation(chat: Chat, me: str) -> str | None:
    """Return what a private message to ``me`` says after its slash; None for other messages."""
    for_me = chat.recipient == me and chat.who != me
    return chat.msg[1:].strip() if for_me and chat.msg.startswith("/") else None


def find_table(tables: Iterable[TableInfo], player: str) -> TableInfo | None:
    """Return the table that waits for players and at which a player sits."""
    waiting = (table for table in tables if not (table.running or table.replay or table.joined))
    return next((table for table in waiting if player in table.players), None)


def answer_to(
    words: str, player: str, tables: Mapping[int, TableInfo]
) -> tuple[TableInfo, str] | str:
    """Return the table to join and its password, or a line that says what is missing."""
    command, _, password = words.partition(" ")
    if command != "join":
        return HOW_TO
    table = find_table(tables.values(), player)
    if table is None:
        return f"I see no table at which you wait for players. {HOW_TO}"
    reason = refusal({"variantName": table.variant}, len(table.players) + 1)
    return f"Sorry, I cannot join. {reason}" if reason else (table, password.strip())
