"use strict";
// The list of events.

const table = Object.assign(new List({
  element: "table", spacer: "spacer", rows: "rows",
  columns: ["time", "since", "device", "lane", "text", "frames"],
  total: () => data.total,
  fill,
  drawn: (first, number) => {
    const { element, chosen } = table;
    if (chosen >= first && chosen < first + number) element.setAttribute("aria-activedescendant", "row" + chosen);
    else element.removeAttribute("aria-activedescendant");
  },
  scrolled: (keepsFollowing) => {
    if (!keepsFollowing && table.top < table.highestTop() - 0.5) setFollowing(false);
  },
}), {
  chosen: -1,      // the chosen row
  chosenIndex: -1, // its number among all events
  anchor: null,    // where a selection of several rows began
  follows: false,
});

function setFollowing(follows) {
  if (table.follows === follows) return;
  table.follows = follows;
  $("follow").setAttribute("aria-pressed", String(follows));
  if (follows) table.scrollTo(table.highestTop(), true);
}

// Called if the number of events or their contents changed.
function sizeTable() {
  const empty = $("empty");
  empty.hidden = data.total > 0;
  if (data.total === 0) {
    empty.textContent = isFiltering() ? "Searching for matching events…"
      : data.filter ? "No event matches the filter."
      : data.status.phase === "live" ? "Waiting for events."
      : data.status.phase !== "ended" ? "Reading…"
      : data.status.packets ? "This capture has no events. The list beside this one shows its " + count(data.status.packets, "packet") + "."
      : "This capture has no packets.";
  }
  table.resize();
  if (table.follows) table.scrollTo(table.highestTop(), true);
}

function fill(element, index) {
  const item = events.row(index, data.total);
  const chosen = selection();
  if (!element.chip) {
    element.chip = make("span.chip");
    element.cells[3].append(element.chip);
  }
  element.setAttribute("aria-selected", String(chosen !== null && index >= chosen[0] && index <= chosen[1]));
  const state = item ? index + "/" + item.index + "/" + app.search : "";
  if (element.state === state && item) return item.axis;
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
    return undefined;
  }
  const event = item.event;
  element.className = "row " + weight(event) + (event.frame_count && noteOn(event.frames) ? " noted" : "");
  time.textContent = event.time ? event.time.slice(11, 23) : "–";
  since.textContent = "+" + event.time_relative.toFixed(3);
  write(device, printable(event.device ? event.device.label : partyOf(item).label || ""));
  element.chip.className = "chip " + LANES[event.lane];
  element.chip.textContent = event.lane;
  write(text, printable(event.text));
  text.title = printable(event.text);
  const [a, b] = event.frames;
  frames.textContent = event.frame_count === 0 ? "" : "#" + a + (b !== a ? "–" + b : "");
  return item.axis;
}

function partyOf(item) { return data.status.parties.find((p) => p.id === item.party) || {}; }

function weight(event) {
  if (event.severity !== "info") return event.severity;
  if (event.lane === "notification" || event.lane === "reply") return "strong";
  return event.lane === "host" || event.lane === "note" ? "faint" : "";
}

// Writes text, with the searched words marked wherever they occur.
function write(element, text) {
  if (!app.search) { element.textContent = text; return; }
  const pieces = text.split(new RegExp("(" + literalPattern(app.search) + ")", "iu"));
  element.replaceChildren(...pieces.map((piece, place) => (place % 2 ? make("mark", piece) : piece)));
}

// MARK: Choosing

async function choose(index, opens = !$("detail").hidden) {
  if (data.total === 0) return;
  index = clamp(index, 0, data.total - 1);
  table.chosen = index;
  table.anchor = null;
  table.reveal(index, table.follows);
  if (index < data.total - 1) setFollowing(false);
  table.draw();
  const item = await events.rowNow(index, data.total);
  if (!item || table.chosen !== index) return;
  table.chosenIndex = item.index;
  lanes.chosen = { axis: item.axis, party: item.party, lane: item.event.lane };
  reveal(item.axis);
  drawSoon();
  noteView();
  if (packets.isShown && item.event.frame_count) goToPackets(item.event.frames);
  if (opens) openDetail(item);
}

// Extends the selection from its anchor to a row.
function extend(index, anchor = table.anchor ?? table.chosen) {
  table.chosen = clamp(index, 0, data.total - 1);
  table.anchor = anchor === table.chosen ? null : anchor;
  table.reveal(table.chosen);
  const chosen = selection();
  if (table.anchor !== null) announce(count(chosen[1] - chosen[0] + 1, "event") + " selected");
  table.draw();
}

// Selects an event by its number among all events.
async function chooseEvent(index) {
  const answer = await ask("place", { index, filter: data.filter });
  table.jump(answer.row);
  await choose(answer.row, true);
}

async function scrollToTime(axis) {
  const answer = await ask("place", { axis: Math.max(0, Math.floor(axis)), filter: data.filter });
  table.scrollTo(answer.row - 1);
}

function listenToTable() {
  table.listen();
  $("rows").addEventListener("click", (event) => {
    const element = event.target.closest(".row");
    if (element && event.shiftKey && table.chosen >= 0) extend(element.index);
    else if (element) choose(element.index, true);
  });
  new ResizeObserver(sizeTable).observe(table.element);
}

function tableKey(event) {
  const wanted = table.keyed(event, table.chosen);
  if (wanted !== undefined && event.shiftKey && table.chosen >= 0) extend(wanted);
  else if (wanted !== undefined) choose(wanted);
  else if (event.key === "Enter" && table.chosen >= 0) {
    choose(table.chosen, true).then(() => $("detail").focus());
  } else return false;
  return true;
}
