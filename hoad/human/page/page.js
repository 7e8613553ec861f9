// The page of a person who plays: it shows the state that the server sends, and sends what the
// person asks for. Every state is complete, so the page keeps nothing of a game but what is shown
// beside it. A game itself is shown by table.js.
"use strict";

const LETTERS = "rygwb";
const POINTS = 25;
const FIRST_GAMES = 3; // after so many games, the page tells what they say of the person
const FIRST_WAIT = 250, LONGEST_WAIT = 4000; // milliseconds between tries to connect

let socket = null;
let wait = FIRST_WAIT;
let agents = [];
let state = null;      // the last state of the server
let thought = null;    // what the agent thought, as far as it was asked for
let thoughtAskedFor = null; // the turn of which it was asked for last
let review = null;     // the finished game that is shown again: a replay, and more
let you = null;        // what the person's games say of the person
let askedAfter = 0;    // games after which that was asked for
let unrecorded = false; // whether the last game was given up before a move of the person
let notice = null;     // what the server refused, or why a button is off
let wanted = null;     // the agent in the form
let firstKey = null;   // of a move by keyboard: p, d, h or n

const isConnected = () => socket !== null && socket.readyState === WebSocket.OPEN;

// ---- a game

function currentGame() {
  const { position, made, seat, notes } = state;
  const agent = shortName(state.agent), names = seat === 0 ? ["You", agent] : [agent, "You"];
  return { position, made, names, me: seat, notes, note: state.plays ? writeNote : null, isOpen: false };
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

function hintBox(choices) {
  const colours = COLOURS.map((name, colour) => moveButton(choices[COLOUR_HINT + colour],
    `Hint ${name}`, suit(colour, `sign-${colour}`), name[0].toUpperCase()));
  const ranks = [1, 2, 3, 4, 5].map((rank) => moveButton(choices[RANK_HINT + rank - 1],
    `Hint ${rank}`, `${rank}`));
  return box(null, { id: "hints", "aria-label": "Hints to your partner" },
    make("div", { class: "hints" }, colours, ranks));
}

function gameView() {
  const game = currentGame(), choices = state.plays ? state.position.choices : [];
  const buttons = (index) => choices.length ? [
    moveButton(choices[PLAY + index], `Play card ${index + 1}`, "Play"),
    moveButton(choices[index], `Discard card ${index + 1}`, "Discard"),
  ] : [];
  return [
    handBox(1 - game.me, "partner", game),
    choices.length ? hintBox(choices) : null,
    tableBox(game),
    handBox(game.me, "mine", game, buttons),
  ];
}

function writeNote(card, name, note) {
  const dialog = element("note-dialog"), input = element("note-text");
  element("note-title").textContent = `Note on ${name[0].toLowerCase()}${name.slice(1)}`;
  input.value = note;
  dialog.returnValue = "";
  dialog.onclose = () => { if (dialog.returnValue === "save") ask({ do: "note", card, note: input.value.trim() }); };
  dialog.showModal();
}

// ---- beside the table

function changedPanels() {
  thoughtAskedFor = null;
  askForThought();
  render();
}

function panels() {
  if (review) {
    const shares = review.names_of_agents.map((name, index) => [name, review.beliefs[review.turn][index]]);
    return [
      panel("belief", "Who your partner could be", changedPanels, beliefBars(shares), quiet("From what you saw up to this turn.")),
      panel("odds", "What the cards may be", changedPanels, ...replayOdds(review)),
      learnedBox(), youBox(),
    ];
  }
  if (!state.playing) return [gamesBox(), experienceBox(), youBox()];
  const { odds, belief } = state, { names, me } = currentGame();
  const made = thought && state.made[thought.turn];
  const asks = thought && !thought.candidates.length && !thought.partner.length;
  return [
    panel("belief", "Who your partner could be", changedPanels,
      belief ? beliefBars(belief.names.map((name, index) => [name, belief.shares[index]])) : quiet("…"),
      quiet("Likelihood of its moves in this game under each agent that HOAD knows, as seen from your seat.")),
    panel("odds", "What the cards may be", changedPanels,
      ...handOdds(1 - me, names, odds.partner, true), ...handOdds(me, names, odds.mine_to_partner, true),
      ...handOdds(me, names, odds.mine, false), quiet(ODDS_LEGEND)),
    panel("thought", "What it thinks", changedPanels, quiet("It sees your cards, so this may give them away; the recorded game says that it was shown."),
      thought ? null : quiet("It has not moved yet."),
      asks ? quiet("Agents that search (search:...) show the expected scores of their moves here, agents that infer their partner (bayes-moves:...) what they believe.") : null,
      ...(thought ? thoughtNodes(thought, made ? made.move : null) : [])),
  ];
}

// ---- before and after a game

function lobby() {
  const chosen = wanted ?? state.agent;
  const describe = (name) => {
    const agent = agents.find((one) => one.name === name) || agents.find((one) => one.name === `${name.split(":")[0]}:`);
    return agent ? agent.about || agent.family : "";
  };
  const words = make("p", { class: "quiet", id: "description" }, describe(chosen));
  const input = make("input", {
    type: "text", id: "agent", value: chosen, "data-key": "agent", autocomplete: "off",
    spellcheck: "false", autocapitalize: "off", "aria-describedby": "description",
    oninput: (event) => { wanted = event.target.value; words.textContent = describe(wanted); },
  });
  const button = (agent) => make("button", {
    type: "button", "data-agent": agent.name, "data-key": `agent-${agent.name}`, "aria-pressed": agent.name === chosen ? "true" : "false",
    onclick: () => { wanted = agent.name; render(); if (agent.name.endsWith(":")) element("agent").focus(); },
  }, make("b", {}, agent.name));
  const row = (agent) => make("tr", { title: agent.about || null }, make("td", {}, button(agent)), make("td", {}, agent.family || agent.about),
    make("td", {}, agent.score === null ? "" : agent.score.toFixed(1)));
  const head = (...names) => make("thead", {}, make("tr", {}, names.map(([name, title]) => make("th", { scope: "col", title: title || null }, name))));
  const example = make("thead", {}, make("tr", {}, make("th", { scope: "colgroup", colspan: 3 },
    "Name with a part of yours", quiet(", such as search:iggi or rules:8,13,38", "span"))));
  const named = agents.filter((agent) => agent.family), prefixes = agents.filter((agent) => !agent.family);
  const form = make("form", {
    class: "box", onsubmit: (event) => { event.preventDefault(); ask({ do: "begin", agent: input.value.trim() }); },
  },
    make("h2", {}, make("label", { for: "agent" }, "Play with")),
    make("div", { class: "choose" }, input, make("button", { class: "first", "data-key": "begin", "aria-disabled": state.busy || !state.plays ? "true" : null }, "Begin")),
    words);
  const list = box(null, { id: "agents", "aria-label": "Agents" }, make("div", { class: "lists" },
    make("table", {}, head(["Agent"], ["Family"], ["Self-play", "Mean score with itself, 0 for a game that loses its third life"]), make("tbody", {}, named.map(row))),
    make("table", {}, example, make("tbody", {}, prefixes.map(row)))));
  return [form, list];
}

function gamesBox() {
  const rows = state.games.map((game, index) => make("tr", {},
    make("td", { title: game.agent }, shortName(game.agent)), make("td", {}, game.aborted ? `${game.score}, given up` : `${game.score}`), make("td", {}, `${game.strict}`),
    make("td", {}, make("button", { type: "button", "data-key": `review-${index}`, "aria-label": `Look at game ${index + 1}`, onclick: () => ask({ do: "review", game: index }) }, "Look"))));
  return box("Your games", { id: "games" }, rows.length ? make("table", {},
    make("thead", {}, make("tr", {}, ["agent", "score", "strict", ""].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, rows.reverse())) : quiet("Finished games are listed here, to look at them again."));
}

function learnedBox() {
  const final = review.learned[review.learned.length - 1], names = review.names_of_agents;
  const order = names.map((_, index) => index).sort((a, b) => final[b] - final[a])
    .filter((agent, index) => index < 3 || (index < 8 && review.learned.some((shares) => shares[agent] > 0.01)));
  const rows = order.map((index) => make("tr", {}, make("td", {}, names[index]), review.learned.map((shares) => {
    const cell = make("td", {}, percent(shares[index]));
    cell.style.background = `color-mix(in srgb, var(--accent) ${Math.round(60 * shares[index])}%, transparent)`;
    return cell;
  })));
  const count = review.learned.length;
  return box(`What ${shortName(review.agent)} could learn of you`, { id: "learned" },
    quiet(`Which agent your moves look like, after ${count === 1 ? "this game" : `each of your last ${count} games with it`}.`),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "game"),
      review.learned.map((_, index) => make("th", { scope: "col" }, `${index + 1}`)))), make("tbody", {}, rows))));
}

