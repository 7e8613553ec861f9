// A game of Hanabi as elements: the table, the log, what stands beside it, and the steps of a
// replay. The page of play.py, its review of a game, and pages of watched games use it.
"use strict";

const COLOURS = ["red", "yellow", "green", "white", "blue"];
const COPIES = [3, 2, 2, 2, 1];
const PLAY = 5, COLOUR_HINT = 10, RANK_HINT = 15;
const TOKENS = 8, LIVES = 3;
const DRAWN_POINTS = 4; // of the intervals of a search

// One shape for each colour, so that no colour is told by its tint alone.
const SUITS = [
  "M12 1 22 12 12 23 2 12Z",
  "m12 1 3.2 7.4 8 .7-6.1 5.2 1.9 7.8-7-4.2-7 4.2 1.9-7.8L.8 9.1l8-.7Z",
  "M12 2 23 21.5H1Z",
  "M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22Zm0 5.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z",
  "M2.5 2.5h19v19h-19Z",
];

// ---- elements

const element = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

function suit(colour, extra = "") {
  const space = "http://www.w3.org/2000/svg";
  const node = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  const attributes = { class: `suit ${extra}`, viewBox: "0 0 24 24", "aria-hidden": "true" };
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  path.setAttribute("d", SUITS[colour]);
  path.setAttribute("fill-rule", "evenodd");
  node.append(path);
  return node;
}

const quiet = (text, tag = "p") => make(tag, { class: "quiet" }, text);
const box = (title, attributes, ...content) =>
  make("section", { class: "box", ...attributes }, title ? make("h2", {}, title) : null, ...content);
const cardName = (card) => `${COLOURS[Math.floor(card / 5)]} ${card % 5 + 1}`;
const shortName = (agent) => agent.replace(/[^:+]*\//g, ""); // without the folders of its files
const percent = (share) => share > 0 && share < 0.005 ? "<1%" : `${Math.round(100 * share)}%`;

function sign(card) {
  return make("span", { class: `sign sign-${Math.floor(card / 5)}`, title: cardName(card) },
    suit(Math.floor(card / 5)), make("b", {}, `${card % 5 + 1}`));
}

// Show these elements, and leave in the document those that are there already.
function place(parent, nodes) {
  for (const child of [...parent.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] || null);
  });
}

// Run what shows the page again; the element with the focus and the place in a log stay.
function keepingPlace(show) {
  const focused = document.activeElement && document.activeElement.dataset.key;
  const log = document.querySelector(".moves"), top = log ? log.scrollTop : 0, length = log ? log.children.length : 0;
  show();
  const now = document.querySelector(".moves");
  if (now && now.children.length === length) now.scrollTop = top;
  if (now) showRow(now, now.querySelector("[aria-current], .later:last-child"));
  const again = focused && document.querySelector(`[data-key="${focused}"]`);
  if (again) again.focus({ preventScroll: true });
}

// Scroll a log, and nothing else, until a row and two neighbours are in sight.
function showRow(log, row) {
  if (!row) return;
  const top = row.offsetTop - log.offsetTop, height = row.offsetHeight;
  const least = top + 3 * height - log.clientHeight, most = top - 2 * height;
  log.scrollTop = Math.max(least, Math.min(most, log.scrollTop));
}

// ---- moves

function moveName(move) {
  if (move >= RANK_HINT) return `hint ${move - RANK_HINT + 1}`;
  if (move >= COLOUR_HINT) return `hint ${COLOURS[move - COLOUR_HINT]}`;
  return `${move < PLAY ? "discard" : "play"} card ${move % PLAY + 1}`;
}

// Who made a move, what it was, and what it showed; positions count from 1.
function moveWords(made, names, plain = false) {
  const name = names[made.seat];
  const who = [make("span", { class: "who" }, name), " "];
  const did = name === "You" ? moveName(made.move) : moveName(made.move).replace(" ", "s ");
  if (made.move >= COLOUR_HINT) {
    const cards = made.touched.map((position) => position + 1).join(", ");
    return [...who, make("b", {}, did), ` (card${made.touched.length === 1 ? "" : "s"} ${cards})`];
  }
  const result = made.move < PLAY ? "" : made.fitted ? "\u00a0✓" : "\u00a0✗ life lost"; // on the line of the card
  return [...who, `${did}: `, plain ? cardName(made.card) : sign(made.card), result];
}

const moveText = (made, names) => make("span", {}, moveWords(made, names, true)).textContent;

