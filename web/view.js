"use strict";
// The view: its address, the sizes of panes, findings, copying of selections, hits of the search.

const view = { isApplying: false, hitFilter: "", hits: null, counting: 0 };

// MARK: Address

// The current view, which a reload, the history and a copied address restore.
function viewAddress() {
  const parts = [];
  if (!lanes.isWhole) parts.push("t=" + Math.round(lanes.from) + "-" + Math.round(lanes.to));
  if (table.chosenIndex >= 0) parts.push("e=" + table.chosenIndex);
  if (data.filter) parts.push("f=" + encodeURIComponent(data.filter));
  if (app.search) parts.push("s=" + encodeURIComponent(app.search));
  if (packets.isShown) parts.push("p=" + packets.number);
  if (lanes.hidden.size) parts.push("h=" + [...lanes.hidden].join(","));
  if (isIdleShort()) parts.push("i=1");
  if (traffic.isShown) parts.push("g=1");
  return parts.length ? "#" + parts.join("&") : "";
}

function noteView() {
  if (view.isApplying || !app.isBegun) return;
  clearTimeout(view.noting);
  view.noting = setTimeout(() => {
    const address = viewAddress();
    if (address !== location.hash) history.replaceState(null, "", location.pathname + address);
  }, 250);
}

// Restores the view from the address.
// Returns: Whether the address contains a view.
async function applyAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (!wanted.size) return false;
  view.isApplying = true;
  try {
    const filter = wanted.get("f") || "";
    if (filter !== data.filter) {
      $("filter").value = filter;
      await setFilter(filter);
    }
    app.search = $("search").value = wanted.get("s") || "";
    countHits();
    const hidden = (wanted.get("h") || "").split(",").filter((lane) => Object.hasOwn(LANES, lane));
    if (hidden.join() !== [...lanes.hidden].join()) {
      lanes.hidden = new Set(hidden);
      arrangeLanes();
    }
    if (isIdleShort() !== (wanted.get("i") === "1")) await toggleGaps();
    if (traffic.isShown !== (wanted.get("g") === "1")) showTraffic();
    const range = /^(\d+)-(\d+)$/.exec(wanted.get("t") || "");
    if (range && Number(range[1]) < Number(range[2])) show(Number(range[1]), Number(range[2]));
    const event = /^\d+$/.test(wanted.get("e") || "") ? Number(wanted.get("e")) : -1;
    if (event >= 0 && event < data.status.events) await chooseEvent(event);
    else if (range) await scrollToTime(lanes.from);
    const packet = /^\d+$/.test(wanted.get("p") || "") ? Number(wanted.get("p")) : -1;
    if (packets.isShown !== packet >= 0) await showList(packet >= 0 ? "packets" : "events");
    if (packet > 0 && packet <= data.status.packets && await goToPackets([packet, packet])) {
      await choosePacket(packets.chosen, !$("detail").hidden);
    }
  } catch { /* The address belongs to another capture. */ } finally {
    view.isApplying = false;
  }
  return true;
}

