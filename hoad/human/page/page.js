// The page: it shows the state that the server sends, and sends what the person asks for.
// Every state is complete, so the page keeps nothing of a game but what is shown beside it.
"use strict";

const COLOURS = ["red", "yellow", "green", "white", "blue"];
const LETTERS = "rygwb";
const PLAY = 5, COLOUR_HINT = 10, RANK_HINT = 15;
const TOKENS = 8, LIVES = 3, POINTS = 25;

const element = (id) => document.getElementById(id);
let socket = null;
let agents = {};
let state = null;      // the last state of the server
let thought = null;    // what the agent thought, as far as it was asked for
let review = null;     // the finished game that is shown again, and its turn
let notice = null;     // what the server refused, or why a button is off
let wanted = null;     // the agent in the form
let firstKey = null;   // of a move by keyboard: p, d or h

// ---- elements

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
  node.setAttribute("class", `suit ${extra}`);
  node.setAttribute("aria-hidden", "true");
  node.append(document.createElementNS(space, "use"));
  node.firstChild.setAttribute("href", `#suit-${colour}`);
  return node;
}

const cardName = (card) => `${COLOURS[Math.floor(card / 5)]} ${card % 5 + 1}`;
const percent = (share) => share > 0 && share < 0.005 ? "<1%" : `${Math.round(100 * share)}%`;

function sign(card) {
  return make("span", { class: `sign-${Math.floor(card / 5)}`, title: cardName(card) },
    suit(Math.floor(card / 5)), make("b", {}, `${card % 5 + 1}`));
}

// ---- cards

function knowledge(held) {
  const among = (values, names) => values.length === 5 ? "anything" : values.map(names).join(" or ");
  return `${among(held.colours, (c) => COLOURS[c])}; ${among(held.ranks, (r) => r + 1)}`;
}

function cardNode(held, index, whose, isNew) {
  const open = held.card !== null;
  const colour = open ? Math.floor(held.card / 5) : held.colours.length === 1 ? held.colours[0] : null;
  const rank = open ? held.card % 5 : held.ranks.length === 1 ? held.ranks[0] : null;
  const values = (hinted, left, show) => make("span", { class: `values ${hinted ? "hinted" : ""}` },
    [0, 1, 2, 3, 4].map((value) =>
      make("span", { class: left.includes(value) ? "" : "out" }, show(value))));
  const label = `${whose} card ${index + 1}${open ? `, ${cardName(held.card)}` : ""}. ` +
    `Known from hints: ${knowledge(held)}.${held.touched ? " Touched by the last hint." : ""}` +
    `${isNew ? " Just drawn." : ""}`;
  return make("div", {
    class: `card ${held.touched ? "touched" : ""}`, role: "img", "aria-label": label,
    "data-card": open ? held.card : "hidden",
  },
    make("span", { class: `face ${colour === null ? "" : `tint-${colour}`}` },
      make("span", { class: "rank" }, rank === null ? (colour === null ? "?" : "–") : `${rank + 1}`),
      colour === null ? null : suit(colour)),
    make("span", { class: "knows", title: `Known from hints: ${knowledge(held)}` },
      values(held.colour_hinted, held.colours, (c) => suit(c, `sign-${c}`)),
      values(held.rank_hinted, held.ranks, (r) => `${r + 1}`)),
    isNew ? make("span", { class: "tag" }, "new") : null);
}

function moveButton(choice, label, ...content) {
  return make("button", {
    type: "button", "data-move": choice.move, "data-key": `move-${choice.move}`,
    "aria-label": choice.refused ? `${label}: not possible. ${choice.refused}` : label,
    "aria-disabled": choice.refused ? "true" : null, title: choice.refused || label,
    onclick: () => tryMove(choice.move),
    onmouseenter: () => aim(choice), onfocus: () => aim(choice),
    onmouseleave: () => aim(null), onblur: () => aim(null),
  }, ...content);
}