// ---- cards

function knowledge(held) {
  const among = (values, names) => values.length === 5 ? "anything" : values.map(names).join(" or ");
  return `${among(held.colours, (c) => COLOURS[c])}; ${among(held.ranks, (r) => r + 1)}`;
}

// A game is {position, made, names (by seat), me (the seat below), choices, notes, note (writes
// one; null for nobody), isOpen (all cards are seen: what is known of them is told)}.
function cardNode(held, index, whose, isOldest, game) {
  const open = held.card !== null;
  const colour = open ? Math.floor(held.card / 5) : held.colours.length === 1 ? held.colours[0] : null;
  const rank = open ? held.card % 5 : held.ranks.length === 1 ? held.ranks[0] : null;
  const values = (hinted, left, show) => make("span", { class: `values ${hinted ? "hinted" : ""}` },
    [0, 1, 2, 3, 4].map((value) =>
      make("span", { class: left.includes(value) ? "" : "out" }, show(value))));
  const note = game.notes[held.id] || "";
  const known = game.isOpen ? held.known : "";
  const said = [
    `${whose} card ${index + 1}${open ? `, ${cardName(held.card)}` : ""}.`,
    `Known from hints: ${knowledge(held)}.`,
    held.touched && "Touched by the last hint.", held.drawn && "Just drawn.",
    held.critical && "The last copy, still needed.", isOldest && "The oldest card without a hint.",
    known && `Its holder can tell: ${known}.`, note && `Note: ${note}`,
  ];
  const key = `note-${held.id}`;
  return make("div", {
    class: `card ${held.touched ? "touched" : ""}`, role: "group", "aria-label": said.filter(Boolean).join(" "),
    "data-card": open ? held.card : "hidden",
  },
    make("span", { class: `face ${colour === null ? "" : `tint-${colour}`}` },
      make("span", { class: "rank" }, rank === null ? (colour === null ? "?" : "–") : `${rank + 1}`),
      colour === null ? null : suit(colour)),
    isOldest ? make("span", { class: "tag oldest", title: "The oldest card without a hint" }, "oldest") : null,
    held.drawn ? make("span", { class: "tag new" }, "new") : null,
    held.critical ? make("span", { class: "critical", title: "The last copy, still needed" }, "!") : null,
    known ? make("span", { class: "known" }, known) : null,
    note && !game.note ? make("span", { class: "note", title: note }, note) : null,
    game.note ? make("button", {
      type: "button", class: `note ${note ? "" : "empty"}`, "data-key": key, "data-note": held.id,
      title: note || "Write a note on this card",
      "aria-label": `${note ? `Note: ${note}. Change` : "Write"} the note on ${whose.toLowerCase()} card ${index + 1}`,
      onclick: () => game.note(held.id, `${whose} card ${index + 1}`, note),
    }, note || "✎") : null,
    make("span", { class: "knows", title: `Known from hints: ${knowledge(held)}` },
      values(held.colour_hinted, held.colours, (c) => suit(c, `sign-${c}`)),
      values(held.rank_hinted, held.ranks, (r) => `${r + 1}`)));
}

function handBox(seat, id, game, buttons = () => []) {
  const { position, names } = game;
  const mine = names[seat] === "You";
  const whose = mine ? "Your" : `${names[seat]}'s`, hand = position.hands[seat];
  const oldest = hand.findIndex((held) => !held.colour_hinted && !held.rank_hinted);
  const cards = hand.map((held, index) => make("div", { class: "held" },
    cardNode(held, index, whose, index === oldest, game), ...buttons(index)));
  return make("section", { class: "box", id, "aria-label": `${whose} hand` },
    make("h2", {}, `${whose} hand `, quiet(position.current === seat && !position.over ? "to move" : "", "span")),
    make("div", { class: "hand" }, cards));
}

// ---- the table

function pips(left, all, sign) {
  return make("span", { class: "pips", "aria-hidden": "true" }, sign.repeat(left),
    make("span", { class: "used" }, sign.repeat(all - left)));
}

// The score that the discards still allow.
function mostPoints(position) {
  return position.fireworks.reduce((points, height, colour) => {
    let reach = height;
    while (reach < 5 && position.discards[5 * colour + reach] < COPIES[reach]) reach += 1;
    return points + reach;
  }, 0);
}