// The page asks once, and only the answer is stored.
function experienceBox() {
  if (state.played_before !== null || !state.plays) return null;
  const answer = (text, played_before) => make("button", { type: "button", "data-key": text, onclick: () => ask({ do: "experience", played_before }) }, text);
  return box("Have you played Hanabi before?", { id: "experience" },
    make("div", { class: "row" }, answer("Yes", true), answer("No", false)),
    quiet("Asked once; the answer is kept beside your games, on this machine."));
}

function youBox() {
  if (!you) return null;
  return box("You beside other people", { id: "you" },
    make("p", {}, `Your last ${you.games} games are harder to predict than the first games of ${percent(1 - you.harder)} of ${you.people} people (${you.loss.toFixed(2)} nats a move).`),
    make("p", {}, `Of those who played most, ${you.most_alike} plays most like you (${you.alike_loss.toFixed(2)} nats).`),
    make("h3", {}, "Your rules, as far as the games show"),
    make("ol", {}, you.rules.map((rule) => make("li", {}, rule))),
    make("h3", {}, "What you do more or less than other people"),
    make("ul", {}, you.differences.map((difference) => make("li", {}, difference))),
    quiet("The people played with programs in HanabiData (Eger et al. 2017). SD: standard deviations of the prior that they suggest. Touched: a hint has touched it; necessary: the last copy, still needed."));
}