// Show which cards of the partner a hint would touch.
function aim(choice) {
  for (const node of document.querySelectorAll(".card")) node.classList.remove("aimed");
  if (!choice || choice.refused || choice.move < COLOUR_HINT) return;
  for (const node of document.querySelectorAll("#partner .card")) {
    const card = Number(node.dataset.card);
    const value = choice.move < RANK_HINT ? Math.floor(card / 5) : card % 5;
    if (value === (choice.move - COLOUR_HINT) % 5) node.classList.add("aimed");
  }
}

// ---- the table

function handBox(position, seat, title, id, choices) {
  const mine = id === "mine";
  const cards = position.hands[seat].map((held, index) => make("div", { class: "held" },
    cardNode(held, index, mine ? "Your" : "Partner's", held.drawn),
    ...(mine && choices.length ? [
      moveButton(choices[PLAY + index], `Play card ${index + 1}`, "Play"),
      moveButton(choices[index], `Discard card ${index + 1}`, "Discard"),
    ] : [])));
  return make("section", { class: "box", id, "aria-label": title },
    make("h2", {}, title, " ",
      make("span", { class: "quiet" }, position.current === seat && !position.over ? "to move" : "")),
    make("div", { class: "hand" }, cards));
}

function hintBox(choices) {
  const colours = COLOURS.map((name, colour) => moveButton(choices[COLOUR_HINT + colour],
    `Hint ${name}`, suit(colour, `sign-${colour}`), name[0].toUpperCase()));
  const ranks = [1, 2, 3, 4, 5].map((rank) => moveButton(choices[RANK_HINT + rank - 1],
    `Hint ${rank}`, `${rank}`));
  return make("section", { class: "box", "aria-label": "Hints to your partner" },
    make("h2", {}, "Give a hint ", quiet("of a colour or a rank", "span")),
    make("div", { class: "hints" }, colours, ranks));
}

function pips(left, all, sign) {
  return make("span", { class: "pips", "aria-hidden": "true" }, sign.repeat(left),
    make("span", { class: "used" }, sign.repeat(all - left)));
}

function tableBoxes(position, partner) {
  const recent = position.made.slice(-2).filter((made) => made.seat === partner && made.card !== null)[0];
  const fireworks = position.fireworks.map((height, colour) => make("div", {
    class: `pile ${height ? `tint-${colour}` : "none"} ` +
      `${recent && recent.fitted && Math.floor(recent.card / 5) === colour ? "last" : ""}`,
    role: "img", "aria-label": `${COLOURS[colour]} firework: ${height}`,
  }, make("span", { class: "rank" }, height || "–"), suit(colour, height ? "" : `sign-${colour}`)));
  const deck = position.last_turns === null ? `${position.deck}` : `0 (${position.last_turns} turns left)`;
  const number = (name, value, extra) => make("span", {}, `${name} `, make("b", { "data-count": name }, value), " ", extra || "");
  const pile = COLOURS.map((name, colour) => make("div", {}, suit(colour, `sign-${colour}`),
    [0, 1, 2, 3, 4].flatMap((rank) => {
      const card = 5 * colour + rank;
      return Array.from({ length: position.discards[card] }, (_, copy) => make("span", {
        class: `gone sign-${colour} ${recent && !recent.fitted && recent.card === card && copy === 0 ? "last" : ""}`,
        title: cardName(card),
      }, `${rank + 1}`));
    })));
  const table = make("section", { class: "box", "aria-label": "Fireworks" },
    make("div", { class: "fireworks" }, fireworks),
    make("div", { class: "counts" },
      number("Score", `${position.score}`),
      number("Hints", `${position.tokens}`, pips(position.tokens, TOKENS, "●")),
      number("Lives", `${position.lives}`, pips(position.lives, LIVES, "♥")),
      number("Deck", deck)));
  const discards = make("section", { class: "box", "aria-label": "Discard pile" },
    make("h2", {}, "Discards"), make("div", { class: "discards" }, pile));
  return [table, discards];
}