function tableBox({ position, made }) {
  const recent = made.slice(-1).filter((move) => move.card !== null)[0];
  const fireworks = position.fireworks.map((height, colour) => make("div", {
    class: `pile ${height ? `tint-${colour}` : "none"} ` +
      `${recent && recent.fitted && Math.floor(recent.card / 5) === colour ? "last" : ""}`,
    role: "img", "aria-label": `${COLOURS[colour]} firework: ${height}`,
  }, make("span", { class: "rank" }, height || "–"), suit(colour, height ? "" : `sign-${colour}`)));
  const most = mostPoints(position), turns = position.last_turns;
  const number = (name, value, title, extra) => make("span", { title },
    `${name} `, make("b", { "data-count": name }, `${value}`), extra ? " " : "", extra || "");
  return box(null, { id: "table", "aria-label": "Fireworks" },
    make("div", { class: "fireworks" }, fireworks),
    make("div", { class: "counts" },
      number("Score", position.score, "Cards on the fireworks", make("span", { class: "quiet" }, `of ${most}`)),
      number("Hints", position.tokens, "Hint tokens", pips(position.tokens, TOKENS, "●")),
      number("Lives", position.lives, "Lives", pips(position.lives, LIVES, "♥")),
      turns === null ? number("Deck", position.deck, "Cards in the deck") : number("Turns left", turns, "The deck is empty"),
      turns === null ? number("Pace", position.score + position.deck + 2 - most,
        "How many cards may still be discarded before the deck is too short for the highest score") : null));
}

function discardBox({ position, made }) {
  const last = made.slice(-1).filter((move) => move.card !== null && !move.fitted)[0];
  const rows = COLOURS.map((name, colour) => make("div", {}, suit(colour, `sign-${colour}`),
    [0, 1, 2, 3, 4].flatMap((rank) => {
      const card = 5 * colour + rank;
      return Array.from({ length: position.discards[card] }, (_, copy) => make("span", {
        class: `gone sign-${colour} ${last && last.card === card && copy === 0 ? "last" : ""}`,
        title: cardName(card),
      }, `${rank + 1}`));
    })));
  return box("Discards", { id: "discards" }, make("div", { class: "discards" }, rows));
}

// All moves, the latest first; the partner's last one is marked.
function logBox({ made, names, me }) {
  return movesBox(made.map((move, index) =>
    make("li", { class: move.seat !== me && index >= made.length - 2 ? "marked" : "" }, logWords(move, index, names))));
}

// All moves of a replay: the one before the turn shown is marked, later ones are faint, and a click
// goes to the turn after a move.
function replayLogBox({ made, names, turn }, go) {
  return movesBox(made.map((move, index) => make("li", {
    class: index >= turn ? "later" : index === turn - 1 ? "marked" : "", "aria-current": index === turn - 1 ? "step" : null,
  }, make("button", { type: "button", "data-key": `log-${index}`, onclick: () => go(index + 1) }, logWords(move, index, names)))));
}

const logWords = (move, index, names) => [make("i", {}, `${index + 1}`), make("span", {}, moveWords(move, names))];

function movesBox(rows) {
  return box("Log", { id: "log" },
    make("ol", { class: "moves", tabindex: 0, "aria-label": "Moves, the latest first" }, rows.length ? rows.reverse() : make("li", {}, quiet("no move yet", "span"))));
}

// ---- beside the table

const switches = { belief: true, odds: true, thought: false, ...JSON.parse(stored("hoad-panels") || "{}") };

// A page that is opened as a file may have no storage.
function stored(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    localStorage.setItem(key, value);
  } catch { /* the choice lasts as long as the page */ }
  return null;
}

function panel(key, title, changed, ...content) {
  const input = make("input", {
    type: "checkbox", role: "switch", "data-key": `switch-${key}`, checked: switches[key],
    onchange: (event) => {
      switches[key] = event.target.checked;
      stored("hoad-panels", JSON.stringify(switches));
      changed();
    },
  });
  return make("section", { class: "box", id: `panel-${key}` },
    make("label", { class: "switch" }, input, title), ...(switches[key] ? content.flat() : []));
}

function bars(rows, chosen = null) {
  return make("div", { class: "bars" }, rows.flatMap(([name, share]) => {
    const bar = make("i", { class: name === chosen ? "chosen" : "" });
    bar.style.width = `${100 * share}%`;
    return [make("span", { class: "name" }, name), make("span", { class: "bar", "aria-hidden": "true" }, bar),
      make("span", { class: "number" }, percent(share))];
  }));
}

