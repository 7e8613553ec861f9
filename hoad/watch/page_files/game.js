// A page with one game that was played, which is in the page as JSON.

const RUNS = "#run"; // at the end of an address: the game runs

const replay = (() => {
  const game = JSON.parse(element("game").textContent);
  const [first, second] = game.players.map(shortName);
  const names = first === second ? [`${first} (first)`, `${second} (second)`] : [first, second];
  const next = game.others["Next game"];
  return { ...game, names, me: 1, turn: 0, goOn: next && (() => runGame(next)) };
})();

// The page of the next game, where it has been played, runs as well.
function runGame(address) {
  element("message").textContent = "The next game is being played …";
  location.assign(`${address}${RUNS}`);
}

function thoughtPanel() {
  const thought = replay.thoughts[replay.turn], position = replay.positions[replay.turn];
  const made = replay.made[replay.turn], name = replay.names[position.current];
  const believes = thought && (thought.candidates.length ? thought : { ...thought, odds: [] }); // they are beside it
  const nodes = thought ? thoughtNodes(believes, made ? made.move : null)
    : [quiet(position.over || !made ? "The game has ended." : `${name} is no agent that HOAD has here.`)];
  return panel("move", thought ? `What ${name} thinks` : "What the players think", show, ...nodes);
}

function endText() {
  const end = replay.positions[replay.positions.length - 1];
  const score = `${end.score} of 25${end.lives ? "" : ", strict score 0: all lives are lost"}`;
  return end.over ? `Score ${score}` : `unfinished: score ${score}`;
}

function titleBox() {
  const links = Object.entries(replay.others).map(([words, address]) => make("a", { class: "button", href: address }, words));
  return box(`${replay.names[0]} and ${replay.names[1]}`, { id: "title" },
    quiet(`${replay.title}; ${replay.names[0]} moves first. ${endText()}.`), links.length ? make("div", { class: "row" }, links) : null);
}

function show() {
  keepingPlace(() => {
    element("message").textContent = replayMessage(replay);
    place(element("view"), replayView(replay, show));
    element("record").replaceChildren(...replayRecord(replay, show));
    element("panels").replaceChildren(titleBox(), thoughtPanel(), panel("odds", "What the cards may be", show, ...replayOdds(replay)));
  });
}

switches.move ??= true;
document.addEventListener("keydown", (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.altKey && !element("help").open) replayKey(replay, event, show);
});
if (location.hash === RUNS) startRunning(replay, show);
show();
