// The bot of simple_bot.py, in JavaScript: process:node examples/simple_bot.js

"use strict";

const lines = require("node:readline").createInterface({ input: process.stdin });
let seat, partner, hinted, fireworks, tokens;

function deal(told) {
  seat = told.seat;
  partner = told.hands[1 - seat]; // cards as [colour, rank], oldest first
  hinted = [Array(5).fill(false), Array(5).fill(false)];
  fireworks = Array(5).fill(0);
  tokens = 8;
}

function watch(move) {
  if (move.touched) {
    tokens -= 1;
    hinted[1 - move.player][move.touched[0]] = true;
    return;
  }
  const [colour, rank] = move.card;
  hinted[move.player].splice(move.position, 1);
  hinted[move.player].push(false); // without a deck, for a card that is not there
  if (move.player !== seat) {
    partner.splice(move.position, 1);
    if (move.drawn) partner.push(move.drawn);
  }
  const fits = move.type === "play" && rank === fireworks[colour];
  if (fits) fireworks[colour] += 1;
  if (tokens < 8 && (move.type === "discard" || (fits && rank === 4))) tokens += 1;
}

function act() {
  const position = hinted[seat].indexOf(true);
  if (position >= 0) return { type: "play", position };
  for (const [part, name] of tokens ? ["colour", "rank"].entries() : []) {
    for (let value = 0; value < 5; value++) {
      const oldest = partner.find((card) => card[part] === value);
      if (oldest && isWanted(oldest)) return { type: `hint_${name}`, [name]: value };
    }
  }
  if (tokens < 8) return { type: "discard", position: 0 };
  return { type: "hint_rank", rank: partner[0][1] };
}

// Whether a card of the partner fits, and no such card has been hinted.
function isWanted([colour, rank]) {
  const same = (card, place) =>
    hinted[1 - seat][place] && card[0] === colour && card[1] === rank;
  return rank === fireworks[colour] && !partner.some(same);
}

const answers = { hello: () => ({ name: "simple", version: "1" }), deal, move: watch, act };
lines.on("line", (line) => {
  const [[kind, told]] = Object.entries(JSON.parse(line));
  const answer = answers[kind]?.(told);
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
