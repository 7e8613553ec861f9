"""A bot for HOAD in plain Python: process:python examples/simple_bot.py (docs/process.md).

A hint means "play the oldest card that it touches". Without one, it hints so, or discards.
"""

import json
import sys


def choose():
    if meant is not None:
        return {"type": "play", "position": meant}
    for part, name in enumerate(("colour", "rank") if tokens else ()):
        for value in range(5):
            oldest = next((card for card in partner if card[part] == value), None)
            if oldest and oldest[1] == fireworks[oldest[0]]:
                return {"type": f"hint_{name}", name: value}
    if tokens < 8:
        return {"type": "discard", "position": 0}
    return {"type": "hint_rank", "rank": partner[0][1]}


for line in sys.stdin:
    match json.loads(line):
        case {"hello": _}:
            print('{"name": "simple", "version": "2"}', flush=True)
        case {"deal": {"seat": seat, "hands": hands}}:  # cards are [colour, rank], the oldest first
            partner, fireworks, tokens, meant = hands[1 - seat], [0] * 5, 8, None
        case {"act": _}:
            print(json.dumps(choose()), flush=True)
        case {"move": {"touched": [meant, *_]}}:
            tokens -= 1
        case {"move": {"card": [colour, rank]} as move}:
            meant, fits = None, move["type"] == "play" and rank == fireworks[colour]
            fireworks[colour] += fits
            tokens += tokens < 8 and (move["type"] == "discard" or (fits and rank == 4))
            if move["player"] != seat:
                del partner[move["position"]]
                partner += [move["drawn"]] if move["drawn"] else []