// Of shares by name: the three largest, and more of them up to eight that matter.
function beliefBars(shares) {
  return bars([...shares].sort((a, b) => b[1] - a[1])
    .filter(([, share], index) => index < 3 || (index < 8 && share > 0.001)));
}

function oddsGrids(odds) {
  return make("div", { class: "grids" }, odds.map((shares, index) => {
    const likeliest = shares.indexOf(Math.max(...shares));
    const cells = shares.map((share, card) => {
      const fill = make("b", { class: `tint-${Math.floor(card / 5)}` });
      fill.style.opacity = share ? Math.min(1, 0.15 + 2 * share) : 0;
      return make("i", { class: share ? "" : "out", title: `${cardName(card)}: ${percent(share)}` }, fill);
    });
    return make("div", {},
      make("div", { class: "grid", role: "img", "aria-label": `Card ${index + 1}: most likely ${cardName(likeliest)}, ${percent(shares[likeliest])}` }, cells),
      make("div", { class: "best" }, sign(likeliest), ` ${percent(shares[likeliest])}`));
  }));
}

const ODDS_LEGEND = "A row is a colour, a column a rank from 1 to 5; the stronger, the likelier.";

// What a player's cards may be: as it sees them, or, if shared, as its partner knows that it can tell.
function handOdds(seat, names, odds, isShared) {
  const owner = names[seat], partner = names[1 - seat], it = owner === "You" ? "you" : "it";
  const knows = partner === "You" ? "you know" : `${partner} knows`;
  const view = isShared ? `${knows} that ${it} can tell` : owner === "You" ? "you see them" : "it sees them";
  return [make("h3", {}, `${owner === "You" ? "Your" : `${owner}'s`} cards, as ${view}`), oddsGrids(odds)];
}

// Why the move with the highest mean is not made.
const whyNot = (best, made) => `${moveName(best.move)} has the highest mean, but of ${best.rollouts} rollouts only, ` +
  `in which ${moveName(made.move)} did as well or better; it had ${made.rollouts}.`;

// Mean scores of a search's moves with 95 % intervals; what is far below the best is not drawn.
function candidateBars(candidates, made) {
  const low = candidates.map((one) => one.mean - (one.half_width ?? 0)), high = candidates.map((one) => one.mean + (one.half_width ?? 0));
  const most = Math.max(...high), least = Math.max(Math.min(...low), most - DRAWN_POINTS), range = most - least || 1;
  const left = (value) => `${100 * (value - least) / range}%`;
  return make("div", { class: "bars intervals" }, candidates.flatMap((one, index) => {
    const interval = make("i", { class: one.move === made ? "chosen" : "" }), mean = make("b", {});
    interval.style.left = left(low[index]);
    interval.style.width = `${100 * (high[index] - low[index]) / range}%`;
    mean.style.left = left(one.mean);
    const number = one.half_width === null ? one.mean.toFixed(2) : `${one.mean.toFixed(2)} ± ${one.half_width.toFixed(2)}`;
    return [make("span", { class: `name ${one.move === made ? "made" : ""}` }, moveName(one.move)),
      make("span", { class: `bar ${one.move === made ? "made" : ""}`, "aria-hidden": "true" }, interval, mean),
      make("span", { class: "number", title: `${one.rollouts} rollouts` }, number)];
  }));
}

// What an agent thought before a move.
function thoughtNodes(thought, made) {
  const { moves, candidates, partner, odds } = thought, nodes = [];
  if (candidates.length) {
    const best = candidates[0], chosen = candidates.find((one) => one.move === made);
    nodes.push(make("h3", {}, "Score that it expects of each move"),
      quiet("Mean and 95 % interval of its rollouts; the move that it makes is marked."),
      candidateBars(candidates, made));
    if (chosen && chosen !== best) nodes.push(make("p", { class: "why" }, whyNot(best, chosen)));
  } else if (moves.length) {
    nodes.push(make("h3", {}, "How likely it makes each move"),
      bars(moves.slice(0, 8).map(([move, share]) => [moveName(move), share]), made === null ? null : moveName(made)));
  }
  if (partner.length) nodes.push(make("h3", {}, "Who its partner is, as it believes"), beliefBars(partner));
  const view = candidates.length ? "as it believes" : "as it sees them"; // a search draws hands from its belief
  if (odds.length) nodes.push(make("h3", {}, `Its cards, ${view}`), oddsGrids(odds), quiet(ODDS_LEGEND));
  return nodes;
}

// ---- a replay

// A replay is {positions, made, odds, shared_odds, names, me, notes, turn, slider, goOn (shows the next
// game when a run is at the end; undefined for none)}.
function replayGame(replay) {
  const made = replay.made.slice(0, replay.turn);
  return { position: replay.positions[replay.turn], made, names: replay.names, me: replay.me, notes: replay.notes, note: null, isOpen: true };
}

function sliderBox(replay, show) {
  const last = replay.positions.length - 1;
  const step = (key, label, text, to) => make("button", {
    type: "button", "aria-label": label, title: label, "data-key": key, onclick: () => goTo(replay, to(), show),
  }, text);
  const run = make("button", {
    type: "button", "data-key": "run", "aria-label": "Let the game run", title: "Let the game run, a move a second",
    onclick: () => { replay.timer ? stopRunning(replay) : startRunning(replay, show); show(); },
  }, "▶▶");
  return box(null, { id: "steps", "aria-label": "Turn by turn" }, make("div", { class: "slider" },
    step("first", "The deal (Home)", "|◀", () => 0), step("previous", "Previous turn (←)", "◀", () => replay.turn - 1),
    make("input", { type: "range", min: 0, max: last, "data-key": "slider", "aria-label": "Turn", oninput: (event) => goTo(replay, Number(event.target.value), show) }),
    step("next", "Next turn (→)", "▶", () => replay.turn + 1), step("last", "The end (End)", "▶|", () => last), run, make("output")));
}

function goTo(replay, turn, show) {
  replay.turn = Math.min(replay.positions.length - 1, Math.max(0, turn));
  show();
}

function startRunning(replay, show) {
  const last = replay.positions.length - 1;
  if (replay.turn === last && !replay.goOn) replay.turn = 0;
  replay.timer = setInterval(() => {
    const isOver = replay.turn === last;
    if (isOver) stopRunning(replay);
    goTo(replay, replay.turn + 1, show);
    if (isOver) replay.goOn?.();
  }, 1000);
}

function stopRunning(replay) {
  clearInterval(replay.timer);
  replay.timer = null;
}

function replayView(replay, show) {
  const last = replay.positions.length - 1, game = replayGame(replay);
  replay.slider ??= sliderBox(replay, show); // it is dragged, so it stays the same
  replay.slider.querySelector("input").value = replay.turn;
  replay.slider.querySelector("output").textContent = `${replay.turn} / ${last}`;
  replay.slider.querySelector("[data-key=run]").setAttribute("aria-pressed", replay.timer ? "true" : "false");
  return [handBox(1 - replay.me, "partner", game), replay.slider, tableBox(game), handBox(replay.me, "mine", game)];
}

function replayRecord(replay, show) {
  return [replayLogBox(replay, (turn) => goTo(replay, turn, show)), discardBox(replayGame(replay))];
}

function replayOdds({ odds, shared_odds, names, me, turn }) {
  const grids = [1 - me, me].flatMap((seat) => [
    ...handOdds(seat, names, shared_odds[turn][seat], true), ...handOdds(seat, names, odds[turn][seat], false)]);
  return [...grids, quiet(ODDS_LEGEND)];
}

function replayMessage(replay) {
  const last = replay.made[replay.turn - 1];
  return last ? `Turn ${replay.turn}. ${moveText(last, replay.names)}` : "The deal";
}

// Return whether a key was one of a replay.
function replayKey(replay, event, show) {
  const steps = { ArrowLeft: replay.turn - 1, ArrowRight: replay.turn + 1, Home: 0, End: Infinity };
  if (!(event.key in steps) || event.target.type === "range") return false;
  goTo(replay, steps[event.key], show);
  event.preventDefault();
  return true;
}

// ---- help

element("key").append(...COLOURS.flatMap((name, colour) => [colour ? ", " : "", make("span", { class: `sign-${colour}` }, suit(colour)), ` ${name}`]));
element("help-button").addEventListener("click", () => element("help").showModal());
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.target.matches("input[type=text]") || document.querySelector("dialog[open]")) return;
  element("help").showModal();
  event.preventDefault();
});

// ---- light and dark

function showTheme() {
  const theme = stored("hoad-theme") || "auto";
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = element("theme-button");
  button.textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
  button.title = `Theme: ${theme}`;
  button.setAttribute("aria-label", button.title);
}

element("theme-button").addEventListener("click", () => {
  const next = { auto: "light", light: "dark", dark: "auto" };
  stored("hoad-theme", next[stored("hoad-theme") || "auto"]);
  showTheme();
});
showTheme();