function moveText(made, me, name, plain = false) {
  const who = made.seat === me ? "You" : name;
  if (made.move >= COLOUR_HINT) {
    const value = made.move < RANK_HINT ? COLOURS[made.move - COLOUR_HINT] : made.move - RANK_HINT + 1;
    return [`${who}: hint `, make("b", {}, `${value}`), ` (${made.touched} card${made.touched === 1 ? "" : "s"})`];
  }
  const did = made.move < PLAY ? "discard" : "play";
  const result = did === "discard" ? "" : made.fitted ? " ✓" : " ✗ a life is lost";
  return [`${who}: ${did} card ${made.move % PLAY + 1}: `, plain ? cardName(made.card) : sign(made.card), result];
}

function movesBox(position, me, name) {
  const shown = position.made.slice(-8).map((made, index, all) => make("li", {
    class: `${made.seat === me ? "" : "partner"} ${index >= all.length - 2 ? "recent" : ""}`,
  }, moveText(made, me, name)));
  return make("section", { class: "box", "aria-label": "Moves" }, make("h2", {}, "Last moves"),
    make("ol", { class: "moves" }, shown.length ? shown.reverse() : make("li", { class: "quiet" }, "none yet")));
}

function table(position, me, name, choices) {
  const [fireworks, discards] = tableBoxes(position, 1 - me);
  return [
    handBox(position, 1 - me, `${name}'s hand`, "partner", choices),
    choices.length ? hintBox(choices) : null,
    fireworks,
    handBox(position, me, "Your hand", "mine", choices),
    make("div", { class: "pair" }, movesBox(position, me, name), discards),
  ];
}

// ---- beside the table

const switches = { belief: true, odds: false, thought: false, ...JSON.parse(localStorage.getItem("hoad-panels") || "{}") };

function panel(key, title, ...content) {
  const input = make("input", {
    type: "checkbox", role: "switch", "data-key": `switch-${key}`, checked: switches[key],
    onchange: (event) => {
      switches[key] = event.target.checked;
      localStorage.setItem("hoad-panels", JSON.stringify(switches));
      askForThought();
      render();
    },
  });
  return make("section", { class: "box", id: `panel-${key}` },
    make("label", { class: "switch" }, input, title), ...(switches[key] ? content.flat() : []));
}

function bars(rows, least, most, show, chosen) {
  const width = (value) => `${100 * Math.max(0, (value - least) / ((most - least) || 1))}%`;
  return make("div", { class: "bars" }, rows.flatMap(([name, value]) => {
    const bar = make("i", { class: name === chosen ? "chosen" : "" });
    bar.style.width = width(value);
    return [make("span", { class: "name" }, name), make("span", { class: "bar", "aria-hidden": "true" }, bar),
      make("span", { class: "number" }, show(value))];
  }));
}

