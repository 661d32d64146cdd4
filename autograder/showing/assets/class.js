// Filter the table of all students by the typed words; sort it on a click on a heading.

const box = document.getElementById("filter");
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

/** Return the sort key of a cell: its number, or else its text. */
const keyOf = (line, column) => {
  const { value } = line.cells[column].dataset;
  return value === undefined ? line.cells[column].textContent : Number(value);
};

function sortBy(column, down) {
  const order = (one, other) => {
    const [a, b] = [keyOf(one, column), keyOf(other, column)];
    return typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true });
  };
  const sorted = [...lines].sort((one, other) => (down ? order(other, one) : order(one, other)));
  table.tBodies[0].append(...sorted);
}

[...table.tHead.rows[0].cells].forEach((head, column) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = head.textContent;
  button.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    sortBy(column, down);
  });
  head.replaceChildren(button);
});
box.addEventListener("input", filter);
box.closest("p").hidden = false;
filter();
