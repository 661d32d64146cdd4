// Filter the table of all students by the typed words; sort it on a click on a heading.

const box = /** @type {HTMLInputElement} */ (document.getElementById("filter"));
/** @type {HTMLTableElement} */
const table = document.querySelector(".students table");
const lines = [...table.tBodies[0].rows];

function filter() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const line of lines) {
    const content = line.textContent.toLowerCase();
    line.hidden = !words.every((word) => content.includes(word));
    shown += line.hidden ? 0 : 1;
  }
  document.getElementById("count").textContent = `${shown} of ${lines.length} shown.`;
}

/** Return the sort key of a cell: the number that it is, or else its text. */
const keyOf = (line, column) => {
  const key = line.cells[column].textContent;
  const number = Number(key);
  return key === "" || isNaN(number) ? key : number;
};

/** Compare two sort keys; empty cells come first. */
const compare = (a, b) => {
  if (a === "" || b === "") return Number(b === "") - Number(a === "");
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
};

function sortBy(column, down) {
  const order = (one, other) => compare(keyOf(one, column), keyOf(other, column));
  const sorted = [...lines].sort((one, other) => (down ? order(other, one) : order(one, other)));
  table.tBodies[0].append(...sorted);
}

[...table.tHead.rows[0].cells].forEach((head, column) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = head.textContent;
  button.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    sortBy(column, down);
  });
  head.replaceChildren(button);
});
box.addEventListener("input", filter);
box.closest("p").hidden = false;
filter();
