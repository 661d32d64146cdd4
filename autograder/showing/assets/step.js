// The data hold a tree and one search of it; the engine above, of practice.html, does the rest.

/** Return {nodes, run, parted} of a page's data; `parted` is where a submission's run parts. */
function read(data) {
  const nodes = nodesOf(data.nodes, data.max);
  const [alpha, beta] = data.window;
  const window = { alpha: alpha ?? -Infinity, beta: beta ?? Infinity, plain: data.plain };
  const { stop } = data;
  const parted = stop && { kind: "parted", at: stop.at, says: stop.says, node: nodes[stop.node],
    needless: nodes[stop.needless], missed: nodes[stop.missed] };
  const run = searchTree(nodes[0], data.strict, window, data.steps);
  if (data.plain) for (const step of run.steps) step.says = plainly(step, data.chooses);
  return { nodes, parted, run };
}

/** Say what happens in a step of minimax, which has no alpha and beta; null for a leaf. */
function plainly({ kind, node, child, value, rest }, chooses) {
  const name = `${node.name} (${player(node)})`;
  const which = node.max ? "largest" : "smallest";
  if (kind === "enter") return [`Enter ${name}: its value is the ${which} of its children's.`];
  if (kind === "update") {
    const next = rest.length ? `On to ${rest[0].name}.` : `${node.name} has no more children.`;
    return [`Back at ${name}: ${gave(child, value)}. ${next}`];
  }
  if (kind !== "leave") return null;
  if (node.parent) return [`${name} returns ${shown(value)}, the ${which} of its children's values.`];
  return [`The search is done. The value of the tree is ${shown(value)}.`,
    chooses ? `The move is the leftmost child of ${node.name} with that value: the thick line.` : ""];
}

const page = read(JSON.parse(byId("data").textContent));
const drawn = (kind) => new Map([...document.querySelectorAll(`[data-${kind}]`)]
  .map((group) => [page.nodes[group.dataset[kind]], group]));
const { parted } = page;
const signs = parted ? [[parted.needless, "!"], [parted.missed, "?"]] : [];
let timer = null;
let due = 0; // the step that playing has come to

drawing = { nodes: drawn("node"), edges: drawn("edge") };
[root] = page.nodes;
run = parted ? { ...page.run, steps: [...page.run.steps.slice(0, parted.at), parted] } : page.run;
for (const [node, sign] of signs) {
  if (node) drawing.nodes.get(nearest(node)).querySelector(".badge text").textContent = sign;
}

function show() {
  const end = stepIndex === run.steps.length - 1;
  showStep();
  byId("play").setAttribute("aria-disabled", end);
  byId("more").hidden = run.steps[stepIndex] !== parted || parted.at >= page.run.steps.length;
  if (end || stepIndex !== due) play(false);
}

function play(on) {
  clearInterval(timer);
  due = stepIndex;
  timer = on ? setInterval(() => { due += 1; goTo(due); }, 1200) : null;
  byId("play").textContent = on ? "Pause" : "Play";
  byId("play").setAttribute("aria-pressed", String(on));
}

byId("play").addEventListener("click", () => {
  play(timer === null && stepIndex < run.steps.length - 1);
});
byId("goon").addEventListener("click", () => {
  run.steps.push(...page.run.steps.slice(parted.at));
  goTo(stepIndex + 1);
  byId("forward").focus();
});
byId("controls").hidden = false;
goTo(0);
