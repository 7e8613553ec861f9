// A click on the heading of a column sorts the rows of its table; another click turns them around.
// Numbers come first with the largest, words in the order of the alphabet, empty cells last. Rows
// about all, as "all partners", stay at the end.
const textOf = (row, column) => row.cells[column].textContent.trim();
const numberOf = (text) => parseFloat(text.replace(/^<\s*/, "").replaceAll(",", ""));
const isEmpty = (text) => text === "" || text === "-";
const isOfAll = (row) => textOf(row, 0).startsWith("all ");

function sortRows(table, column, heading) {
  const rows = [...table.tBodies[0].rows];
  const texts = rows.map((row) => textOf(row, column)).filter((text) => !isEmpty(text));
  const areNumbers = texts.every((text) => !Number.isNaN(numberOf(text)));
  const first = areNumbers ? "descending" : "ascending";
  const other = areNumbers ? "ascending" : "descending";
  const order = heading.ariaSort === first ? other : first;
  for (const each of table.tHead.rows[0].cells) each.ariaSort = null;
  heading.ariaSort = order;
  const compare = (a, b) => areNumbers ? numberOf(a) - numberOf(b) : a.localeCompare(b);
  rows.sort((row, next) => {
    if (isOfAll(row) || isOfAll(next)) return isOfAll(row) - isOfAll(next);
    const [a, b] = [textOf(row, column), textOf(next, column)];
    if (isEmpty(a) || isEmpty(b)) return isEmpty(a) - isEmpty(b);
    return order === "ascending" ? compare(a, b) : compare(b, a);
  });
  table.tBodies[0].append(...rows);
}

for (const table of document.querySelectorAll("table:has(thead)")) {
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const sort = () => sortRows(table, column, heading);
    heading.tabIndex = 0;
    heading.title = "Sort by this column";
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", (event) => event.key === "Enter" && sort());
  });
}