function beliefBars(names, shares) {
  const rows = names.map((name, index) => [name, shares[index]]).sort((a, b) => b[1] - a[1])
    .filter(([, share], index) => index < 3 || (index < 8 && share > 0.001));
  return bars(rows, 0, 1, percent);
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

const quiet = (text, tag = "p") => make(tag, { class: "quiet" }, text);

function panels() {
  if (review) {
    const now = review.beliefs[review.turn];
    return [
      panel("belief", "Who the agent could be", quiet("From what you saw up to this turn."), beliefBars(review.names, now)),
      panel("odds", "What its cards could be", oddsGrids(review.odds[review.turn]),
        quiet("From what the agent saw. Rows are colours, columns 1 to 5; the stronger, the likelier.")),
    ];
  }
  if (!state.playing) return [];
  const moves = thought && thought.belief.length ? [] : thought && thought.scores.length ? (() => {
    const values = thought.scores.map((row) => row[1]);
    const move = state.position.made[thought.turn];
    return [quiet("Expected score of each of its moves at its last turn; the one it made is marked."),
      bars(thought.scores.map(([name, value]) => [spoken(name), value]), Math.min(...values) - 0.5, Math.max(...values),
        (value) => value.toFixed(2), move ? spoken(move.name) : null)];
  })() : [quiet(thought ? "Agents that search (search:...) show the expected scores of their moves here, agents that infer their partner (bayes-moves:...) what they believe." : "It has not moved yet.")];
  return [
    panel("belief", "Who your partner could be",
      state.belief ? beliefBars(state.belief.names, state.belief.shares) : quiet("…"),
      quiet("Likelihood of its moves in this game under each agent that HOAD knows, as seen from your seat.")),
    panel("odds", "What its cards may be", oddsGrids(state.odds),
      quiet("From what both of you see, hints included. Rows are colours, columns 1 to 5; the stronger, the likelier.")),
    panel("thought", "What it thinks", quiet("It sees your cards, so this may give them away; the recorded game says that it was shown."),
      ...moves, ...(thought && thought.belief.length ? [make("h2", {}, "Who you are, as it believes"),
        beliefBars(thought.belief.map((row) => row[0]), thought.belief.map((row) => row[1]))] : []),
      ...(thought ? [make("h2", {}, "Its cards, as it believed"), oddsGrids(thought.odds)] : [])),
  ];
}

// "play 0" is card 1 for people.
const spoken = (name) => name.replace(/^(play|discard) (\d)$/, (_, verb, digit) => `${verb} card ${Number(digit) + 1}`);

// ---- before and after a game

function lobby() {
  const chosen = wanted ?? state.agent;
  const describe = (name) => agents[name] || (name.includes(":") ? agents[`${name.split(":")[0]}:`] : "") || "";
  const words = make("p", { class: "quiet", id: "description" }, describe(chosen));
  const input = make("input", {
    type: "text", id: "agent", value: chosen, "data-key": "agent", autocomplete: "off",
    spellcheck: "false", autocapitalize: "off", "aria-describedby": "description",
    oninput: (event) => { wanted = event.target.value; words.textContent = describe(wanted); },
  });
  const list = make("ul", { class: "agents" }, Object.entries(agents).map(([name, text]) => make("li", {}, make("button", {
    type: "button", "data-agent": name, "data-key": `agent-${name}`, onclick: () => { wanted = name; render(); if (name.endsWith(":")) element("agent").focus(); },
  }, make("b", {}, name), make("span", { class: "quiet" }, text)))));
  const form = make("form", {
    class: "box", onsubmit: (event) => { event.preventDefault(); ask({ do: "begin", agent: input.value.trim() }); },
  },
    make("h2", {}, make("label", { for: "agent" }, "Play with")),
    make("div", { class: "choose" }, input, make("button", { class: "first", "data-key": "begin", "aria-disabled": state.busy || !state.plays ? "true" : null }, "Begin")),
    words, quiet("A name that ends with a colon needs more: search:iggi, rules:8,13,38, bayes-moves:iggi+piers, python:mine.py:Hopeful."), list);
  return [form, gamesBox()];
}

function gamesBox() {
  if (!state.games.length) return null;
  const rows = state.games.map((game, index) => make("tr", {},
    make("td", {}, game.agent), make("td", {}, game.aborted ? `${game.score}, given up` : `${game.score}`), make("td", {}, `${game.strict}`),
    make("td", {}, make("button", { type: "button", "data-key": `review-${index}`, "aria-label": `Look at game ${index + 1}`, onclick: () => ask({ do: "review", game: index }) }, "Look"))));
  return make("section", { class: "box", "aria-label": "Your games" }, make("h2", {}, "Your games"), make("div", { class: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ["agent", "score", "strict", ""].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, rows.reverse()))));
}

function learnedBox() {
  const final = review.learned[review.learned.length - 1];
  const order = review.names.map((_, index) => index).sort((a, b) => final[b] - final[a])
    .filter((agent, index) => index < 3 || (index < 8 && review.learned.some((shares) => shares[agent] > 0.01)));
  const rows = order.map((index) => make("tr", {}, make("td", {}, review.names[index]), review.learned.map((shares) => {
    const cell = make("td", {}, percent(shares[index]));
    cell.style.background = `color-mix(in srgb, var(--accent) ${Math.round(60 * shares[index])}%, transparent)`;
    return cell;
  })));
  const count = review.learned.length;
  return make("section", { class: "box", id: "learned" }, make("h2", {}, `What ${review.agent} could learn of you`),
    quiet(`Which agent your moves look like, after ${count === 1 ? "this game" : `each of your last ${count} games with it`}.`),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "game"),
      review.learned.map((_, index) => make("th", { scope: "col" }, `${index + 1}`)))), make("tbody", {}, rows))));
}

