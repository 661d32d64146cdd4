"use strict";
// The data say what happens in each step; this repaints the tree for the step chosen.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const byNumber = (kind) => new Map([...document.querySelectorAll(`[data-${kind}]`)]
  .map((group) => [Number(group.dataset[kind]), group]));
const nodes = byNumber("node");
const edges = byNumber("edge");
const parted = data.stop && { ...data.stop, kind: "parted" };

let steps = parted ? [...data.steps.slice(0, parted.at), parted] : data.steps;
let now = 0;
let timer = null;

/** Return what is known after steps[index]: visited, cut, windows, best. */
function stateAt(index) {
  const state = { visited: new Set(), cut: new Set(), windows: new Map(), best: new Map() };
  for (const step of steps.slice(0, index + 1)) {
    if (step.kind === "leaf") state.visited.add(step.node);
    if (step.window) state.windows.set(step.node, step.window);
    if (step.best !== undefined) state.best.set(step.node, step.best);
    (step.cut || []).forEach((number) => state.cut.add(number));
  }
  return state;
}

/** Return the node and those above it, from the root down. */
function fromRoot(number) {
  const above = data.parents[number];
  return above === null ? [number] : [...fromRoot(above), number];
}

/** Return the nodes on the way from the root to the best leaf so far. */
function chosenPath(best) {
  const path = new Set();
  for (let number = 0; best.has(number); path.add(number)) number = best.get(number);
  return path;
}

/** Repaint everything for the step `now`. */
function show() {
  const step = steps[now];
  const state = stateAt(now);
  const open = fromRoot(step.node).filter((number) => state.windows.has(number));
  const active = open.at(-1);
  const gone = (number) => fromRoot(number).some((above) => state.cut.has(above));
  const chosen = chosenPath(state.best);
  for (const [number, group] of nodes) {
    const flags = { visited: state.visited.has(number), current: number === step.node,
      active: number === active, closed: !open.includes(number),
      needless: number === step.got, missed: number === step.wanted,
      faded: gone(number) && number !== step.got };
    for (const [name, on] of Object.entries(flags)) group.classList.toggle(name, on);
    group.querySelector(".badge text").textContent = flags.needless ? "!" : "?";
    if (group.classList.contains("inner")) {
      paintWindow(group, state.windows.get(number), number === active);
    }
  }
  for (const [number, group] of edges) {
    const flags = { crossed: state.cut.has(number), chosen: chosen.has(number),
      needless: number === step.got, missed: number === step.wanted,
      faded: gone(number) && !state.cut.has(number) };
    for (const [name, on] of Object.entries(flags)) group.classList.toggle(name, on);
  }
  say(step);
  paintTable(open, state.windows);
  paintControls(step);
}

function paintWindow(group, window, active) {
  const [low, high] = group.querySelectorAll(".bound");
  const [alpha, beta, known, rule] = window || ["", "", "", ""];
  low.textContent = alpha && `α ${alpha}`;
  high.textContent = beta && `β ${beta}`;
  const note = group.querySelector(".note");
  const words = active && rule ? rule : known;
  note.style.display = words ? "" : "none";
  const width = words.length * 7.3 + 16; // stepthrough.py keeps as much room
  note.firstChild.setAttribute("x", -width / 2);
  note.firstChild.setAttribute("width", width);
  note.lastChild.textContent = words;
}

function say({ says, kind }) {
  byId("says").className = `says ${kind}`;
  byId("says").replaceChildren(...says.map((sentence) => {
    const made = document.createElement("p");
    made.textContent = sentence;
    return made;
  }));
}

function paintTable(open, windows) {
  byId("open").querySelector("tbody").replaceChildren(...open.map((number) => {
    const [alpha, beta, known, rule] = windows.get(number);
    const row = document.createElement("tr");
    const cells = [data.names[number], alpha, beta, known || "–", rule || "cannot prune yet"];
    row.append(...cells.map((words, index) => {
      const cell = document.createElement(index ? "td" : "th");
      if (!index) cell.scope = "row";
      cell.textContent = words;
      return cell;
    }));
    return row;
  }));
  byId("open").hidden = !open.length;
}

function paintControls(step) {
  const last = steps.length - 1;
  const words = `Step ${now + 1} of ${last + 1}`;
  byId("slider").max = last;
  byId("slider").value = now;
  byId("slider").setAttribute("aria-valuetext", words);
  byId("count").textContent = words;
  for (const id of ["first", "back"]) byId(id).disabled = now === 0;
  for (const id of ["forward", "last", "play"]) byId(id).disabled = now === last;
  byId("more").hidden = step !== parted || parted.at >= data.steps.length;
}

function goTo(index) {
  now = Math.min(Math.max(index, 0), steps.length - 1);
  if (now === steps.length - 1) play(false);
  show();
  bringIntoView(steps[now].node);
}

/** Bring a node into view inside the drawing, sideways only. */
function bringIntoView(number) {
  const box = document.querySelector(".scroll");
  const frame = box.getBoundingClientRect();
  const place = nodes.get(number).querySelector(".shape").getBoundingClientRect();
  const x = (place.left + place.right) / 2 - frame.left;
  if (x < 90 || x > frame.width - 90) box.scrollBy({ left: x - frame.width / 2 });
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => goTo(now + 1), 1200) : null;
  byId("play").textContent = on ? "Pause" : "Play";
  byId("play").setAttribute("aria-pressed", String(on));
}

const moves = { ArrowLeft: () => now - 1, ArrowRight: () => now + 1, Home: () => 0,
  End: () => steps.length - 1 };
const byHand = (index) => { play(false); goTo(index); };
byId("first").addEventListener("click", () => byHand(0));
byId("back").addEventListener("click", () => byHand(now - 1));
byId("forward").addEventListener("click", () => byHand(now + 1));
byId("last").addEventListener("click", () => byHand(steps.length - 1));
byId("play").addEventListener("click", () => play(timer === null));
byId("slider").addEventListener("input", (event) => byHand(Number(event.target.value)));
byId("goon").addEventListener("click", () => {
  steps = [...steps, ...data.steps.slice(parted.at)];
  byHand(now + 1);
  byId("forward").focus();
});
document.addEventListener("keydown", (event) => {
  const busy = event.ctrlKey || event.altKey || event.metaKey
    || event.target.closest("input, .scroll");
  if (busy || !moves[event.key]) return;
  event.preventDefault();
  byHand(moves[event.key]());
});

byId("controls").hidden = false;
show();