function askForYou() {
  if (state.playing || state.games.length < FIRST_GAMES || askedAfter === state.games.length) return;
  askedAfter = state.games.length;
  ask({ do: "you" });
}

function resultBox() {
  return box(null, { id: "result" }, make("div", { class: "row" },
    make("span", { class: "score" }, `${review.score} of ${POINTS}`),
    make("span", { class: "quiet space", title: "The strict score is 0 after the third lost life" },
      `strict score ${review.strict}; with ${shortName(review.agent)}${review.aborted ? "; given up" : ""}`),
    make("button", { type: "button", class: "first", "data-key": "back", onclick: leaveReview }, state.playing ? "Back to the game" : "Next game"),
    make("a", { class: "button", href: review.link, target: "_blank", rel: "noopener noreferrer", "data-key": "link", title: "Open the replay on hanab.live; the link holds the whole game" }, "hanab.live"),
    make("a", { class: "button", href: `games/${review.game}.json`, download: true, "data-key": "json" }, "Save as JSON")));
}

function beginReview(told) {
  const agent = shortName(told.agent), names = told.seat === 0 ? ["You", agent] : [agent, "You"];
  const { data, ...others } = told;
  review = { ...others, ...data, names_of_agents: told.names, names, me: told.seat, turn: data.positions.length - 1 };
  window.scrollTo(0, 0);
}

function leaveReview() {
  stopRunning(review);
  review = null;
  notice = null;
  render();
}

// ---- what is shown

function message() {
  if (!isConnected()) return ["The server does not answer. Start it again if it has stopped; this page goes on by itself.", "alarm"];
  if (notice) return [notice, "alarm"];
  if (!state) return ["…", ""];
  if (state.error) return [state.error, "alarm"];
  if (firstKey) return [{ p: "Play which card? 1 to 5", d: "Discard which card? 1 to 5", h: "Hint what? 1 to 5, or r y g w b", n: "A note on which of your cards? 1 to 5" }[firstKey], "turn"];
  if (state.busy === "loading") return ["The agent is being loaded …", ""];
  if (state.busy === "thinking") return [`${shortName(state.agent)} is thinking …${state.done ? ` ${percent(state.done)}` : ""}`, ""];
  if (review) return [replayMessage(review), ""];
  if (!state.playing) return [`${unrecorded ? "You had made no move, so nothing was recorded. " : ""}Choose a partner.`, ""];
  if (state.position.current !== state.seat) return [`${shortName(state.agent)} is to move.`, ""];
  const last = state.made[state.made.length - 1], said = last ? moveText(last, currentGame().names) : "";
  return [`${state.plays ? "Your turn." : "The player is to move."} ${said}`.trim(), state.plays ? "turn" : ""];
}