function sliderBox(last) {
  const go = (turn) => { review.turn = Math.min(last, Math.max(0, turn)); render(); };
  const step = (key, label, text, by) => make("button", {
    type: "button", "aria-label": label, "data-key": key, onclick: () => go(review.turn + by),
  }, text);
  return make("section", { class: "box", "aria-label": "Turn by turn" }, make("div", { class: "slider" },
    step("previous", "Previous turn", "◀", -1),
    make("input", { type: "range", min: 0, max: last, "data-key": "slider", "aria-label": "Turn", oninput: (event) => go(Number(event.target.value)) }),
    step("next", "Next turn", "▶", 1), make("output")));
}

function reviewView() {
  const last = review.positions.length - 1;
  review.slider ??= sliderBox(last); // it is dragged, so it stays the same
  review.slider.querySelector("input").value = review.turn;
  review.slider.querySelector("output").textContent = `${review.turn} / ${last}`;
  return [
    make("section", { class: "box", id: "result" },
      make("div", { class: "row" }, make("span", { class: "score" }, `${review.score} of ${POINTS}`),
        quiet(`strict score ${review.strict} (0 after the third lost life); with ${review.agent}${review.aborted ? "; given up" : ""}`, "span")),
      make("div", { class: "row" },
        make("button", { type: "button", class: "first", "data-key": "back", onclick: () => { review = null; notice = null; render(); } }, state.playing ? "Back to the game" : "Next game"),
        make("a", { class: "button", href: review.link, target: "_blank", rel: "noopener noreferrer", "data-key": "link" }, "Replay on hanab.live"),
        make("a", { class: "button", href: `games/${review.game}.json`, download: true, "data-key": "json" }, "Save as JSON"))),
    review.slider,
    ...table(review.positions[review.turn], review.seat, review.agent, []),
    learnedBox(),
  ];
}

// ---- what is shown

function lastMove(position, me, name) {
  const last = position.made[position.turn - 1];
  return last ? make("span", {}, moveText(last, me, name, true)).textContent : "";
}

function message() {
  if (!socket || socket.readyState !== WebSocket.OPEN) return ["The server has stopped. Start it again, and open the address that it prints.", "alarm"];
  if (notice) return [notice, "alarm"];
  if (!state) return ["…", ""];
  if (state.error) return [state.error, "alarm"];
  if (firstKey) return [{ p: "Play which card? 1 to 5", d: "Discard which card? 1 to 5", h: "Hint what? 1 to 5, or r y g w b" }[firstKey], "turn"];
  if (state.busy === "loading") return ["The agent is being loaded …", ""];
  if (state.busy === "thinking") return [`${state.agent} is thinking …${state.done ? ` ${percent(state.done)}` : ""}`, ""];
  if (review) return [review.turn ? `Turn ${review.turn}. ${lastMove(review.positions[review.turn], review.seat, review.agent)}` : "The deal", ""];
  if (!state.playing) return ["Choose a partner.", ""];
  if (state.position.current !== state.seat) return [`${state.agent} is to move.`, ""];
  const said = lastMove(state.position, state.seat, state.agent);
  const turn = state.plays ? "Your turn." : "The player is to move.";
  return [said ? `${turn} ${said}` : turn, state.plays ? "turn" : ""];
}

// Show these elements, and leave in the document those that are there already.
function place(parent, nodes) {
  for (const child of [...parent.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] || null);
  });
}

