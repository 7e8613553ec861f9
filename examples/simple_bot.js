// The bot of simple_bot.py, in JavaScript: process:node examples/simple_bot.js

let seat, partner, fireworks, tokens, meant;

function choose() {
  if (meant !== undefined) return { type: "play", position: meant };
  for (const [part, name] of tokens ? ["colour", "rank"].entries() : []) {
    for (let value = 0; value < 5; value++) {
      const oldest = partner.find((card) => card?.[part] === value); // null: the deck is empty
      const fits = oldest && oldest[1] === fireworks[oldest[0]];
      if (fits) return { type: `hint_${name}`, [name]: value };
    }
  }
  return tokens < 8 ? { type: "discard", position: 0 } : { type: "hint_rank", rank: partner[0][1] };
}

function watch({ player, type, position, card, drawn, touched }) {
  meant = touched?.[0];
  if (touched) {
    tokens -= 1;
  } else {
    const fits = type === "play" && card[1] === fireworks[card[0]];
    if (fits) fireworks[card[0]] += 1;
    if (tokens < 8 && (type === "discard" || (fits && card[1] === 4))) tokens += 1;
    if (player !== seat) partner = [...partner.filter((_, at) => at !== position), drawn];
  }
}

const answer = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { hello, deal, act, move } = JSON.parse(line);
  if (hello) answer({ name: "simple", version: "2" });
  if (deal) {
    seat = deal.seat;
    partner = deal.hands[1 - seat]; // cards are [colour, rank], the oldest first
    [fireworks, tokens, meant] = [[0, 0, 0, 0, 0], 8, undefined];
  }
  if (act) answer(choose());
  if (move) watch(move);
});