// Requests the rows of a filter until it has checked all events, or gives up.
// takes: Receives each answer; returns false to stop.
// Returns: The last answer.
async function filtered(filter, takes = () => true) {
  while (true) {
    const answer = await ask("rows", { from: 0, count: 0, filter });
    const isOver = answer.gave_up || (answer.looked >= answer.events && data.status.phase === "ended");
    if (!takes(answer) || isOver) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// MARK: Findings

const FINDINGS = "lane == finding";

// Goes to the next finding after the selected event; after the last one, to the first.
async function nextFinding(backward, filter = FINDINGS) {
  const from = table.chosenIndex < 0 ? 0 : table.chosenIndex + (backward ? 0 : 1);
  try {
    // The filter must first check all events.
    const { total } = await filtered(filter, (answer) => answer.looked < answer.events);
    if (!total) return;
    const place = await ask("place", { index: from, filter });
    const wanted = backward ? (place.row - 1 + total) % total : place.row % total;
    const answer = await ask("rows", { from: wanted, count: 1, filter });
    if (answer.rows.length) await chooseEvent(answer.rows[0].index);
  } catch (error) {
    announce(error.message);
  }
}

// Shows the number of findings, and the worst severity of those that were visible.
function showFindings() {
  const number = data.status.parties.reduce((sum, party) => sum + (party.lanes.finding || 0), 0);
  const button = $("findings");
  button.hidden = number === 0;
  button.textContent = count(number, "finding");
  view.worst = Math.max(view.worst || 0, worstFinding());
  button.classList.toggle("bad", view.worst > 1);
  if (view.opensOnErrors && lanes.answer?.to >= data.status.end) {
    view.opensOnErrors = false;
    openOnErrors();
  }
}

function worstFinding() {
  let worst = 0;
  for (const party of data.status.parties) {
    const cells = lanes.answer?.cells.get(party.id + "finding") || [];
    for (let i = 0; i < cells.length; i += 4) worst = Math.max(worst, cells[i + 2]);
  }
  return worst;
}

// Opens a capture with errors at the first one if there is room for its details beside the list.
function openOnErrors() {
  if (window.innerWidth > 1100 && worstFinding() > 1) nextFinding(false, FINDINGS + " and severity == error");
}

// MARK: Copy

// Shows a message for a moment.
function announce(text) {
  const notice = $("notice");
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(view.announcing);
  view.announcing = setTimeout(() => { notice.hidden = true; }, 2500);
}

const MOST_COPIED = 5000;

// The selected events: their first and last row.
function selection() {
  if (table.chosen < 0) return null;
  const anchor = table.anchor ?? table.chosen;
  return [Math.min(anchor, table.chosen), Math.max(anchor, table.chosen)];
}

async function selectedEvents() {
  const chosen = selection();
  if (!chosen) return [];
  const rows = [];
  const last = Math.min(chosen[1], chosen[0] + MOST_COPIED - 1);
  for (let from = chosen[0]; from <= last; from += 500) {
    const answer = await ask("rows", { from, count: Math.min(500, last - from + 1), filter: data.filter });
    rows.push(...answer.rows);
  }
  return rows.map((row) => row.event);
}

// A Markdown table, which bug trackers render.
function markdownOf(events) {
  const cell = (text) => printable(text).replace(/[\\|`*_<>[\]]/g, "\\$&");
  const lines = ["| time | device | lane | what happened | packets |", "|---|---|---|---|---|"];
  for (const event of events) {
    const [first, last] = event.frames;
    const packets = event.frame_count === 0 ? "" : "#" + first + (last !== first ? "–" + last : "");
    lines.push("| " + [event.time ? event.time.slice(11, 26) : "+" + event.time_relative.toFixed(6),
      cell(event.device?.label || ""), event.lane, cell(event.text), packets].join(" | ") + " |");
  }
  return cell(data.status.name.split("/").pop()) + "\n\n" + lines.join("\n") + "\n";
}

async function copy(form) {
  let events = [];
  try {
    if (form !== "link") events = await selectedEvents();
  } catch (error) {
    return announce(error.message);
  }
  if (form !== "link" && !events.length) return announce("Select an event first.");
  const text = form === "link" ? location.origin + location.pathname + viewAddress()
    : form === "json" ? JSON.stringify(events.length === 1 ? events[0] : events, null, 2) + "\n"
    : markdownOf(events);
  try {
    await navigator.clipboard.writeText(text);
    const cut = events.length === MOST_COPIED ? " (the maximum)" : "";
    announce(form === "link" ? "Address copied. It works as long as hark is running." : count(events.length, "event") + " copied" + cut);
  } catch (error) {
    announce("The browser does not allow copying: " + error.message);
  }
}

function copyButtons() {
  const line = make("div.copies");
  for (const [form, name] of [["markdown", "Copy as Markdown"], ["json", "Copy as JSON"], ["link", "Copy address"]]) {
    line.append(makeButton(name, () => copy(form)));
  }
  line.append(makeButton("Save packets", savePackets));
  return line;
}

// Saves the packets of the selected events, and the packets between them, as a pcapng file.
async function savePackets() {
  const number = chosenPacket();
  const numbers = number ? [number]
    : (await selectedEvents()).filter((event) => event.frame_count > 0).flatMap((event) => event.frames);
  if (!numbers.length) return announce("Select an event with packets first.");
  const [from, to] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  const link = make("a");
  link.href = `capture?from=${from}&to=${to}`;
  const name = (data.status.name || "capture").split("/").pop().replace(/\.[^.]*$/, "");
  link.download = `${name}-${from}-${to}.pcapng`;
  link.click();
  announce((to - from + 1 === 1 ? "Packet " + from : "Packets " + from + " to " + to) + " saved");
}

// MARK: Hits

// The search as a filter, which counts the hits and finds their positions on the time axis.
function hitFilterOf(text) {
  if (!text || /[^ -~\u00a0-\uffff]/.test(text)) return "";
  const pattern = literalPattern(text).replace(/[\\"]/g, "\\$&");
  const hits = `(text matches "${pattern}" or device matches "${pattern}")`;
  return data.filter ? `(${data.filter}) and ${hits}` : hits;
}

async function countHits() {
  const turn = ++view.counting;
  view.hits = null;
  view.hitFilter = hitFilterOf(app.search);
  lanes.hits = null;
  showHits("");
  drawSoon();
  if (!view.hitFilter) return;
  try {
    await filtered(view.hitFilter, (answer) => {
      if (turn !== view.counting) return false;
      view.hits = answer.total;
      showHits(view.hitNote || "");
      askDensity();
      return true;
    });
  } catch { view.hitFilter = ""; }
}

function showHits(note) {
  view.hitNote = note;
  const number = view.hits ? count(view.hits, "hit") : "";
  const where = number && packets.isShown ? number + " in events" : number;
  $("hits").textContent = note === "nothing found" ? note : [where, note].filter(Boolean).join(", ");
}

// MARK: Panes

// A bar that resizes a pane, by pointer or arrow keys.
function splitter(bar, name, read, isVertical) {
  const set = (size) => document.documentElement.style.setProperty(name, Math.round(size) + "px");
  let start = null;
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    start = { at: isVertical ? event.clientX : event.clientY, size: read() };
    event.preventDefault();
  });
  bar.addEventListener("pointermove", (event) => {
    if (!start) return;
    const gone = (isVertical ? event.clientX : event.clientY) - start.at;
    set(limit(start.size + (isVertical ? -gone : gone)));
  });
  const limit = (size) => clamp(size, isVertical ? 300 : 60,
    isVertical ? window.innerWidth - 360 : window.innerHeight - 260);
  bar.addEventListener("pointerup", () => { start = null; });
  bar.addEventListener("pointercancel", () => { start = null; });
  bar.addEventListener("dblclick", () => document.documentElement.style.removeProperty(name));
  bar.addEventListener("keydown", (event) => {
    const step = isVertical ? { ArrowLeft: 24, ArrowRight: -24 }[event.key] : { ArrowUp: -24, ArrowDown: 24 }[event.key];
    if (!step) return;
    set(limit(read() + step));
    event.preventDefault();
    event.stopPropagation();
  });
}

function listenToView() {
  $("findings").addEventListener("click", (event) => nextFinding(event.shiftKey));
  splitter($("split"), "--plot", () => $("plot").clientHeight, false);
  splitter($("side"), "--detail", () => $("detail").clientWidth, true);
  window.addEventListener("hashchange", applyAddress);
  // Any request that hark no longer answers.
  window.addEventListener("unhandledrejection", (event) => {
    if (!(event.reason instanceof Stopped)) return;
    event.preventDefault();
    announce(event.reason.message);
  });
}
