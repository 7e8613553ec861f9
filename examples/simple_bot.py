"""A bot for HOAD in plain Python: process:python examples/simple_bot.py

A hint means "play the oldest card that it touches": it plays that card, gives such hints, and else
discards its oldest card. It needs nothing of HOAD, and talks to it by docs/process.md.
"""

import json
import sys


class Game:
    def __init__(self, seat, hands, first):
        self.seat, self.partner = seat, hands[1 - seat]  # cards as [colour, rank], oldest first
        self.hinted = [[False] * 5, [False] * 5]
        self.fireworks, self.tokens = [0] * 5, 8

    def watch(self, player, type, position=None, card=None, drawn=None, touched=(), **_):
        if type in ("play", "discard"):
            del self.hinted[player][position]
            self.hinted[player].append(False)  # without a deck, for a card that is not there
            if player != self.seat:
                del self.partner[position]
                self.partner += [drawn] if drawn else []
            fits = type == "play" and card[1] == self.fireworks[card[0]]
            self.fireworks[card[0]] += fits
            self.tokens += self.tokens < 8 and (type == "discard" or (fits and card[1] == 4))
        else:
            self.tokens -= 1
            self.hinted[1 - player][touched[0]] = True

    def act(self):
        if True in self.hinted[self.seat]:
            return {"type": "play", "position": self.hinted[self.seat].index(True)}
        for part, name in enumerate(("colour", "rank") if self.tokens else ()):
            for value in range(5):
                oldest = next((card for card in self.partner if card[part] == value), None)
                if oldest and self.is_wanted(oldest):
                    return {"type": f"hint_{name}", name: value}
        if self.tokens < 8:
            return {"type": "discard", "position": 0}
        return {"type": "hint_rank", "rank": self.partner[0][1]}

    def is_wanted(self, card):
        """Return whether a card of the partner fits, and no such card has been hinted."""
        hinted = zip(self.partner, self.hinted[1 - self.seat], strict=False)
        return card[1] == self.fireworks[card[0]] and (card, True) not in hinted


for line in sys.stdin:
    [(kind, told)] = json.loads(line).items()
    if kind == "hello":
        print(json.dumps({"name": "simple", "version": "1"}), flush=True)
    elif kind == "deal":
        game = Game(**told)
    elif kind == "move":
        game.watch(**told)
    elif kind == "act":
        print(json.dumps(game.act()), flush=True)