function render() {
  const [text, kind] = message();
  const stopped = !socket || socket.readyState !== WebSocket.OPEN;
  document.body.classList.toggle("stopped", stopped);
  element("message").textContent = text;
  element("message").className = kind;
  if (!state) return;
  element("connection").textContent = stopped ? "" : !state.plays ? "watching" : state.tabs > 1 ? `${state.tabs - 1} watching` : "";
  const focused = document.activeElement && document.activeElement.dataset.key;
  const view = review ? reviewView() : state.playing ? game() : lobby();
  place(element("view"), view.filter(Boolean));
  element("panels").replaceChildren(...panels());
  const again = focused && document.querySelector(`[data-key="${focused}"]`);
  if (again) again.focus({ preventScroll: true });
}

function game() {
  return [
    ...table(state.position, state.seat, state.agent, state.plays ? state.position.choices : []),
    state.plays ? make("div", { class: "row" }, make("span", { class: "space" }), make("button", {
      type: "button", "data-key": "give-up", onclick: () => { if (confirm("Give this game up?")) ask({ do: "give up" }); },
    }, "Give up")) : null,
  ];
}

// ---- what is asked for

function ask(what) {
  notice = null;
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(what));
  else render();
}

// It may give away the person's cards, so the server tells it on request only, and records that.
function askForThought() {
  const isNew = state && state.playing && state.thought !== null && (!thought || thought.turn !== state.thought);
  if (switches.thought && isNew && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: "thought" }));
}

function tryMove(move) {
  const choice = state.position.choices[move];
  if (choice.refused) { notice = choice.refused; render(); return; }
  ask({ do: "move", move, turn: state.position.turn });
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=text]") || element("help").open) return;
  const key = event.key.toLowerCase();
  if (key === "?") { element("help").showModal(); event.preventDefault(); return; }
  if (review && (key === "arrowleft" || key === "arrowright") && event.target.type !== "range") {
    document.querySelector(`[data-key="${key === "arrowleft" ? "previous" : "next"}"]`).click();
    return;
  }
  if (review || !state || !state.playing || !state.plays) return;
  const digit = "12345".indexOf(key), colour = LETTERS.indexOf(key);
  const before = firstKey;
  firstKey = null;
  notice = null;
  if (before === "p" && digit >= 0) tryMove(PLAY + digit);
  else if (before === "d" && digit >= 0) tryMove(digit);
  else if (before === "h" && digit >= 0) tryMove(RANK_HINT + digit);
  else if (before === "h" && colour >= 0) tryMove(COLOUR_HINT + colour);
  else if ("pdh".includes(key)) firstKey = key;
  render();
}

function onMessage(event) {
  const told = JSON.parse(event.data);
  if (told.type === "agents") agents = told.agents;
  else if (told.type === "thought") thought = told;
  else if (told.type === "refused") notice = told.reason;
  else if (told.type === "review") { review = { ...told, turn: told.positions.length - 1 }; window.scrollTo(0, 0); }
  else {
    const before = state;
    state = told;
    if (before?.position?.turn !== state.position?.turn) notice = null;
    if (!state.playing || state.thought === null) thought = null;
    askForThought();
    if (state.playing && (!before || !before.playing)) { review = null; wanted = null; }
    if (before && before.playing && !state.playing && state.games.length > before.games.length) ask({ do: "review", game: state.games.length - 1 });
  }
  render();
}

function connect() {
  const place = new URL("table", location.href);
  place.protocol = "ws:";
  socket = new WebSocket(place);
  socket.addEventListener("message", onMessage);
  socket.addEventListener("close", render);
}

// ---- light and dark

function showTheme() {
  const theme = localStorage.getItem("hoad-theme") || "auto";
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = element("theme-button");
  button.textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
  button.title = `Theme: ${theme}`;
  button.setAttribute("aria-label", button.title);
}

element("theme-button").addEventListener("click", () => {
  const next = { auto: "light", light: "dark", dark: "auto" };
  localStorage.setItem("hoad-theme", next[localStorage.getItem("hoad-theme") || "auto"]);
  showTheme();
});
element("help-button").addEventListener("click", () => element("help").showModal());
document.addEventListener("keydown", onKey);
showTheme();
connect();