function render() {
  const [text, kind] = message();
  document.body.classList.toggle("stopped", !isConnected());
  element("message").textContent = text;
  element("message").className = kind;
  document.title = kind === "turn" ? "● Your turn: HOAD" : "HOAD: play Hanabi";
  if (!state) return;
  const plays = state.playing && !review;
  document.body.classList.toggle("lobby", !state.playing && !review);
  element("connection").textContent = !isConnected() ? "" : !state.plays ? "watching" : state.tabs > 1 ? `${state.tabs - 1} watching` : "";
  element("give-up").hidden = !(plays && state.plays);
  keepingPlace(() => {
    const view = review ? [resultBox(), ...replayView(review, render)] : plays ? gameView() : lobby();
    place(element("view"), view.filter(Boolean));
    const game = plays ? currentGame() : null;
    element("record").replaceChildren(...(review ? replayRecord(review, render) : game ? [logBox(game), discardBox(game)] : []));
    element("panels").replaceChildren(...panels().filter((one) => one !== null));
  });
}

// ---- what is asked for

function ask(what) {
  notice = null;
  if (isConnected()) socket.send(JSON.stringify(what));
  else render();
}

// It may give away the person's cards, so the server tells it on request only, and records that.
function askForThought() {
  const isNew = state && state.playing && state.thought !== null && (!thought || thought.turn !== state.thought);
  if (!switches.thought || !isNew || thoughtAskedFor === state.thought || !isConnected()) return;
  thoughtAskedFor = state.thought; // once a turn, even if the server refuses
  socket.send(JSON.stringify({ do: "thought" }));
}

function tryMove(move) {
  const choice = state.position.choices[move];
  if (choice.refused) { notice = choice.refused; render(); return; }
  ask({ do: "move", move, turn: state.position.turn });
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=text]") || document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  if (review) { replayKey(review, event, render); return; }
  if (!state || !state.playing || !state.plays) return;
  const digit = "12345".indexOf(key), colour = LETTERS.indexOf(key);
  const before = firstKey;
  firstKey = null;
  notice = null;
  if (before === "p" && digit >= 0) tryMove(PLAY + digit);
  else if (before === "d" && digit >= 0) tryMove(digit);
  else if (before === "h" && digit >= 0) tryMove(RANK_HINT + digit);
  else if (before === "h" && colour >= 0) tryMove(COLOUR_HINT + colour);
  else if (before === "n" && digit >= 0) {
    event.preventDefault(); // the digit is not the note
    document.querySelectorAll("#mine [data-note]")[digit]?.click();
  } else if ("pdhn".includes(key)) firstKey = key;
  render();
}

function onMessage(event) {
  const told = JSON.parse(event.data);
  if (told.type === "agents") agents = told.agents;
  else if (told.type === "thought") thought = told;
  else if (told.type === "refused") notice = told.reason;
  else if (told.type === "review") beginReview(told);
  else if (told.type === "you") you = told.you;
  else {
    const before = state;
    state = told;
    if (before?.position?.turn !== state.position?.turn) notice = null;
    if (!state.playing || state.thought === null) thought = thoughtAskedFor = null;
    askForThought();
    askForYou();
    if (state.playing && (!before || !before.playing)) { if (review) leaveReview(); wanted = null; }
    if (before && before.playing && !state.playing) {
      unrecorded = state.games.length === before.games.length;
      if (!unrecorded) ask({ do: "review", game: state.games.length - 1 });
    }
  }
  render();
}

// Connect, and again whenever the connection is lost.
function connect() {
  const place = new URL("table", location.href);
  place.protocol = "ws:";
  socket = new WebSocket(place);
  socket.addEventListener("open", () => { wait = FIRST_WAIT; thoughtAskedFor = null; });
  socket.addEventListener("message", onMessage);
  socket.addEventListener("close", () => {
    render();
    setTimeout(connect, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  });
}

element("give-up").addEventListener("click", () => { if (confirm("Give this game up?")) ask({ do: "give up" }); });
document.addEventListener("keydown", onKey);
connect();
