"use strict";
// The list of events. Only the rows in sight are elements.

const table = {
  top: 0,          // the first row in sight, with a fraction
  chosen: -1,      // the chosen row
  chosenIndex: -1, // its number among all events
  anchor: null,    // where a selection of several rows began
  follows: false,
  elements: [],
  ownScroll: false,
};

// Browsers cannot show elements that are higher.
const HIGHEST = 8e6;

function rowHeight() { return window.matchMedia("(max-width: 640px)").matches ? 54 : 28; }
function inSight() { return Math.max(1, $("table").clientHeight / rowHeight()); }
function wholeHeight() { return Math.min(HIGHEST, data.total * rowHeight()); }
function isScaled() { return data.total * rowHeight() > HIGHEST; }
function highestTop() { return Math.max(0, data.total - inSight()); }

// Where the scroll bar stands for a first row.
function scrollOf(top) {
  if (!isScaled()) return top * rowHeight();
  return (top / Math.max(1, highestTop())) * (HIGHEST - $("table").clientHeight);
}

function scrollTo(top, keepsFollowing = false) {
  table.top = clamp(top, 0, highestTop());
  if (!keepsFollowing && table.top < highestTop() - 0.5) setFollowing(false);
  table.ownScroll = true;
  $("table").scrollTop = scrollOf(table.top);
  drawRows();
}

function setFollowing(follows) {
  if (table.follows === follows) return;
  table.follows = follows;
  $("follow").setAttribute("aria-pressed", String(follows));
  if (follows) scrollTo(highestTop(), true);
}

// Takes over that there are more rows, or others.
function sizeTable() {
  const element = $("table");
  $("spacer").style.height = wholeHeight() + "px";
  $("rows").style.height = element.clientHeight + "px";
  element.setAttribute("aria-rowcount", String(data.total));
  const empty = $("empty");
  empty.hidden = data.total > 0;
  if (data.total === 0) {
    empty.textContent = isFiltering() ? "Searching for matching events…"
      : data.filter ? "No event matches the filter."
      : data.status.phase === "live" ? "Waiting for events."
      : data.status.phase === "ended" ? "This capture has no events." : "Reading…";
  }
  if (table.follows || table.top > highestTop()) scrollTo(highestTop(), true);
  drawRows();
}

function drawRows() {
  if (table.isDrawing) return;
  table.isDrawing = true;
  requestAnimationFrame(() => { table.isDrawing = false; drawRowsNow(); });
}

function drawRowsNow() {
  const height = rowHeight();
  const first = Math.floor(table.top);
  const number = Math.min(data.total - first, Math.ceil(inSight()) + 1);
  const body = $("rows");
  while (table.elements.length < number) {
    const element = make("div.row");
    element.setAttribute("role", "row");
    element.cells = ["time", "since", "device", "lane", "text", "frames"].map((name) => {
      const cell = make("span." + name);
      cell.setAttribute("role", "gridcell");
      return cell;
    });
    element.chip = make("span.chip");
    element.cells[3].append(element.chip);
    element.append(...element.cells);
    table.elements.push(element);
    body.append(element);
  }
  let [earliest, latest] = [null, null];
  table.elements.forEach((element, place) => {
    const index = first + place;
    element.hidden = place >= number;
    if (element.hidden) return;
    element.style.transform = `translateY(${(index - table.top) * height}px)`;
    const item = row(index);
    if (item) {
      earliest ??= item.axis;
      latest = item.axis;
    }
    fill(element, index, item);
  });
  if (earliest !== null) lanes.seen = [earliest, latest];
  drawSoon();
  const element = $("table");
  if (table.chosen >= first && table.chosen < first + number) {
    element.setAttribute("aria-activedescendant", "row" + table.chosen);
  } else {
    element.removeAttribute("aria-activedescendant");
  }
}

function fill(element, index, item) {
  const chosen = selection();
  element.setAttribute("aria-selected", String(chosen !== null && index >= chosen[0] && index <= chosen[1]));
  const state = item ? index + "/" + item.index + "/" + app.search : "";
  if (element.state === state && item) return;
  element.state = state;
  element.id = "row" + index;
  element.index = index;
  element.setAttribute("aria-rowindex", String(index + 1));
  const [time, since, device, , text, frames] = element.cells;
  if (!item) {
    for (const cell of element.cells) if (cell !== element.cells[3]) cell.textContent = "";
    element.chip.className = "";
    element.chip.textContent = "";
    text.textContent = "…";
    element.className = "row faint";
    return;
  }
  const event = item.event;
  element.className = "row " + weight(event);
  time.textContent = event.time ? event.time.slice(11, 23) : "–";
  since.textContent = "+" + event.time_relative.toFixed(3);
  device.textContent = printable(event.device ? event.device.label : partyOf(item).label || "");
  element.chip.className = "chip " + item.in;
  element.chip.textContent = event.lane;
  write(text, printable(event.text));
  text.title = printable(event.text);
  const [a, b] = event.frames;
  frames.textContent = event.frame_count === 0 ? "" : "#" + a + (b !== a ? "–" + b : "");
}

function partyOf(item) { return data.status.parties.find((p) => p.id === item.party) || {}; }

function weight(event) {
  if (event.severity !== "info") return event.severity;
  if (event.lane === "notification" || event.lane === "reply") return "strong";
  return event.lane === "host" || event.lane === "note" ? "faint" : "";
}

// Writes text with the words that are searched for marked.
function write(element, text) {
  const words = app.search.toLowerCase();
  const at = words ? text.toLowerCase().indexOf(words) : -1;
  if (at < 0) { element.textContent = text; return; }
  element.replaceChildren(text.slice(0, at), make("mark", text.slice(at, at + words.length)), text.slice(at + words.length));
}

// MARK: Choosing

async function choose(index, opens = !$("detail").hidden) {
  if (data.total === 0) return;
  index = clamp(index, 0, data.total - 1);
  table.chosen = index;
  table.anchor = null;
  if (index < Math.ceil(table.top)) scrollTo(index);
  else if (index + 1 > table.top + inSight()) scrollTo(index + 1 - inSight(), table.follows);
  if (index < data.total - 1) setFollowing(false);
  drawRows();
  const item = await rowNow(index);
  if (!item || table.chosen !== index) return;
  table.chosenIndex = item.index;
  lanes.chosen = { axis: item.axis, party: item.party, lane: item.in };
  reveal(item.axis);
  drawSoon();
  noteView();
  if (opens) openDetail(item);
}

// Selects all rows from where the selection began; without that, one row.
function extend(index, anchor = table.anchor ?? table.chosen) {
  table.chosen = clamp(index, 0, data.total - 1);
  table.anchor = anchor === table.chosen ? null : anchor;
  if (table.chosen < Math.ceil(table.top)) scrollTo(table.chosen);
  else if (table.chosen + 1 > table.top + inSight()) scrollTo(table.chosen + 1 - inSight());
  const chosen = selection();
  if (table.anchor !== null) announce(count(chosen[1] - chosen[0] + 1, "event") + " selected");
  drawRows();
}

// Chooses an event by its number among all.
async function chooseEvent(index) {
  const answer = await ask("place", { index, filter: data.filter });
  const height = inSight();
  if (answer.row < table.top || answer.row > table.top + height - 2) scrollTo(answer.row - height / 3);
  await choose(answer.row, true);
}

async function scrollToTime(axis) {
  const answer = await ask("place", { axis: Math.max(0, Math.floor(axis)), filter: data.filter });
  scrollTo(answer.row - 1);
}

function listenToTable() {
  const element = $("table");
  element.addEventListener("scroll", () => {
    if (table.ownScroll) { table.ownScroll = false; return; }
    const place = element.scrollTop;
    const top = isScaled()
      ? (place / (HIGHEST - element.clientHeight)) * highestTop() : place / rowHeight();
    table.top = clamp(top, 0, highestTop());
    setFollowing(table.follows && table.top >= highestTop() - 1.5);
    drawRows();
  }, { passive: true });
  element.addEventListener("wheel", (event) => {
    // Where a pixel of the bar is many rows, the wheel still moves by rows.
    if (!isScaled() || event.ctrlKey) return;
    event.preventDefault();
    scrollTo(table.top + event.deltaY * (event.deltaMode ? 1 : 1 / rowHeight()));
  }, { passive: false });
  $("rows").addEventListener("click", (event) => {
    const element = event.target.closest(".row");
    if (element && event.shiftKey && table.chosen >= 0) extend(element.index);
    else if (element) choose(element.index, true);
  });
  new ResizeObserver(sizeTable).observe(element);
}

function tableKey(event) {
  const page = Math.max(1, Math.floor(inSight()) - 1);
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page }[event.key];
  if (step && event.shiftKey && table.chosen >= 0) extend(table.chosen + step);
  else if (step) choose(table.chosen < 0 ? Math.floor(table.top) : table.chosen + step);
  else if (event.key === "Home") choose(0);
  else if (event.key === "End") choose(data.total - 1);
  else if (event.key === "Enter" && table.chosen >= 0) {
    choose(table.chosen, true).then(() => $("detail").focus());
  } else return false;
  return true;
}
