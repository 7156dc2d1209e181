// Made by Tools/generate-page.py from web/. Do not edit.
// swift-format-ignore-file

/// What the page is made of, by its name in `web`.
enum PageFiles {
  static let all: [String: (type: String, text: String)] = [
"app.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// Connects the parts of the page: header, keyboard, search, filter.

const app = {
  search: "",
  searching: 0,
  again: -1, // the event to select again once the filter has been applied
};

// MARK: Header

function showStatus() {
  const status = data.status;
  $("name").textContent = printable((status.name || "").split("/").pop());
  $("name").title = printable(status.name || "");
  document.title = (status.name ? printable(status.name).split("/").pop() + " – " : "") + "hark";
  const state = $("state");
  state.className = "state";
  if (data.isLost) {
    state.classList.add("problem");
    state.textContent = "hark has stopped";
  } else if (data.failure) {
    state.classList.add("problem");
    state.textContent = data.failure;
  } else if (status.phase === "live") {
    state.classList.add("live");
    state.textContent = "live · " + count(status.events, "event");
  } else if (status.phase === "reading") {
    state.classList.add("reading");
    state.textContent = `reading ${status.percent} % · ` + count(status.events, "event");
  } else {
    if (status.problem) state.classList.add("problem");
    state.textContent = count(status.events, "event") + " · " + count(status.packets, "packet") + " · " + duration(status.end)
      + (status.problem ? " · incomplete" : "");
  }
  state.title = printable(status.problem || "");
  $("follow").hidden = status.phase !== "live";
}

function takeStatus() {
  if (!app.isBegun) {
    app.isBegun = true;
    if (data.status.filter) {
      $("filter").value = data.status.filter;
      setFilter(data.status.filter);
    }
    if (data.status.phase === "live") setFollowing(true);
    app.hasPlace = location.hash.length > 1;
    app.isOpening = true;
  }
  if (app.isOpening && data.status.phase !== "reading") {
    app.isOpening = false;
    // Do not change the selection if the user has already started to look around.
    if (app.hasPlace) applyAddress();
    else view.opensOnErrors = data.status.phase === "ended" && table.chosen < 0;
  }
  showStatus();
  arrangeLanes();
  if (lanes.isWhole) show(0, endOfTime());
  else if (table.follows) show(data.status.end - (lanes.to - lanes.from), data.status.end);
  if (data.filter) askDensity();
  sizeTable();
  showFindings();
  morePackets();
}

data.changed.add((what) => {
  if (what === "status") takeStatus();
  else if (what === "lost") showStatus();
  else if (what === "total") sizeTable();
  else table.draw();
});

// MARK: Filter

async function setFilter(text) {
  text = text.trim();
  const complaint = $("complaint");
  const field = $("filter").closest(".field");
  try {
    if (text) await ask("place", { axis: 0, filter: text });
  } catch (error) {
    complaint.textContent = error.message;
    complaint.hidden = false;
    field.classList.add("wrong");
    return;
  }
  complaint.hidden = true;
  field.classList.remove("wrong");
  field.classList.toggle("active", text !== "");
  $("unfilter").hidden = text === "";
  if (text === data.filter) return;
  // The filter may change again before it has been applied.
  if (table.chosenIndex >= 0) app.again = table.chosenIndex;
  data.filter = text;
  data.total = text ? 0 : data.status.events;
  data.looked = null;
  events.forget();
  table.chosen = table.chosenIndex = -1;
  table.anchor = null;
  lanes.captions = [];
  table.scrollTo(0);
  sizeTable();
  filterPackets();
  noteView();
  if (app.search) countHits();
  await askDensity();
  await watchFilter(text);
  await chooseAgain(text);
  if (data.filter === text) app.again = -1;
}

// After a change of the filter, selects the event that was selected if the filter keeps it. Otherwise nothing is selected.
async function chooseAgain(filter) {
  const index = app.again;
  const isCurrent = () => data.filter === filter && table.chosen < 0 && !view.isApplying;
  if (index < 0 || !isCurrent()) return;
  const { row } = await ask("place", { index, filter });
  const answer = await ask("rows", { from: row, count: 1, filter });
  if (!isCurrent()) return;
  if (answer.rows[0]?.index === index) {
    table.jump(row);
    if (!packets.isShown) return choose(row);
    // The selected packet stays, too.
    [table.chosen, table.chosenIndex] = [row, index];
    await events.rowNow(row, data.total);
    return noteView();
  }
  if (!packets.isShown) lanes.chosen = null;
  drawSoon();
  if (!$("detail").hidden && detail.item) closeDetail();
}

// Shows the filter's results until it has checked all events.
async function watchFilter(text) {
  if (!text) return;
  try {
    await filtered(text, (answer) => {
      if (data.filter !== text) return false;
      takeTotal(answer, text);
      sizeTable();
      askDensity();
      if (answer.gave_up) {
        const complaint = $("complaint");
        complaint.textContent = "The filter takes too long: hark has checked " + answer.looked + " of "
          + answer.events + " events. To speed it up, test a field, such as att.value, instead of frame.";
        complaint.hidden = false;
      }
      return answer.looked < answer.events;
    });
  } catch { /* The page already shows that hark has stopped. */ }
}

// MARK: Search

async function find(backward, from) {
  const text = app.search;
  const turn = ++app.searching;
  if (!text) return;
  let start = from ?? (table.chosen < 0 ? Math.floor(table.top) : table.chosen + (backward ? -1 : 1));
  let wrapped = false;
  while (turn === app.searching) {
    const answer = await ask("find", { text, from: start, backward: backward ? 1 : "", filter: data.filter });
    if (turn !== app.searching) return;
    if (answer.found !== undefined) {
      showHits(wrapped ? "continued from the " + (backward ? "end" : "start") : "");
      table.jump(answer.found);
      await choose(answer.found);
      return;
    }
    if (answer.isOver) {
      if (wrapped) { showHits("nothing found"); return; }
      wrapped = true;
      start = backward ? answer.total - 1 : 0;
    } else {
      start = answer.next;
    }
  }
}

function setSearch(text) {
  app.search = text.trim();
  table.draw();
  noteView();
  countHits();
  find(false, table.chosen < 0 ? Math.floor(table.top) : table.chosen);
}

// MARK: Theme

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  style.cache.clear();
  drawSoon();
}

// The theme chosen with the switch stays, even if the system's theme changes.
let own = null;

function beginTheme() {
  try { own = localStorage.getItem("theme"); } catch { /* not allowed */ }
  setTheme(own || (systemDark.matches ? "dark" : "light"));
  systemDark.addEventListener("change", () => {
    if (!own) setTheme(systemDark.matches ? "dark" : "light");
  });
  $("theme").addEventListener("click", switchTheme);
}

function switchTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  own = theme;
  setTheme(theme);
  try { localStorage.setItem("theme", theme); } catch { /* not allowed */ }
}

// MARK: Keys

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input, textarea, select");
  if (event.key === "Escape") {
    if ($("keys").open) return;
    if (field) { field.blur(); $("complaint").hidden = true; $("table").focus(); }
    else if (table.anchor !== null) extend(table.chosen, null);
    else if (!$("detail").hidden) closeDetail();
    else return;
    event.preventDefault();
    return;
  }
  if (field || $("keys").open) return;
  const actions = {
    "/": () => { $("search").focus(); $("search").select(); },
    f: () => { $("filter").focus(); $("filter").select(); },
    "+": () => zoom(1 / 2), "=": () => zoom(1 / 2), "-": () => zoom(2), "0": showAll,
    ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2),
    e: () => nextFinding(false), E: () => nextFinding(true),
    c: () => copy("markdown"), C: () => copy("json"),
    n: () => find(false), N: () => find(true),
    b: toggleNote, B: nextNote,
    p: () => showList(packets.isShown ? "events" : "packets"), g: showTraffic, i: toggleGaps,
    t: switchTheme, "?": () => $("keys").showModal(),
    l: () => { if (!$("follow").hidden) setFollowing(!table.follows); },
  };
  if (actions[event.key]) actions[event.key]();
  else if (event.target.closest("button, summary, [role=treeitem]") && (event.key === "Enter" || event.key === " ")) return;
  else if (event.target.closest("#detail") && !["j", "k"].includes(event.key)) return;
  else if (!(packets.isShown ? packetKey(event) : tableKey(event))) return;
  event.preventDefault();
}

document.addEventListener("keydown", key);
$("help").addEventListener("click", () => $("keys").showModal());
$("follow").addEventListener("click", () => setFollowing(!table.follows));
$("searching").addEventListener("submit", (event) => { event.preventDefault(); find(false); });
$("search").addEventListener("input", (event) => setSearch(event.target.value));
$("filtering").addEventListener("submit", (event) => { event.preventDefault(); setFilter($("filter").value); });
$("filter").addEventListener("change", (event) => setFilter(event.target.value));
$("unfilter").addEventListener("click", () => { $("filter").value = ""; setFilter(""); });
beginTheme();
listenToLanes();
listenToTable();
listenToView();
listenToPackets();
listenToNotes();
beginNotes();
$("gaps").addEventListener("click", toggleGaps);
listen();
"""## + "\n"),
"data.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// Requests to the program, which are made only for data that the page shows.

const data = {
  status: { events: 0, packets: 0, end: 0, clock: [], parties: [] },
  filter: "",
  total: 0,          // rows, with the filter
  looked: null,      // events that the filter has checked
  gaveUp: false,     // whether the filter took too long
  failure: "",       // why events cannot be read
  changed: new Set(),
};

// hark does not answer any more.
class Stopped extends Error {
  constructor() { super("hark has stopped."); }
}

async function ask(name, values = {}) {
  const parts = Object.entries(values).filter(([, value]) => value !== undefined && value !== "")
    .map(([key, value]) => key + "=" + encodeURIComponent(value));
  const response = await fetch(name + (parts.length ? "?" + parts.join("&") : "")).catch(() => { throw new Stopped(); });
  if (!response.ok) {
    const message = await response.text();
    if (response.status === 500) data.failure = message.trim();
    throw new Error(message);
  }
  const answer = await response.json();
  // An invalid filter: the answer is a sentence with the position of the error.
  if (answer.error) throw new Error(answer.error);
  return answer;
}

function tell(what) { for (const listener of data.changed) listener(what); }

// Updates the number of rows from an answer.
function takeTotal(answer, filter) {
  if (filter !== data.filter) return;
  data.looked = answer.looked ?? null;
  data.gaveUp = answer.gave_up === true;
  if (answer.total !== data.total) {
    data.total = answer.total;
    tell("total");
  }
}

// Whether the filter still has events to check.
function isFiltering() { return !data.gaveUp && data.looked !== null && data.looked < data.status.events; }

const events = new Pages(async (number) => {
  const filter = data.filter;
  try {
    const answer = await ask("rows", { from: number * PAGE, count: PAGE, filter });
    if (filter !== data.filter) return undefined;
    takeTotal(answer, filter);
    // Notify after `Pages` has stored the rows.
    queueMicrotask(() => tell("rows"));
    return answer.rows;
  } catch (error) {
    if (filter === data.filter) tell("lost");
    return undefined;
  }
});

// The time on the capture's clock at a position on the axis, in milliseconds since 1970 and the
// nanoseconds of that millisecond; undefined if the clock was not set.
function clockAt(axis) {
  let found = null;
  for (const setting of data.status.clock) {
    if (setting[0] > axis && found) break;
    found = setting;
  }
  if (!found || found[1] === null) return null;
  const ns = found[2] + (axis - found[0]);
  return { ms: found[1] + Math.floor(ns / 1e6), ns: ((ns % 1e6) + 1e6) % 1e6 };
}

function timeOfDay(axis, decimals = 3) {
  const time = clockAt(axis);
  if (!time) return "+" + (axis / 1e9).toFixed(decimals);
  const text = new Date(time.ms).toISOString().slice(11, 23);
  if (decimals <= 3) return decimals ? text.slice(0, 9 + decimals) : text.slice(0, 8);
  return text + String(Math.floor(time.ns)).padStart(6, "0").slice(0, decimals - 3);
}

function dateOf(axis) {
  const time = clockAt(axis);
  return time ? new Date(time.ms).toISOString().slice(0, 10) : "clock not set";
}

function listen() {
  const stream = new EventSource("live");
  stream.onmessage = (message) => {
    data.isLost = false;
    const status = JSON.parse(message.data);
    // hark has read the capture again with more keys, so everything shown is out of date.
    if (data.status.generation !== undefined && data.status.generation !== status.generation) return location.reload();
    data.status = status;
    if (!data.filter) data.total = data.status.events;
    tell("status");
  };
  stream.onerror = () => {
    data.isLost = true;
    tell("lost");
  };
}
"""## + "\n"),
"detail.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// The details of the selected event, and its packets.

const detail = { item: null, wanted: null, isAsking: false };

// The content of an event's message, if it is a notification or an answer to one.
function notificationOf(event) {
  const kinds = ["add", "update", "present", "response"];
  return (event.contents || []).find((content) => kinds.includes(content.type)) || null;
}

function openDetail(item) {
  const aside = $("detail");
  const isNew = !detail.item || detail.item.index !== item.index;
  if (!isNew && !aside.hidden) return;
  detail.item = item;
  const event = item.event;
  const top = topOf(make("span.chip." + LANES[event.lane], event.lane), event);
  const card = cardOf(event, item.index);
  detail.packet = make("div");
  const sentence = make(event.severity === "info" ? "div" : "div." + event.severity,
    make("p.sentence", printable(event.text)));
  aside.replaceChildren(top, card || sentence, noteForm(), framesOf(event), detail.packet,
    make("h2", "Event"), factsOf(event), copyButtons(), jsonOf(event));
  // The peer may have an address that no key resolves.
  if (event.kind === "link-opened") {
    sentence.append(make("p.body"));
    explain(sentence, item.index);
  }
  aside.scrollTop = 0;
  aside.hidden = false;
  // Events of the app's side are in no packet.
  if (event.frame_count > 0) showPacket(event.frames[1]);
}

// A packet selected in the list of packets.
function openPacket(row) {
  const aside = $("detail");
  detail.item = null;
  const button = make("button.frame", "#" + row.number);
  button.number = row.number;
  detail.frames = make("div.frames-line", make("span", "Packet"), button);
  detail.packet = make("div");
  aside.replaceChildren(topOf(make("span.chip.capture", row.kind), row), make("p.sentence", printable(row.text)), noteForm(),
    detail.frames, detail.packet, make("div.copies", makeButton("Save packet", savePackets)));
  aside.scrollTop = 0;
  aside.hidden = false;
  showPacket(row.number);
}

function topOf(chip, { time, time_relative }) {
  const close = makeButton("×", closeDetail, "button.close");
  close.setAttribute("aria-label", "Close");
  return make("div.top", chip,
    make("span", time ? time.slice(0, 10) + " " + time.slice(11, 26) : "clock not set"),
    make("span", "+" + time_relative.toFixed(6) + " s"), close);
}

function closeDetail() {
  $("detail").hidden = true;
  detail.item = null;
  (packets.isShown ? packets.list : table).element.focus();
}

// MARK: Cards

function cardOf(event, index) {
  const note = notificationOf(event);
  if (["message-locked", "message-unreadable", "link-locked", "advertising-locked"].includes(event.kind)) return lockedCard(event, index);
  if (!note) return null;
  const isReply = note.type === "response";
  const app = isReply ? "Reply" : note.source || note.source_identifier || "Notification";
  const time = make("time", event.time ? event.time.slice(11, 19) : "");
  const head = make("div.app", make("span.badge", printable([...app][0] || "?").toUpperCase()), make("span", printable(app)), time);
  const card = make(isReply ? "div.card.reply" : "div.card", head);
  const title = isReply ? `User chose “${note.action}”` : note.title;
  if (title) card.append(make("div.title", printable(title)));
  if (note.subtitle) card.append(make("div.body", make("strong", printable(note.subtitle))));
  const body = isReply ? note.user_text : note.body;
  if (body) card.append(make("div.body", printableLines(body)));
  if (note.actions && note.actions.length) {
    card.append(make("div.actions", ...note.actions.map((action) =>
      make("span", printable(action.title || action.identifier) + (action.type === "text-input" ? "…" : "")))));
  }
  if (event.key) {
    const opened = make("div.opened", make("b", "Decrypted"), " with key ", make("code", event.key.fingerprint));
    if (event.key.name) opened.append(" of " + printable(event.key.name));
    if (event.key.generation !== undefined) opened.append(", generation " + event.key.generation);
    for (const deviation of event.key.deviations || []) {
      opened.append(" · " + printable(typeof deviation === "string" ? deviation : JSON.stringify(deviation)));
    }
    card.append(opened);
  }
  return card;
}

function lockedCard(event, index) {
  const who = event.direction === "AccessoryToHost" ? "from the accessory" : "to the accessory";
  const what = event.kind === "message-locked" ? "Encrypted message " : "Undecoded message ";
  const titles = { "link-locked": "Encrypted link", "advertising-locked": "Encrypted advertising" };
  const title = titles[event.kind] || what + who + (event.size ? ", " + count(event.size, "byte") : "");
  const card = make("div.card.locked",
    make("div.app", make("span.badge", "!"), make("span", printable(event.framing || ""))),
    make("div.title", title),
    make("div.body", printable(event.reason_text || event.text)));
  if (event.kind === "message-unreadable" || index === undefined) return card;
  card.append(keyForm(event));
  explain(card, index);
  return card;
}

// MARK: Keys

// The explanation of hark explain for an encrypted event, once it has arrived.
async function explain(card, index) {
  const why = await ask("explain", { index }).catch(() => ({}));
  if (!why.reason) return;
  card.querySelector(".verdict")?.remove();
  const list = make("dl.verdict");
  const add = (name, texts) => {
    for (const text of texts || []) list.append(make("dt", name), make("dd", printable(text)));
  };
  add("found", why.found);
  add("missing", why.missing_private_key_of ? ["private key of " + why.missing_private_key_of] : []);
  add("tried", why.tried);
  add("first lost", why.first_lost ? [why.first_lost] : []);
  add("remedy", why.remedies);
  if (list.children.length) card.querySelector(".body").after(list);
}

const KEY_KINDS = [
  ["p256", "Private key, P-256"], ["xWing", "Private key, X-Wing"], ["ltk", "LTK"], ["temporary", "Temporary key"],
  ["", "Key file, PEM, or key log"],
];

// The form for pasting a key, which hark on this machine receives and keeps only in memory.
function keyForm(event) {
  const text = make("textarea.secret");
  text.rows = 2;
  Object.assign(text, { autocomplete: "off", spellcheck: false, placeholder: "Paste a key" });
  text.setAttribute("autocapitalize", "off");
  text.setAttribute("aria-label", "A key, as hexadecimal digits or base64, or the text of a key file");
  const kind = make("select");
  kind.setAttribute("aria-label", "The kind of the key");
  for (const [value, name] of KEY_KINDS) {
    const option = make("option", name);
    option.value = value;
    kind.append(option);
  }
  kind.value = { "link-locked": "ltk", "advertising-locked": "" }[event.kind] ?? "p256";
  const said = make("p.said");
  said.setAttribute("role", "status");
  const form = make("form.key", text, make("div.line", kind, make("button", "Decrypt with this key")), said);
  form.addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const key = text.value.trim();
    text.value = "";
    said.textContent = key ? await give(key, kind.value) : "";
  });
  return form;
}

// Sends a key to hark, and shows the result. The page reloads once hark has read the capture again with the key.
async function give(key, kind) {
  const isSuite = kind === "p256" || kind === "xWing";
  const query = isSuite ? "?kind=accessory&suite=" + kind : kind ? "?kind=" + kind : "";
  try {
    const response = await fetch("keys" + query, { method: "POST", headers: { "Hark-Key": encodeURIComponent(key) } });
    const answer = await response.text();
    if (!response.ok) return printable(answer.trim());
    const keys = JSON.parse(answer).keys;
    return "Added: " + keys.map((one) => one.kind + " " + one.fingerprint).join(", ");
  } catch (error) {
    return printable(error.message);
  }
}

// MARK: Facts

// Members that are shown elsewhere, or only in the full JSON.
const ELSEWHERE = new Set(["time", "time_relative", "frames", "frame_count", "lane", "severity", "text", "contents",
  "plaintext", "device", "link", "controller"]);

function factsOf(event) {
  const list = make("dl.facts");
  const add = (name, value, isCode) => {
    list.append(make("dt", name), make(isCode ? "dd.code" : "dd", printable(value)));
  };
  if (cardOf(event)) add("sentence", event.text);
  if (event.device) {
    const { label, address } = event.device;
    add("device", label === address ? label : label + (address ? " · " + address : ""));
  }
  if (event.link) {
    const { transport, id, handle } = event.link;
    add("link", `${transport} · number ${id}` + (handle === undefined ? "" : ` · handle 0x${handle.toString(16).padStart(4, "0")}`));
    if (!event.device && event.link.device) add("device", event.link.device);
  }
  for (const [name, value] of Object.entries(event)) {
    if (ELSEWHERE.has(name) || value === null) continue;
    if (name === "key") add("key", value.fingerprint + (value.info ? " · info " + value.info : ""), true);
    else if (typeof value !== "object") add(name.replaceAll("_", " "), String(value));
  }
  return list;
}

function jsonOf(event) {
  const json = make("details.json", make("summary", "As JSON"));
  json.addEventListener("toggle", () => {
    if (json.open && json.children.length === 1) {
      json.append(make("pre", printableLines(JSON.stringify(event, null, 2))));
    }
  });
  return json;
}

// MARK: Packets

function framesOf(event) {
  if (event.frame_count === 0) {
    detail.frames = make("div.frames-line", make("span", event.log.file + (event.log.line ? ":" + event.log.line : "")));
    return detail.frames;
  }
  const [first, last] = event.frames;
  const all = event.frame_count === last - first + 1 && event.frame_count <= 8
    ? Array.from({ length: event.frame_count }, (_, i) => first + i) : [...new Set([first, last])];
  const line = make("div.frames-line", make("span", all.length === 1 ? "Packet" : "Packets"));
  for (const number of all) {
    const button = make("button.frame", "#" + number);
    button.number = number;
    button.addEventListener("click", () => showPacket(number));
    line.append(button);
  }
  if (event.frame_count > all.length) line.append(make("span", "of " + count(event.frame_count, "packet")));
  detail.frames = line;
  return line;
}

// Makes one request at a time, and then only the latest pending one.
async function showPacket(number) {
  detail.wanted = number;
  for (const button of detail.frames.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.number === number));
  }
  if (detail.isAsking) return;
  detail.isAsking = true;
  while (detail.wanted !== null) {
    const wanted = detail.wanted;
    detail.wanted = null;
    const place = detail.packet;
    // Do not announce requests that finish at once.
    const notice = setTimeout(() => place.replaceChildren(make("p.wait", "Reading packet " + wanted + "…")), 120);
    try {
      const packet = await ask("packet", { number: wanted });
      clearTimeout(notice);
      if (place === detail.packet) place.replaceChildren(packetView(packet));
    } catch (error) {
      clearTimeout(notice);
      place.replaceChildren(make("p.wrong", printable(error.message)));
    }
  }
  detail.isAsking = false;
}
"""## + "\n"),
"gaps.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// Idle times: drawn at their real length or, on demand, all at the same short length.

const MOST_GAPS = 24;
// The share of the axis that a compressed idle time keeps, and how long one must be to be compressed: a multiple of that, and
// a share of the capture.
const KEPT = 0.025, LONGER = 3, SHORTEST_PART = 0.01;

// The drawn position of a time on the axis, in nanoseconds without the compressed parts.
function short(axis) {
  let gone = 0;
  for (const gap of lanes.gaps) {
    if (axis <= gap.from) break;
    gone += ((Math.min(axis, gap.to) - gap.from) / (gap.to - gap.from)) * (gap.to - gap.from - gap.kept);
  }
  return axis - gone;
}

// The time on the axis at a drawn position.
function long(drawn) {
  let gone = 0;
  for (const gap of lanes.gaps) {
    const from = gap.from - gone;
    if (drawn <= from) break;
    if (drawn < from + gap.kept) return gap.from + ((drawn - from) / gap.kept) * (gap.to - gap.from);
    gone += gap.to - gap.from - gap.kept;
  }
  return drawn + gone;
}

// The parts of a time range between gaps, each divided into buckets of equal length.
function partsOf(from, to) {
  const size = Math.max(1, shownSpan() / Math.ceil((width() - 2 * EDGE) / 3));
  const parts = [];
  const add = (start, end) => {
    if (end <= start) return;
    const buckets = clamp(Math.ceil((end - start) / size), 1, 4000);
    parts.push({ from: Math.floor(start), to: Math.floor(start) + Math.ceil(buckets * size), buckets });
  };
  for (const gap of lanes.gaps) {
    if (gap.to <= from || gap.from >= to) continue;
    add(from, gap.from);
    from = gap.to;
  }
  add(from, to);
  return parts;
}

// Whether idle times are compressed.
function isIdleShort() { return $("gaps").getAttribute("aria-pressed") === "true"; }

// Compresses idle times, or draws them at their real length again.
async function toggleGaps() {
  const isOn = !isIdleShort();
  $("gaps").setAttribute("aria-pressed", String(isOn));
  lanes.gaps = isOn ? await findGaps() : [];
  if (isOn) announce(lanes.gaps.length ? count(lanes.gaps.length, "idle period") + " compressed" : "No long idle periods");
  if (lanes.isWhole) showAll();
  else show(lanes.from, lanes.to);
}

// The longest times without events.
async function findGaps() {
  const end = endOfTime();
  const buckets = 4000;
  const answer = await ask("density", { from: 0, to: end, buckets, filter: "" });
  const used = new Uint8Array(buckets + 1);
  for (const { cells } of answer.lanes) for (let i = 0; i < cells.length; i += 4) used[cells[i]] = 1;
  used[0] = used[buckets] = 1;
  const empty = [];
  for (let i = 0, last = 0; i <= buckets; i++) {
    if (!used[i]) continue;
    if (i - last > SHORTEST_PART * buckets) empty.push({ from: ((last + 1) / buckets) * end, to: (i / buckets) * end });
    last = i;
  }
  const gaps = empty.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST_GAPS);
  const rest = end - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const kept = Math.max(rest * KEPT, 1);
  return gaps.filter((gap) => gap.to - gap.from > LONGER * kept)
    .map((gap) => ({ ...gap, kept })).sort((a, b) => a.from - b.from);
}

// Draws a band for each gap.
function drawGaps(context) {
  context.fillStyle = color("line");
  for (const gap of lanes.gaps) {
    const [a, b] = [xOf(gap.from), xOf(gap.to)];
    if (b < 0 || a > width()) continue;
    for (let x = a; x <= b; x += 4) context.fillRect(Math.round(x), 0, 1, lanes.height);
  }
}

// Writes the length of each gap at the axis if there is room.
function drawGapLengths(context) {
  context.font = "10px " + getComputedStyle(document.body).fontFamily;
  context.fillStyle = color("accent");
  let end = 0;
  for (const gap of lanes.gaps) {
    const [text, x] = [duration(gap.to - gap.from), xOf((gap.from + gap.to) / 2)];
    const half = context.measureText(text).width / 2;
    if (x - half < end || x + half > width()) continue;
    context.fillText(text, x, 27);
    end = x + half + 4;
  }
}
"""## + "\n"),
"icon.svg": ("image/svg+xml; charset=utf-8", ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#2f6fde"/>
  <g stroke="#fff" stroke-width="2.6" stroke-linecap="round">
    <path d="M7 14v4M11.5 10v12M16 6.5v19M20.5 11v10M25 14v4"/>
  </g>
</svg>
"""## + "\n"),
"index.html": ("text/html; charset=utf-8", ##"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>hark</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="style.css">
<script src="util.js" defer></script>
<script src="list.js" defer></script>
<script src="data.js" defer></script>
<script src="gaps.js" defer></script>
<script src="lanes.js" defer></script>
<script src="table.js" defer></script>
<script src="packets.js" defer></script>
<script src="traffic.js" defer></script>
<script src="notes.js" defer></script>
<script src="packet.js" defer></script>
<script src="detail.js" defer></script>
<script src="view.js" defer></script>
<script src="app.js" defer></script>
</head>
<body>
<a class="skip" href="#table">Skip to the events</a>
<header>
  <div class="brand">
    <img src="icon.svg" alt="" width="26" height="26">
    <strong>hark</strong>
    <span id="name" class="name"></span>
    <span id="state" class="state" role="status"></span>
  </div>
  <form id="searching" role="search">
    <label class="field">
      <svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg>
      <input id="search" type="search" placeholder="Search" aria-label="Search the events and devices" autocomplete="off" spellcheck="false">
      <kbd aria-hidden="true">/</kbd>
    </label>
    <span id="hits" class="hits" role="status"></span>
  </form>
  <form id="filtering">
    <label class="field">
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 3.5h12L9.5 9v4L6.5 14V9z"/></svg>
      <input id="filter" type="text" placeholder="Filter: lane == pairing or device contains &quot;Buds&quot;" aria-label="Filter, in hark’s filter language" aria-describedby="complaint" autocomplete="off" autocapitalize="off" spellcheck="false">
      <button id="unfilter" type="button" class="clear" aria-label="Clear the filter" hidden>×</button>
      <kbd aria-hidden="true">f</kbd>
    </label>
    <pre id="complaint" class="complaint" role="alert" hidden></pre>
  </form>
  <div class="buttons">
    <button id="findings" type="button" class="findings" title="Go to the next finding" hidden></button>
    <button id="notes" type="button" title="Save the notes as a file for hark report --notes" hidden></button>
    <button id="graphs" type="button" aria-pressed="false" title="Show throughput and latency of each channel">Graphs</button>
    <button id="follow" type="button" aria-pressed="false" hidden>Follow</button>
    <button id="theme" type="button" class="icon" aria-label="Switch between dark and light">
      <svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5.5"/><path class="solid" d="M8 2.5a5.5 5.5 0 0 1 0 11z"/></svg>
    </button>
    <button id="help" type="button" class="icon" aria-label="Keyboard shortcuts">?</button>
  </div>
</header>
<section id="lanes" class="lanes" aria-label="Time axis">
  <div class="axisline">
    <div class="zoom" role="group" aria-label="Zoom">
      <button id="out" type="button" class="icon" aria-label="Zoom out">−</button>
      <button id="in" type="button" class="icon" aria-label="Zoom in">+</button>
      <button id="fit" type="button">Fit</button>
      <button id="gaps" type="button" aria-pressed="false" title="Compress idle time">Idle</button>
    </div>
    <canvas id="axis" aria-hidden="true"></canvas>
  </div>
  <div class="plot" id="plot">
    <div id="labels" class="labels"></div>
    <canvas id="marks" tabindex="0" role="img" aria-label="Events by device and lane over time. Arrow keys move along the axis, plus and minus zoom."></canvas>
  </div>
  <div id="traffic" class="traffic" hidden>
    <div id="trafficlabels" class="labels"></div>
    <canvas id="trafficplot" role="img" aria-label="Bytes sent and received, and the latency of responses, by channel over time"></canvas>
  </div>
  <div id="tip" class="tip" hidden></div>
</section>
<div id="split" class="split" role="separator" aria-orientation="horizontal" aria-label="Height of the time axis" tabindex="0"></div>
<main id="main">
  <section class="list" aria-label="Events and packets">
    <div class="tabs" role="tablist" aria-label="List">
      <button id="eventstab" type="button" role="tab" aria-selected="true" aria-controls="events">Events</button>
      <button id="packetstab" type="button" role="tab" aria-selected="false" aria-controls="packets" tabindex="-1">Packets</button>
    </div>
    <div id="events" class="pane" role="tabpanel" aria-labelledby="eventstab">
      <div class="head row" aria-hidden="true">
        <span class="time">Time</span><span class="since">Since start</span><span class="device">Device</span><span class="lane">Lane</span><span class="text">What happened</span><span class="frames">Packets</span>
      </div>
      <div id="table" class="table" role="grid" aria-label="Events" tabindex="0" aria-colcount="6">
        <div id="spacer" class="spacer" role="presentation"><div id="rows" class="rows" role="rowgroup"></div></div>
      </div>
      <p id="empty" class="empty" hidden></p>
    </div>
    <div id="packets" class="pane packets" role="tabpanel" aria-labelledby="packetstab" hidden>
      <div class="head row" aria-hidden="true">
        <span class="frames">Packet</span><span class="time">Time</span><span class="device">Device</span><span class="lane">Direction</span><span class="text">Content</span><span class="since">Bytes</span>
      </div>
      <p id="packetnotice" class="packetnotice" role="status" hidden></p>
      <div id="packettable" class="table" role="grid" aria-label="Packets" tabindex="0" aria-colcount="6">
        <div id="packetspacer" class="spacer" role="presentation"><div id="packetrows" class="rows" role="rowgroup"></div></div>
      </div>
    </div>
  </section>
  <div id="side" class="side" role="separator" aria-orientation="vertical" aria-label="Width of the event panel" tabindex="0"></div>
  <aside id="detail" class="detail" aria-label="Event" tabindex="-1" hidden></aside>
</main>
<p id="notice" class="notice" role="status" hidden></p>
<dialog id="keys" aria-labelledby="keystitle">
  <h2 id="keystitle">Keyboard shortcuts</h2>
  <dl>
    <dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>previous and next event; also <kbd>k</kbd> <kbd>j</kbd>, <kbd>Page Up</kbd>, <kbd>Home</kbd> …</dd>
    <dt><kbd>Enter</kbd></dt><dd>show the event's packets</dd>
    <dt><kbd>Esc</kbd></dt><dd>close a panel, or leave a field</dd>
    <dt><kbd>/</kbd></dt><dd>search; <kbd>n</kbd> and <kbd>N</kbd> go to the next and the previous hit</dd>
    <dt><kbd>f</kbd></dt><dd>filter the events and the packets, as with <code>-Y</code></dd>
    <dt><kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd></dt><dd>zoom in, zoom out, show everything</dd>
    <dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>move along the time axis</dd>
    <dt><kbd>i</kbd></dt><dd>compress idle time, or show it in full</dd>
    <dt><kbd>e</kbd> <kbd>E</kbd></dt><dd>next and previous finding</dd>
    <dt><kbd>Shift</kbd> <kbd>↑</kbd> <kbd>↓</kbd></dt><dd>select several events</dd>
    <dt><kbd>c</kbd> <kbd>C</kbd></dt><dd>copy the selection as Markdown or as JSON</dd>
    <dt><kbd>Alt</kbd> <kbd>↑</kbd> <kbd>↓</kbd></dt><dd>move the lane whose name has the focus; <kbd>Delete</kbd> hides the lane</dd>
    <dt><kbd>b</kbd> <kbd>B</kbd></dt><dd>bookmark the selected event or packet, with an optional note; go to the next bookmark</dd>
    <dt><kbd>p</kbd></dt><dd>switch between events and packets</dd>
    <dt><kbd>g</kbd></dt><dd>show throughput and latency of each channel</dd>
    <dt><kbd>l</kbd></dt><dd>follow new events</dd>
    <dt><kbd>t</kbd></dt><dd>switch between dark and light</dd>
    <dt><kbd>?</kbd></dt><dd>show this list</dd>
  </dl>
  <p>On the time axis, the wheel zooms, dragging moves the axis, a click selects an event, and a double click zooms in. In a packet, selecting a field highlights its bytes, and vice versa.</p>
  <p>This tab keeps notes even if you reload the page; save them before you close it. To restore them, drop the saved file on the page.</p>
  <p class="quiet">Nothing on this page leaves your machine. Keys are shown as fingerprints only.</p>
  <form method="dialog"><button>Close</button></form>
</dialog>
</body>
</html>
"""## + "\n"),
"lanes.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// The time axis and the lanes. The program counts the events in each bucket of the visible range.

const lanes = {
  from: 0,
  to: 1,
  isWhole: true,      // whether all is shown, including new events
  layout: [],         // { party, lane, top }: the position of each line
  height: 0,
  answer: null,       // the last density, with its range
  captions: [],       // events with room for their text
  chosen: null,       // { axis, party, lane }
  seen: null,         // the times of the visible rows
  hover: null,
  hits: null,         // positions of the search's hits on the axis
  folded: new Set(),  // parties without their lanes
  hidden: new Set(),  // lanes that the user has hidden
  gaps: [],           // { from, to }: compressed idle times
};

// The lanes of the timeline and their colors in style.css; related lanes share one.
const LANES = {
  host: "link", link: "link", pairing: "security",
  l2cap: "transport", sdp: "transport", rfcomm: "transport", call: "audio", audio: "audio", iap2: "transport", gatt: "gatt",
  keys: "security", session: "transport", notification: "messages", reply: "messages", configuration: "configuration",
  app: "app", note: "capture", gap: "capture", finding: "finding",
};
const laneOrder = Object.keys(LANES);
const PARTY_HEIGHT = 26, LANE_HEIGHT = 22, SHORTEST = 2e3, EDGE = 14;

// Arranges the lanes; creates their labels again only if something changed.
function arrangeLanes() {
  const wanted = JSON.stringify([[...lanes.folded], [...lanes.hidden], laneOrder,
    data.status.parties.map((p) => [p.id, p.label, p.address, Object.entries(p.lanes)])]);
  if (wanted === lanes.arranged) return;
  lanes.arranged = wanted;
  lanes.layout = [];
  const labels = [];
  let top = 0;
  for (const party of data.status.parties) {
    const isFolded = lanes.folded.has(party.id);
    const name = make("button.party", printable(party.label));
    name.type = "button";
    name.title = printable(party.label) + (party.address ? " " + party.address : "");
    name.setAttribute("aria-expanded", String(!isFolded));
    name.addEventListener("click", () => toggleLanes(lanes.folded, party.id));
    if (party.address && party.address !== party.label) name.append(make("small", party.address));
    labels.push(name);
    top += PARTY_HEIGHT;
    for (const lane of isFolded ? [] : laneOrder) {
      if (!party.lanes[lane] || lanes.hidden.has(lane)) continue;
      labels.push(laneLabel(lane, party.lanes[lane]));
      lanes.layout.push({ party: party.id, lane, top });
      top += LANE_HEIGHT;
    }
  }
  if (lanes.hidden.size) {
    const all = make("button.unhide", "Show " + count(lanes.hidden.size, "hidden lane"));
    all.type = "button";
    all.addEventListener("click", () => { lanes.hidden.clear(); arrangeLanes(); noteView(); });
    labels.push(all);
    top += LANE_HEIGHT;
  }
  lanes.height = top + 6;
  const focused = [...$("labels").children].indexOf(document.activeElement);
  // All labels are one Tab stop; arrow keys move between them.
  labels.forEach((label, place) => { label.tabIndex = place === Math.max(0, focused) ? 0 : -1; });
  $("labels").replaceChildren(...labels);
  if (focused >= 0) labels[Math.min(focused, labels.length - 1)]?.focus();
  sizeLanes();
}

function labelKey(event) {
  const labels = [...$("labels").children];
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const next = step && !event.altKey && labels[labels.indexOf(event.target) + step];
  if (!next) return;
  for (const label of labels) label.tabIndex = label === next ? 0 : -1;
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}

function toggleLanes(set, one) {
  if (!set.delete(one)) set.add(one);
  arrangeLanes();
  noteView();
}

// The name of a lane. Dragging it, or Alt with an arrow key, moves the lane in all devices.
function laneLabel(lane, number) {
  const hide = make("button.hide", "×");
  hide.type = "button";
  hide.tabIndex = -1;
  hide.setAttribute("aria-label", "Hide " + lane);
  hide.addEventListener("click", () => toggleLanes(lanes.hidden, lane));
  const label = make("div.lane." + LANES[lane], make("span", lane), make("span.number", grouped(number)), hide);
  label.lane = lane;
  label.setAttribute("role", "group");
  label.setAttribute("aria-label", lane + ", " + count(number, "event") + ". Alt and an arrow key move the lane; Delete hides it.");
  label.addEventListener("keydown", (event) => {
    const step = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step) moveLane(lane, step);
    else if (event.key === "Delete") toggleLanes(lanes.hidden, lane);
    else return;
    event.preventDefault();
    event.stopPropagation();
    [...$("labels").querySelectorAll(".lane")].find((other) => other.lane === lane)?.focus();
  });
  label.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target === hide) return;
    label.setPointerCapture(event.pointerId);
    lanes.dragged = { lane, y: event.clientY };
  });
  label.addEventListener("pointermove", (event) => {
    const gone = lanes.dragged?.lane === lane ? event.clientY - lanes.dragged.y : 0;
    if (Math.abs(gone) < LANE_HEIGHT || label.isConnected === false) return;
    const there = shownLanes();
    const target = there[clamp(there.indexOf(lane) + Math.round(gone / LANE_HEIGHT), 0, there.length - 1)];
    lanes.dropped = target;
    for (const other of $("labels").querySelectorAll(".lane")) other.classList.toggle("target", other.lane === target);
  });
  const drop = () => {
    if (lanes.dragged && lanes.dropped && lanes.dropped !== lane) {
      laneOrder.splice(laneOrder.indexOf(lanes.dropped), 0, ...laneOrder.splice(laneOrder.indexOf(lane), 1));
      lanes.dragged = lanes.dropped = null;
      arrangeLanes();
    }
    lanes.dragged = lanes.dropped = null;
  };
  label.addEventListener("pointerup", drop);
  label.addEventListener("pointercancel", () => { lanes.dragged = lanes.dropped = null; arrangeLanes(); });
  return label;
}

function shownLanes() {
  return laneOrder.filter((one) => !lanes.hidden.has(one) && data.status.parties.some((p) => p.lanes[one]));
}

// Swaps a lane with the next visible one.
function moveLane(lane, step) {
  const there = shownLanes();
  const other = there[there.indexOf(lane) + step];
  if (!other) return;
  const [a, b] = [laneOrder.indexOf(lane), laneOrder.indexOf(other)];
  [laneOrder[a], laneOrder[b]] = [laneOrder[b], laneOrder[a]];
  arrangeLanes();
}

function sizeLanes() {
  const ratio = window.devicePixelRatio || 1;
  for (const [canvas, height] of [[$("axis"), 34], [$("marks"), lanes.height], [$("trafficplot"), traffic.height]]) {
    canvas.style.height = height + "px";
    const width = canvas.clientWidth;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  }
  askDensity();
  drawSoon();
}

function width() { return Math.max(50, $("marks").clientWidth); }
// A margin at the edges keeps the first and the last mark from being cut off.
function xOf(axis) { return EDGE + ((short(axis) - short(lanes.from)) / shownSpan()) * (width() - 2 * EDGE); }
function axisAt(x) { return long(short(lanes.from) + ((x - EDGE) / (width() - 2 * EDGE)) * shownSpan()); }
function shownSpan() { return short(lanes.to) - short(lanes.from); }

function endOfTime() { return Math.max(1e6, data.status.end); }

function show(from, to) {
  const end = endOfTime();
  let span = clamp(to - from, SHORTEST, end);
  from = clamp(from, 0, Math.max(0, end - span));
  lanes.isWhole = span >= end;
  lanes.from = from;
  lanes.to = from + span;
  noteView();
  askDensity();
  drawSoon();
}

// The list follows when the user zooms or moves the lanes, unless its selected event is still visible.
function followLanes() {
  clearTimeout(lanes.following);
  lanes.following = setTimeout(() => {
    const chosen = lanes.chosen?.axis;
    if (table.follows || lanes.isWhole || (chosen >= lanes.from && chosen <= lanes.to)) return;
    scrollToTime(lanes.from);
  }, 200);
}

function showAll() { lanes.isWhole = true; show(0, endOfTime()); }

function zoom(factor, around = axisAt(width() / 2)) {
  const [from, at] = [short(lanes.from), short(around)];
  const span = clamp(shownSpan() * factor, SHORTEST, short(endOfTime()));
  const part = (at - from) / shownSpan();
  show(long(at - part * span), long(at + (1 - part) * span));
  followLanes();
}

function move(part) {
  const step = shownSpan() * part;
  // The visible range keeps its length at both ends of the capture.
  const from = clamp(short(lanes.from) + step, 0, Math.max(0, short(endOfTime()) - shownSpan()));
  show(long(from), long(from + shownSpan()));
  followLanes();
}

// Makes a position visible without changing the zoom.
function reveal(axis) {
  const span = lanes.to - lanes.from;
  if (axis < lanes.from || axis > lanes.to) show(axis - span / 2, axis + span / 2);
}

// MARK: Contents

// Makes one request at a time, and another one if the view changed in the meantime.
async function askDensity() {
  if (lanes.isAsking) { lanes.asksAgain = true; return; }
  lanes.isAsking = true;
  try {
    do {
      lanes.asksAgain = false;
      const filter = data.filter;
      // Also request the surroundings, so that they can be shown at once when the user moves.
      const beside = shownSpan() / 4;
      const parts = partsOf(Math.max(0, long(short(lanes.from) - beside)), long(short(lanes.to) + beside) + 1);
      const answer = await askParts("density", parts, { filter });
      if (filter !== data.filter) { lanes.asksAgain = true; continue; }
      if (answer.last) takeTotal(answer.last, filter);
      // Events that the filter excludes stay visible, dimmed.
      const all = filter ? (await askParts("density", parts, { filter: "" })).cells : null;
      lanes.answer = { to: parts.at(-1)?.to, size: answer.size, cells: answer.cells, all };
      await askHits(parts);
      await askTraffic(parts);
      showFindings();
      drawSoon();
      await askCaptions(filter);
    } while (lanes.asksAgain);
  } catch (error) {
    tell("lost");
  } finally {
    lanes.isAsking = false;
  }
}

// Requests the counts for parts of the time axis.
// Returns: cells: by lane or channel, four numbers for each bucket that is not empty, the first of
// them its position on the axis; size: the length of a bucket; last: the last answer, unchanged.
async function askParts(name, parts, values) {
  const cells = new Map();
  let [size, last] = [1, null];
  for (const { from, to, buckets } of parts) {
    last = await ask(name, { from, to, buckets, ...values });
    size = (to - from) / buckets;
    for (const line of last.lanes || last.streams) {
      const key = line.name ?? line.party + line.lane;
      if (!cells.has(key)) cells.set(key, []);
      const all = cells.get(key);
      for (let i = 0; i < line.cells.length; i += 4) {
        all.push(from + (line.cells[i] + 0.5) * size, line.cells[i + 1], line.cells[i + 2], line.cells[i + 3]);
      }
    }
  }
  return { cells, size, last };
}

// The positions of the search's hits on the axis.
async function askHits(parts) {
  const filter = view.hitFilter;
  if (!filter) { lanes.hits = null; return; }
  const answer = await askParts("density", parts, { filter });
  if (filter !== view.hitFilter) return;
  const places = new Set();
  for (const cells of answer.cells.values()) for (let i = 0; i < cells.length; i += 4) places.add(cells[i]);
  lanes.hits = [...places];
}

// If few events are visible, their texts fit beside the marks.
async function askCaptions(filter) {
  let inSight = 0;
  for (const cells of lanes.answer.cells.values()) {
    for (let i = 0; i < cells.length; i += 4) {
      if (cells[i] >= lanes.from && cells[i] <= lanes.to) inSight += cells[i + 1];
    }
  }
  if (inSight === 0 || inSight > 90) { lanes.captions = []; return; }
  const place = await ask("place", { axis: Math.floor(lanes.from), filter });
  const answer = await ask("rows", { from: place.row, count: 120, filter });
  if (filter !== data.filter) return;
  lanes.captions = answer.rows;
  drawSoon();
}

// MARK: Drawing

function drawSoon() {
  if (lanes.isDrawing) return;
  lanes.isDrawing = true;
  requestAnimationFrame(() => { lanes.isDrawing = false; drawAxis(); drawMarks(); drawTraffic(); });
}

function begin(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = "middle";
  return context;
}

const STEPS = [1, 2, 5];
// The smallest round step of at least the given number of nanoseconds.
function niceStep(least) {
  const long = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
  for (const s of long) if (s * 1e9 >= least && least > 5e8) return s * 1e9;
  if (least > 86400e9) return Math.ceil(least / 86400e9) * 86400e9;
  for (let unit = 1; ; unit *= 10) for (const s of STEPS) if (s * unit >= least) return s * unit;
}

function ticks() {
  const step = niceStep((shownSpan() / width()) * 110);
  // Ticks at round clock times, if the clock was set.
  const clock = data.status.clock.length === 1 && clockAt(0);
  const offset = clock ? (clock.ms % 86400000) * 1e6 + clock.ns : 0;
  const places = [];
  for (let t = Math.ceil((lanes.from + offset) / step) * step - offset; t <= lanes.to; t += step) {
    const gap = lanes.gaps.find((one) => t > one.from && t < one.to);
    if (gap) t = Math.floor((gap.to + offset) / step) * step - offset;
    else places.push(t);
  }
  const decimals = step >= 1e9 ? 0 : step >= 1e6 ? 3 : 6;
  return { places, decimals, step };
}

function drawAxis() {
  const canvas = $("axis");
  const context = begin(canvas);
  const { places, decimals } = ticks();
  context.font = "11px " + getComputedStyle(document.body).fontFamily;
  context.fillStyle = color("quiet");
  context.textAlign = "center";
  for (const place of places) {
    const x = xOf(place);
    context.fillRect(Math.round(x), 28, 1, 6);
    const text = timeOfDay(place, decimals);
    const half = context.measureText(text).width / 2;
    context.fillText(text, clamp(x, half + 3, width() - half - 3), 15);
  }
  drawGapLengths(context);
  context.fillStyle = color("hit");
  for (const hit of lanes.hits || []) context.fillRect(Math.round(xOf(hit)) - 1, 24, 3, 7);
  if (lanes.seen) {
    const [a, b] = [clamp(xOf(lanes.seen[0]), 0, width()), clamp(xOf(lanes.seen[1]), 0, width())];
    context.fillStyle = color("accent");
    context.globalAlpha = 0.55;
    context.fillRect(a - 1, 31, Math.max(3, b - a + 2), 3);
    context.globalAlpha = 1;
  }
}

function drawMarks() {
  const canvas = $("marks");
  const context = begin(canvas);
  const total = width();
  context.fillStyle = color("line");
  for (const place of ticks().places) {
    context.globalAlpha = 0.6;
    context.fillRect(Math.round(xOf(place)), 0, 1, lanes.height);
  }
  context.globalAlpha = 1;
  drawGaps(context);
  if (lanes.chosen) {
    context.fillStyle = color("accent");
    context.globalAlpha = 0.6;
    context.fillRect(Math.round(xOf(lanes.chosen.axis)), 0, 1, lanes.height);
    context.globalAlpha = 1;
  }
  if (!lanes.answer) return;
  // Draw only the lanes that the panel shows.
  const plot = $("plot");
  const [top, bottom] = [plot.scrollTop - LANE_HEIGHT, plot.scrollTop + plot.clientHeight];
  for (const line of lanes.layout) {
    if (line.top < top || line.top > bottom) continue;
    const middle = line.top + LANE_HEIGHT / 2;
    context.fillStyle = color("line");
    context.fillRect(0, middle, total, 1);
  }
  drawCaptions(context);
  for (const line of lanes.layout) {
    if (line.top >= top && line.top <= bottom) drawCells(context, line, line.top + LANE_HEIGHT / 2);
  }
  if (lanes.chosen) drawChosen(context);
}

function drawCells(context, line, middle) {
  const { all } = lanes.answer;
  if (all) {
    context.fillStyle = color("quiet");
    context.globalAlpha = 0.22;
    const cells = all.get(line.party + line.lane) || [];
    for (let i = 0; i < cells.length; i += 4) context.fillRect(xOf(cells[i]) - 1.5, middle - 3, 3, 7);
    context.globalAlpha = 1;
  }
  const cells = lanes.answer.cells.get(line.party + line.lane);
  if (!cells) return;
  const wide = Math.max(3, (lanes.answer.size / shownSpan()) * (width() - 2 * EDGE));
  const ink = color(LANES[line.lane]);
  for (let i = 0; i < cells.length; i += 4) {
    const x = xOf(cells[i]);
    if (x < -8 || x > width() + 8) continue;
    const number = cells[i + 1];
    const severity = cells[i + 2];
    context.fillStyle = ink;
    if (number === 1 && wide < 14) {
      context.beginPath();
      context.arc(x, middle + 0.5, 3.6, 0, 7);
      context.fill();
    } else {
      const height = clamp(7 + Math.log2(number) * 1.6, 7, 18);
      context.globalAlpha = clamp(0.55 + Math.log10(number) * 0.15, 0.55, 1);
      context.fillRect(x - wide / 2, middle + 0.5 - height / 2, wide, height);
      context.globalAlpha = 1;
    }
    if (severity > 0) {
      context.fillStyle = color(severity > 1 ? "error" : "warning");
      context.beginPath();
      context.arc(x, middle + 0.5, severity > 1 ? 4.6 : 4, 0, 7);
      context.fill();
      context.fillStyle = color("panel");
      context.fillRect(x - 0.7, middle - 2, 1.4, 3.2);
      context.fillRect(x - 0.7, middle + 2, 1.4, 1.4);
    }
  }
}

// Writes the texts of events that fit before the next mark of their lane.
function drawCaptions(context) {
  if (!lanes.captions.length) return;
  context.font = "11.5px " + getComputedStyle(document.body).fontFamily;
  context.textAlign = "left";
  const next = new Map();
  for (let i = lanes.captions.length - 1; i >= 0; i--) {
    const row = lanes.captions[i];
    const key = row.party + row.event.lane;
    const line = lanes.layout.find((l) => l.party === row.party && l.lane === row.event.lane);
    if (!line) continue;
    const x = xOf(row.axis);
    const room = Math.min(next.get(key) ?? width(), width()) - x - 20;
    next.set(key, x);
    if (x < 0 || x > width() || room < 44) continue;
    const text = fitted(context, printable(shortText(row.event)), room);
    if (!text) continue;
    // Clear the lane's line behind the text.
    context.fillStyle = color("panel");
    context.fillRect(x + 7, line.top + 2, context.measureText(text).width + 5, LANE_HEIGHT - 4);
    context.fillStyle = row.event.severity === "info" ? color("quiet") : color(row.event.severity);
    context.fillText(text, x + 9.5, line.top + LANE_HEIGHT / 2 + 1);
  }
}

function fitted(context, text, room) {
  if (text.length > 120) text = text.slice(0, 120) + "…";
  if (context.measureText(text).width <= room) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + "…").width <= room) low = middle; else high = middle - 1;
  }
  return low > 3 ? text.slice(0, low).trimEnd() + "…" : "";
}

// The text of a notification instead of the sentence about it.
function shortText(event) {
  const note = notificationOf(event);
  if (note) return [note.title, note.body || note.user_text].filter(Boolean).join(": ") || event.text;
  return event.text;
}

function drawChosen(context) {
  const line = lanes.layout.find((l) => l.party === lanes.chosen.party && l.lane === lanes.chosen.lane);
  if (!line) return;
  context.strokeStyle = color("accent");
  context.lineWidth = 2;
  context.beginPath();
  context.arc(xOf(lanes.chosen.axis), line.top + LANE_HEIGHT / 2 + 0.5, 7, 0, 7);
  context.stroke();
}

// MARK: Pointer

// The cell at a position on the canvas: its events, and the first of them.
function cellAt(x, y) {
  const line = lanes.layout.find((l) => y >= l.top && y < l.top + LANE_HEIGHT);
  const cells = line && lanes.answer && lanes.answer.cells.get(line.party + line.lane);
  if (!cells) return null;
  let best = null;
  for (let i = 0; i < cells.length; i += 4) {
    const axis = cells[i];
    const distance = Math.abs(xOf(axis) - x);
    if (distance < 9 && (!best || distance < best.distance)) {
      best = { distance, axis, number: cells[i + 1], index: cells[i + 3], line };
    }
  }
  return best;
}

function showTip(x, y) {
  const cell = cellAt(x, y);
  const tip = $("tip");
  tip.hidden = !cell;
  if (!cell) return;
  const party = data.status.parties.find((p) => p.id === cell.line.party);
  tip.replaceChildren(
    make("b", cell.line.lane), " · ", printable(party ? party.label : ""), make("br"),
    timeOfDay(cell.axis) + " · " + count(cell.number, "event"));
  const box = $("lanes").getBoundingClientRect();
  const canvas = $("marks").getBoundingClientRect();
  const left = clamp(canvas.left - box.left + x + 12, 0, box.width - tip.offsetWidth - 8);
  tip.style.left = left + "px";
  tip.style.top = canvas.top - box.top + y + 14 + "px";
}

function listenToLanes() {
  const canvas = $("marks");
  const pointers = new Map();
  let start = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("wheel", (event) => {
    const [x] = place(event);
    const plot = $("plot");
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
      move((event.deltaX || event.deltaY) / width());
    } else if (event.altKey && plot.scrollHeight > plot.clientHeight) {
      return;
    } else {
      zoom(Math.exp(clamp(event.deltaY, -200, 200) * 0.0022), axisAt(x));
    }
    event.preventDefault();
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event.clientX);
    start = { x: event.clientX, from: lanes.from, to: lanes.to, moved: false, pinch: null };
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    if (!pointers.has(event.pointerId) || !start) { showTip(x, y); return; }
    pointers.set(event.pointerId, event.clientX);
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      const gap = Math.max(20, Math.abs(a - b));
      if (start.pinch) zoom(start.pinch / gap, axisAt((a + b) / 2 - canvas.getBoundingClientRect().left));
      start.pinch = gap;
      start.moved = true;
      return;
    }
    const gone = event.clientX - start.x;
    if (Math.abs(gone) > 4) start.moved = true;
    if (start.moved && !start.pinch) {
      canvas.classList.add("moving");
      $("tip").hidden = true;
      const span = short(start.to) - short(start.from);
      const from = clamp(short(start.from) - (gone / (width() - 2 * EDGE)) * span, 0, short(endOfTime()) - span);
      show(long(from), long(from + span));
      followLanes();
    }
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    canvas.classList.remove("moving");
    if (event.type === "pointerup" && start && !start.moved) {
      const cell = cellAt(...place(event));
      if (cell) chooseEvent(cell.index);
      else scrollToTime(axisAt(place(event)[0]));
    }
    if (!pointers.size) start = null;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; });
  canvas.addEventListener("dblclick", (event) => zoom(1 / 4, axisAt(place(event)[0])));
  $("plot").addEventListener("scroll", drawSoon, { passive: true });
  $("labels").addEventListener("keydown", labelKey);
  $("in").addEventListener("click", () => zoom(1 / 2));
  $("out").addEventListener("click", () => zoom(2));
  $("fit").addEventListener("click", showAll);
  new ResizeObserver(sizeLanes).observe($("lanes"));
}
"""## + "\n"),
"list.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// A list of any length, with elements only for the visible rows.

// Browsers do not support higher elements.
const HIGHEST = 8e6;

class List {
  // element, spacer, rows: the ids of the scrolling element, of the one that sets its height, and of the rows' parent;
  // columns: the classes of the cells; total(): the number of rows; fill(element, index): writes a row and returns
  // its position on the time axis; drawn(first, number), scrolled(keepsFollowing): called afterwards.
  constructor({ element, spacer, rows, columns, total, fill, drawn = () => {}, scrolled = () => {} }) {
    Object.assign(this, { columns, total, fill, drawn, scrolled });
    this.element = $(element);
    this.spacer = $(spacer);
    this.body = $(rows);
    this.top = 0; // the first visible row, with a fraction
    this.elements = [];
    this.ownScroll = false;
  }

  // Called once all parts of the page exist.
  listen() {
    this.element.addEventListener("scroll", () => this.follow(), { passive: true });
    this.element.addEventListener("wheel", (event) => {
      // If a pixel of the scroll bar is many rows, the wheel still scrolls by rows.
      if (!this.isScaled() || event.ctrlKey) return;
      event.preventDefault();
      this.scrollTo(this.top + event.deltaY * (event.deltaMode ? 1 : 1 / this.rowHeight()));
    }, { passive: false });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  rowHeight() { return window.matchMedia("(max-width: 640px)").matches ? 54 : 28; }
  inSight() { return Math.max(1, this.element.clientHeight / this.rowHeight()); }
  isScaled() { return this.total() * this.rowHeight() > HIGHEST; }
  highestTop() { return Math.max(0, this.total() - this.inSight()); }

  // The position of the scroll bar for a first row.
  scrollOf(top) {
    if (!this.isScaled()) return top * this.rowHeight();
    return (top / Math.max(1, this.highestTop())) * (HIGHEST - this.element.clientHeight);
  }

  scrollTo(top, keepsFollowing = false) {
    this.top = clamp(top, 0, this.highestTop());
    this.scrolled(keepsFollowing);
    const before = this.element.scrollTop;
    this.element.scrollTop = this.scrollOf(this.top);
    // The browser reports a scroll only if the place changes. A flag without one would swallow the user's next scroll.
    if (this.element.scrollTop !== before) this.ownScroll = true;
    this.draw();
  }

  // Scrolls no farther than needed to show a row.
  reveal(index, keepsFollowing) {
    if (index < Math.ceil(this.top)) this.scrollTo(index);
    else if (index + 1 > this.top + this.inSight()) this.scrollTo(index + 1 - this.inSight(), keepsFollowing);
  }

  // Scrolls to a distant row, and shows some rows before it.
  jump(index) {
    const height = this.inSight();
    if (index < this.top || index > this.top + height - 2) this.scrollTo(index - height / 3);
  }

  // Updates the first row after the user scrolled.
  follow() {
    if (this.ownScroll) { this.ownScroll = false; return; }
    const place = this.element.scrollTop;
    const top = this.isScaled()
      ? (place / (HIGHEST - this.element.clientHeight)) * this.highestTop() : place / this.rowHeight();
    this.top = clamp(top, 0, this.highestTop());
    this.scrolled(this.top >= this.highestTop() - 1.5);
    this.draw();
  }

  // Called if the number of rows or their contents changed.
  resize() {
    this.spacer.style.height = Math.min(HIGHEST, this.total() * this.rowHeight()) + "px";
    this.body.style.height = this.element.clientHeight + "px";
    this.element.setAttribute("aria-rowcount", String(this.total()));
    if (this.top > this.highestTop()) this.scrollTo(this.highestTop(), true);
    this.draw();
  }

  draw() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => { this.isDrawing = false; this.drawNow(); });
  }

  drawNow() {
    const height = this.rowHeight();
    const first = Math.floor(this.top);
    const number = Math.min(this.total() - first, Math.ceil(this.inSight()) + 1);
    while (this.elements.length < number) this.elements.push(this.create());
    let [earliest, latest] = [null, null];
    this.elements.forEach((element, place) => {
      const index = first + place;
      element.hidden = place >= number;
      if (element.hidden) return;
      element.style.transform = `translateY(${(index - this.top) * height}px)`;
      const axis = this.fill(element, index);
      if (axis === undefined) return;
      earliest ??= axis;
      latest = axis;
    });
    // A hidden list does not determine the visible range.
    if (earliest !== null && this.element.clientHeight) lanes.seen = [earliest, latest];
    this.drawn(first, number);
    drawSoon();
  }

  create() {
    const element = make("div.row");
    element.setAttribute("role", "row");
    element.cells = this.columns.map((name) => {
      const cell = make("span." + name);
      cell.setAttribute("role", "gridcell");
      return cell;
    });
    element.append(...element.cells);
    this.body.append(element);
    return element;
  }

  // The row that a key selects, given the selected one; undefined for other keys.
  keyed(event, chosen) {
    const page = Math.max(1, Math.floor(this.inSight()) - 1);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page }[event.key];
    if (step) return chosen < 0 ? Math.floor(this.top) : chosen + step;
    return { Home: 0, End: this.total() - 1 }[event.key];
  }
}

const PAGE = 100;
const MOST_PAGES = 80;

// Rows, requested page by page when the list shows them.
class Pages {
  // fetch(number): the rows of a page; undefined if they are no longer needed.
  constructor(fetch) {
    this.fetch = fetch;
    this.pages = new Map(); // in order of use, the latest last
    this.asked = new Map();
  }

  forget() {
    this.pages.clear();
    this.asked.clear();
  }

  // The row; undefined if it has not arrived, in which case it is requested.
  row(index, total) {
    const number = Math.floor(index / PAGE);
    const page = this.pages.get(number);
    if (page) {
      this.pages.delete(number);
      this.pages.set(number, page);
    }
    if (!page || (page.length < PAGE && number * PAGE + page.length < total)) this.ask(number);
    return page && page[index - number * PAGE];
  }

  async rowNow(index, total) {
    if (index < 0 || index >= total) return undefined;
    const number = Math.floor(index / PAGE);
    return this.row(index, total) || (await this.ask(number), this.pages.get(number))?.[index % PAGE];
  }

  async ask(number) {
    if (this.asked.has(number)) return this.asked.get(number);
    const promise = (async () => {
      const rows = await this.fetch(number);
      if (this.asked.get(number) === promise) {
        this.asked.delete(number);
        if (rows) this.pages.set(number, rows);
        while (this.pages.size > MOST_PAGES) this.pages.delete(this.pages.keys().next().value);
      }
    })();
    this.asked.set(number, promise);
    return promise;
  }
}
"""## + "\n"),
"notes.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// Notes and bookmarks on events and packets. The tab keeps them, even if the page is reloaded, until the user saves them
// as a file.

const notes = new Map(); // by "first-last": { packets, time, text }

function noteKey([first, last]) { return first + "-" + last; }

// The packets of the open event or packet; null if there are none.
function notedPackets() {
  const number = chosenPacket();
  if (number) return [number, number];
  const event = table.chosen >= 0 ? events.row(table.chosen, data.total)?.event : null;
  return event?.frame_count ? event.frames : null;
}

function noteOn(range) { return range ? notes.get(noteKey(range)) : undefined; }

function setNote(range, text, axis) {
  notes.set(noteKey(range), { packets: range, axis, text });
  showNotes();
}

function removeNote(range) {
  notes.delete(noteKey(range));
  showNotes();
}

function showNotes() {
  keepNotes();
  $("notes").hidden = notes.size === 0;
  $("notes").textContent = "Save " + count(notes.size, "note");
  for (const list of [table, packets.list]) {
    for (const element of list.elements) element.state = "";
    list.draw();
  }
}

// The tab forgets them when it is closed. The path belongs to this run of hark alone.
const keptNotes = "notes " + location.pathname;

function keepNotes() {
  try { sessionStorage.setItem(keptNotes, JSON.stringify([...notes.values()])); } catch { /* not allowed, or full */ }
}

// The page reloads when a pasted key opens more of the capture.
function beginNotes() {
  try {
    for (const note of JSON.parse(sessionStorage.getItem(keptNotes)) || []) notes.set(noteKey(note.packets), note);
  } catch { /* not allowed */ }
  if (notes.size) showNotes();
}

// Bookmarks the selected event or packet, or opens the field for its note.
function toggleNote() {
  const range = notedPackets();
  if (!range) return announce("Select an event with packets first.");
  if (!noteOn(range)) setNote(range, "", lanes.chosen?.axis);
  const form = $("detail").hidden ? null : $("detail").querySelector(".note");
  if (form) form.replaceWith(noteForm());
  $("detail").querySelector(".note textarea")?.focus();
  return undefined;
}

// The field for a note on the open event or packet.
function noteForm() {
  const range = notedPackets();
  const form = make("div.note");
  if (!range) return form;
  const note = noteOn(range);
  if (!note) {
    form.append(makeButton("Add a note", toggleNote));
    return form;
  }
  const text = make("textarea");
  text.rows = 2;
  text.maxLength = 4000;
  text.placeholder = "Describe the problem";
  text.setAttribute("aria-label", "A note for the report");
  text.value = note.text;
  text.addEventListener("input", () => { note.text = text.value; keepNotes(); });
  form.append(text, makeButton("Remove", () => { removeNote(range); form.replaceWith(noteForm()); }));
  return form;
}

// Goes to the next note after the selected packets; after the last one, to the first.
async function nextNote() {
  const all = [...notes.values()].sort((a, b) => a.packets[1] - b.packets[1]);
  if (!all.length) return announce("There are no notes. Press b to bookmark the selected event or packet.");
  const at = notedPackets()?.[1] ?? 0;
  const later = all.filter((note) => note.packets[1] > at);
  const order = [...later, ...all.slice(0, all.length - later.length)];
  if (packets.isShown) {
    for (const note of order) {
      if (await goToPackets([note.packets[1], note.packets[1]])) return choosePacket(packets.chosen);
    }
    return announce("The filter hides all packets with notes.");
  }
  const next = order[0];
  const answer = await ask("place", { axis: Math.floor(next.axis), filter: data.filter });
  // Several events may have the same position.
  for (let index = answer.row; index < Math.min(data.total, answer.row + 50); index++) {
    const item = await events.rowNow(index, data.total);
    if (item && noteKey(item.event.frames) === noteKey(next.packets)) {
      table.jump(index);
      return choose(index, true);
    }
  }
  return announce("The filter hides the event with the next note.");
}

// Saves the notes as a file for hark report --notes.
function saveNotes() {
  const name = (data.status.name || "capture").split("/").pop();
  const all = [...notes.values()].sort((a, b) => a.packets[0] - b.packets[0]);
  const text = JSON.stringify({ capture: name, notes: all.map(({ packets, text }) => ({ packets, text: text.trim() })) }, null, 2);
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text + "\n"], { type: "application/json" }));
  link.download = name.replace(/\.[^.]*$/, "") + ".notes.json";
  link.click();
  URL.revokeObjectURL(link.href);
  announce("Notes saved. hark report --notes adds them to a report.");
}

// Restores saved notes.
async function openNotes(file) {
  try {
    const saved = JSON.parse(await file.text());
    let beyond = 0;
    for (const { packets, text } of saved.notes) {
      if (!(packets[0] >= 1 && packets[0] <= packets[1] && packets[1] <= data.status.packets)) { beyond++; continue; }
      const row = (await ask("packets", { from: packets[1] - 1, count: 1 })).rows[0];
      notes.set(noteKey(packets), { packets, axis: row?.axis ?? 0, text: String(text || "") });
    }
    showNotes();
    const name = (data.status.name || "").split("/").pop();
    announce([count(saved.notes.length - beyond, "note") + " restored",
      saved.capture && saved.capture !== name && "written for " + printable(saved.capture),
      beyond && count(beyond, "note") + " left out: on packets that "
        + (data.status.phase === "ended" ? "this capture does not have" : "hark has not read yet")].filter(Boolean).join("; "));
  } catch {
    announce(file.name + " contains no notes.");
  }
}

function listenToNotes() {
  $("notes").addEventListener("click", saveNotes);
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) openNotes(event.dataTransfer.files[0]);
  });
}
"""## + "\n"),
"packet.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// One packet: the tree of its fields, and its bytes. Selecting a field highlights its bytes, and vice versa.

const MOST_BYTES = 2048, MOST_FIELDS = 400;

function packetView(packet) {
  const view = make("div.packet");
  const about = [packet.direction, packet.kind, count(packet.length, "byte")];
  if (packet.answers) about.push("answers #" + packet.answers);
  if (packet.answered_in) about.push("answered in #" + packet.answered_in);
  if (packet.reassembled_in) about.push("reassembled in #" + packet.reassembled_in);
  view.append(make("p.about", about.join(" · ")));
  for (const sentence of packet.malformed || []) view.append(make("p.wrong", printable(sentence)));
  for (const note of packet.notes || []) view.append(make("p.wrong", printable(note.text)));
  for (const section of packet.sections) view.append(...sectionView(section));
  return view;
}

function sectionView(section) {
  const parts = [make("h3", printable(section.title))];
  if (section.lines) {
    parts.push(make("pre.lines", section.lines.map(printable).join("\n")));
    return parts;
  }
  const box = make("div.parts");
  const tree = treeView(section);
  const hex = section.bytes ? hexView(section) : null;
  box.append(tree.element);
  if (hex) box.append(hex.element);
  parts.push(box);
  connect(section, tree, hex);
  return parts;
}

// MARK: Tree

function treeView(section) {
  const element = make("div.tree");
  element.setAttribute("role", "tree");
  element.setAttribute("aria-label", "Fields");
  const items = [];
  const add = (from, to) => {
    for (let i = from; i < to; i++) {
      const field = section.fields[i];
      const isLayer = field.text === undefined;
      const item = make(isLayer ? "div.layer" : "div", make("span", printable(field.name)),
        make("span", isLayer ? "" : printable(field.text)));
      item.setAttribute("role", "treeitem");
      item.setAttribute("aria-level", String(field.depth + 1));
      item.setAttribute("aria-selected", "false");
      item.tabIndex = i === 0 ? 0 : -1;
      item.style.setProperty("--depth", field.depth);
      item.title = printable(field.name + (isLayer ? "" : ": " + field.text));
      item.index = i;
      items.push(item);
      element.append(item);
    }
  };
  add(0, Math.min(MOST_FIELDS, section.fields.length));
  if (section.fields.length > MOST_FIELDS) {
    const more = make("button.more", "Show all " + count(section.fields.length, "field"));
    more.addEventListener("click", () => { more.remove(); add(MOST_FIELDS, section.fields.length); });
    element.append(more);
  }
  return { element, items };
}

// MARK: Bytes

function hexView(section) {
  const element = make("div.hex");
  element.setAttribute("aria-label", "Bytes");
  const bytes = section.bytes.match(/../gu) || [];
  const wide = window.innerWidth < 700 ? 8 : 16;
  const spans = [];
  const add = (from, to) => {
    for (let line = from; line < to; line += wide) {
      const left = make("span.b");
      const right = make("span");
      for (let i = line; i < Math.min(line + wide, to); i++) {
        const isSecret = bytes[i] === "··";
        const code = isSecret ? 0 : parseInt(bytes[i], 16);
        const a = make(isSecret ? "i.secret" : "i", bytes[i]);
        const b = make("i", isSecret ? "·" : code >= 32 && code < 127 ? String.fromCharCode(code) : ".");
        a.index = b.index = i;
        spans[i] = [a, b];
        left.append(a);
        right.append(b);
      }
      for (let i = to - line; i < wide; i++) left.append(make("i", "  "));
      element.append(make("div.line", make("span.at", line.toString(16).padStart(4, "0")), left, right));
    }
  };
  add(0, Math.min(MOST_BYTES, bytes.length));
  if (bytes.length > MOST_BYTES) {
    const more = make("button.more", "Show all " + count(bytes.length, "byte"));
    more.addEventListener("click", () => { more.remove(); add(MOST_BYTES, bytes.length); });
    element.append(more);
  }
  return { element, spans };
}

// MARK: Both

function connect(section, tree, hex) {
  let picked = -1;
  const paint = (name, field) => {
    if (!hex) return;
    for (const old of hex.element.querySelectorAll("." + name)) old.classList.remove(name);
    if (!field) return;
    for (let i = field.offset; i < Math.min(field.offset + field.length, hex.spans.length); i++) {
      for (const span of hex.spans[i] || []) span.classList.add(name);
    }
  };
  const pick = (index, moves) => {
    const item = tree.items[index];
    if (!item) return;
    if (picked >= 0) {
      tree.items[picked].setAttribute("aria-selected", "false");
      tree.items[picked].tabIndex = -1;
    }
    picked = index;
    item.setAttribute("aria-selected", "true");
    item.tabIndex = 0;
    if (moves) item.focus({ preventScroll: true });
    scrollInto(tree.element, item);
    const field = section.fields[index];
    paint("picked", field);
    const span = hex && hex.spans[field.offset];
    if (span) scrollInto(hex.element, span[0]);
  };
  // The innermost field that contains the byte.
  const fieldAt = (byte) => {
    let best = -1;
    section.fields.forEach((field, index) => {
      if (index >= tree.items.length || byte < field.offset || byte >= field.offset + field.length) return;
      if (best < 0 || field.length <= section.fields[best].length) best = index;
    });
    return best;
  };
  tree.element.addEventListener("mouseover", (event) => {
    const item = event.target.closest("[role=treeitem]");
    paint("on", item && section.fields[item.index]);
  });
  tree.element.addEventListener("mouseleave", () => paint("on", null));
  tree.element.addEventListener("click", (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (item) pick(item.index, true);
  });
  tree.element.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    if (step) pick(clamp(item.index + step, 0, tree.items.length - 1), true);
    else if (event.key === "Home") pick(0, true);
    else if (event.key === "End") pick(tree.items.length - 1, true);
    else if (event.key === "Enter" || event.key === " ") pick(item.index, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  if (!hex) return;
  hex.element.addEventListener("mouseover", (event) => {
    const byte = event.target.index;
    const index = byte === undefined ? -1 : fieldAt(byte);
    for (const old of tree.element.querySelectorAll(".on")) old.classList.remove("on");
    if (index >= 0) tree.items[index].classList.add("on");
    paint("on", section.fields[index]);
  });
  hex.element.addEventListener("mouseleave", () => {
    for (const old of tree.element.querySelectorAll(".on")) old.classList.remove("on");
    paint("on", null);
  });
  hex.element.addEventListener("click", (event) => {
    if (event.target.index !== undefined) pick(fieldAt(event.target.index), false);
  });
}

// Scrolls a box, but nothing around it, to make an element in it visible.
function scrollInto(box, element) {
  const [a, b] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (b.top < a.top) box.scrollTop -= a.top - b.top + 8;
  else if (b.bottom > a.bottom) box.scrollTop += b.bottom - a.bottom + 8;
}
"""## + "\n"),
"packets.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// The list of packets, beside the list of events.

const packets = {
  chosen: -1,      // the selected row
  number: 0,       // its packet, which the filter may hide; 0 for none
  total: 0,        // rows, with the filter
  looked: null,    // packets that the filter has checked
  gaveUp: false,   // whether the filter took too long
  isOver: false,   // whether it has checked all packets of a capture that has ended
  going: 0,
  isShown: false,
};

packets.pages = new Pages(async (number) => {
  const filter = data.filter;
  try {
    const answer = await ask("packets", { from: number * PAGE, count: PAGE, filter });
    if (filter !== data.filter) return undefined;
    takePackets(answer);
    return answer.rows;
  } catch {
    return undefined;
  }
});

// Updates the number of rows from an answer.
function takePackets(answer) {
  packets.looked = answer.looked ?? null;
  packets.gaveUp = answer.gave_up === true;
  // The packets of a live capture are filtered again when it has ended.
  if (answer.isOver && !packets.isOver) packets.pages.forget();
  packets.isOver = answer.isOver === true;
  packets.total = answer.total;
  queueMicrotask(() => packets.list.resize());
  showPacketNotice();
}

// Whether the list has all packets up to `number`, as an answer shows.
function hasPackets(answer, number) {
  if (answer.read < number) return false;
  return !data.filter || answer.gave_up || answer.looked >= number;
}

packets.list = new List({
  element: "packettable", spacer: "packetspacer", rows: "packetrows",
  columns: ["frames", "time", "device", "lane", "text", "since"],
  total: () => packets.total,
  fill: fillPacket,
  drawn: (first, number) => {
    const { element } = packets.list;
    const isInSight = packets.chosen >= first && packets.chosen < first + number;
    if (isInSight) element.setAttribute("aria-activedescendant", "packet" + packets.chosen);
    else element.removeAttribute("aria-activedescendant");
  },
});

function fillPacket(element, index) {
  const row = packets.pages.row(index, packets.total);
  element.setAttribute("aria-selected", String(index === packets.chosen));
  element.setAttribute("aria-rowindex", String(index + 1));
  element.id = "packet" + index;
  element.index = index;
  const state = row ? row.number + "/" + app.search : "";
  if (row && element.state === state) return row.axis;
  element.state = state;
  const [number, time, device, direction, text, length] = element.cells;
  number.textContent = row ? "#" + row.number : "";
  element.className = "row" + (row?.malformed ? " wrong" : "") + (row && noteOn([row.number, row.number]) ? " noted" : "");
  time.textContent = !row ? "" : row.time ? row.time.slice(11, 23) : "+" + row.time_relative.toFixed(3);
  device.textContent = printable(row?.device || "");
  direction.textContent = row?.direction || "";
  write(text, row ? printable(row.text) : "…");
  text.title = row ? printable(row.text) : "";
  length.textContent = row ? grouped(row.length) : "";
  return row?.axis;
}

async function choosePacket(index, opens = true) {
  if (packets.total === 0) return;
  packets.going++;
  index = clamp(index, 0, packets.total - 1);
  packets.chosen = index;
  packets.list.reveal(index);
  packets.list.draw();
  const row = await packets.pages.rowNow(index, packets.total);
  if (!row || packets.chosen !== index) return;
  packets.number = row.number;
  lanes.chosen = { axis: row.axis };
  reveal(row.axis);
  drawSoon();
  noteView();
  if (opens) openPacket(row);
}

// Shows the first of the packets `first` to `last` that the filter does not hide, such as those of an event that was
// chosen elsewhere: by the search, a mark, a finding or a note.
// Returns: Whether there is one. Otherwise none is selected.
async function goToPackets([first, last]) {
  const turn = ++packets.going;
  while (true) {
    const filter = data.filter;
    const answer = await ask("packets", { number: first, count: 1, filter });
    if (turn !== packets.going) return false;
    if (filter !== data.filter) continue;
    takePackets(answer);
    const row = answer.rows[0];
    if (!row && !hasPackets(answer, Math.min(last, answer.packets))) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    const isListed = row !== undefined && row.number <= last;
    packets.chosen = isListed ? answer.from : -1;
    // A packet that is shown beside the list stays the one that notes and commands are about.
    if (isListed) packets.number = row.number;
    else if ($("detail").hidden) packets.number = first;
    packets.list.resize();
    packets.list.jump(answer.from);
    packets.list.draw();
    noteView();
    return isListed;
  }
}

// The packet that is selected in the list, or shown beside it although the filter hides it; 0 if there is none.
function chosenPacket() {
  const isVisible = packets.chosen >= 0 || !$("detail").hidden;
  return packets.isShown && !detail.item && isVisible ? packets.number : 0;
}

// Called when the filter has changed. The selected packet stays selected if the filter keeps it.
async function filterPackets() {
  packets.pages.forget();
  Object.assign(packets, { chosen: -1, total: 0, looked: null, gaveUp: false, isOver: false });
  packets.list.resize();
  showPacketNotice();
  if (!packets.isShown) return;
  try {
    if (packets.number) await goToPackets([packets.number, packets.number]);
    await morePackets();
  } catch { /* The page already shows that hark has stopped. */ }
}

function packetKey(event) {
  const wanted = packets.list.keyed(event, packets.chosen);
  if (wanted !== undefined) choosePacket(wanted, !$("detail").hidden);
  else if (event.key === "Enter" && packets.chosen >= 0) choosePacket(packets.chosen).then(() => $("detail").focus());
  else return false;
  return true;
}

// hark makes the rows of packets, and filters them, one after the other; this updates their number until all exist.
async function morePackets() {
  if (!packets.isShown || packets.isAsking) return;
  packets.isAsking = true;
  try {
    do {
      const filter = data.filter;
      const answer = await ask("packets", { from: 0, count: 0, filter });
      if (filter !== data.filter) continue;
      takePackets(answer);
      const isOver = !filter || answer.gave_up || answer.isOver || data.status.phase !== "ended";
      if (isOver && hasPackets(answer, answer.packets)) break;
      await new Promise((resolve) => setTimeout(resolve, 150));
    } while (packets.isShown);
  } catch { /* The page already shows that hark has stopped. */ } finally {
    packets.isAsking = false;
  }
}

// Shows the list of events or of packets, at the position of the other one.
async function showList(name) {
  packets.isShown = name === "packets";
  for (const one of ["events", "packets"]) {
    const isShown = one === name;
    $(one).hidden = !isShown;
    $(one + "tab").setAttribute("aria-selected", String(isShown));
    $(one + "tab").tabIndex = isShown ? 0 : -1;
  }
  noteView();
  showPacketNotice();
  showHits(view.hitNote || "");
  if (!packets.isShown) {
    table.resize();
    // The panel shows what is selected in the list beside it.
    if (!$("detail").hidden && !detail.item) {
      if (table.chosen >= 0) return choose(table.chosen, true);
      closeDetail();
    }
    if (lanes.chosen) await scrollToTime(lanes.chosen.axis);
    return;
  }
  morePackets();
  const event = table.chosen >= 0 ? (await events.rowNow(table.chosen, data.total))?.event : null;
  // The user may have gone back in the meantime.
  if (!packets.isShown) return;
  if (event?.frame_count) {
    if (await goToPackets(event.frames)) await choosePacket(packets.chosen, !$("detail").hidden);
    return;
  }
  if (lanes.isWhole) return;
  const answer = await ask("packets", { axis: Math.max(0, Math.floor(lanes.from)), count: 0, filter: data.filter });
  takePackets(answer);
  packets.list.resize();
  packets.list.scrollTo(answer.from);
}

// How many packets match the filter.
function showPacketNotice() {
  const notice = $("packetnotice");
  notice.hidden = !packets.isShown || !data.filter;
  if (notice.hidden) return;
  const { packets: all } = data.status;
  const isChecking = !packets.gaveUp && (packets.looked === null || packets.looked < all);
  const text = packets.total === 0 ? (isChecking ? "Searching for matching packets…" : "No packet matches the filter.")
    : grouped(packets.total) + " of " + count(all, "packet") + (packets.total === 1 ? " matches" : " match") + " the filter"
      + (isChecking ? " so far." : ".");
  const why = " The filter takes too long: hark has checked " + grouped(packets.looked ?? 0) + " packets.";
  const wanted = packets.gaveUp ? text + why : text;
  if (notice.textContent !== wanted) notice.textContent = wanted;
}

function listenToPackets() {
  packets.list.listen();
  $("packetrows").addEventListener("click", (event) => {
    const element = event.target.closest(".row");
    if (element) choosePacket(element.index);
  });
  for (const name of ["events", "packets"]) {
    const tab = $(name + "tab");
    tab.addEventListener("click", () => showList(name));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = name === "events" ? "packets" : "events";
      showList(other);
      $(other + "tab").focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }
  $("graphs").addEventListener("click", showTraffic);
}
"""## + "\n"),
"style.css": ("text/css; charset=utf-8", ##"""
/* One color for each lane, the same everywhere; light first, dark below. */
:root {
  color-scheme: light;
  --back: #f3f5f8;
  --panel: #ffffff;
  --raised: #ffffff;
  --text: #18202a;
  --quiet: #5a6675;
  --line: #e1e6ec;
  --hover: #f0f4fa;
  --chosen: #e3edfd;
  --accent: #2563d8;
  --focus: #2563d8;
  --link: #2f6fde;
  --security: #985800;
  --transport: #0b8080;
  --gatt: #66748a;
  --audio: #7a48d6;
  --configuration: #23803a;
  --messages: #cf2862;
  --app: #5b6b00;
  --finding: #b3261e;
  --capture: #8a5a44;
  --warning: #985800;
  --error: #c8281e;
  --hit: #d9a400;
  --shadow: 0 1px 2px rgb(20 30 50 / .06), 0 4px 16px rgb(20 30 50 / .07);
  --mono: "JetBrains Mono", ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
:root[data-theme="dark"] {
  color-scheme: dark;
  --back: #0d1117;
  --panel: #151b23;
  --raised: #1c2430;
  --text: #e4e9f0;
  --quiet: #95a1b0;
  --line: #27303b;
  --hover: #1b232e;
  --chosen: #1d3050;
  --accent: #6ea6ff;
  --focus: #8ab8ff;
  --link: #6ea6ff;
  --security: #f0b04a;
  --transport: #43c6c0;
  --gatt: #9daabd;
  --audio: #b797ff;
  --configuration: #68cb80;
  --messages: #ff7fa9;
  --app: #c5d94f;
  --finding: #ff8a80;
  --capture: #cfa288;
  --warning: #f0b04a;
  --error: #ff7b72;
  --hit: #ffd83d;
  --shadow: 0 1px 2px rgb(0 0 0 / .4), 0 6px 20px rgb(0 0 0 / .35);
}
* { box-sizing: border-box; scrollbar-width: thin; scrollbar-color: color-mix(in srgb, var(--quiet) 45%, transparent) transparent; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body {
  display: flex;
  flex-direction: column;
  background: var(--back);
  color: var(--text);
  font: 13.5px/1.45 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  -webkit-font-smoothing: antialiased;
  /* Show characters as they are: no “×” for the x of 0x01, no “≡” for ==. */
  font-variant-ligatures: none;
  font-feature-settings: "calt" 0;
}
button, input { font: inherit; color: inherit; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; z-index: 20; background: var(--panel); padding: 6px 10px; border-radius: 6px; }
kbd {
  font: 11px/1 var(--mono);
  padding: 3px 5px;
  border: 1px solid var(--line);
  border-bottom-width: 2px;
  border-radius: 5px;
  background: var(--back);
  color: var(--quiet);
}
code, pre { font-family: var(--mono); font-size: 12px; }

/* Header */
header {
  display: flex;
  align-items: center;
  gap: 14px;
  padding: 9px 16px;
  background: var(--panel);
  border-bottom: 1px solid var(--line);
  z-index: 5;
}
.brand { display: flex; align-items: center; gap: 9px; min-width: 0; flex: 1 1 300px; }
.brand img { flex: none; }
.brand strong { font-size: 16px; letter-spacing: -.01em; }
.name { color: var(--quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; unicode-bidi: isolate; }
.state {
  flex: none;
  display: inline-flex;
  align-items: center;
  gap: 6px;
  padding: 2px 9px;
  border-radius: 99px;
  font-size: 12px;
  font-variant-numeric: tabular-nums;
  background: var(--back);
  color: var(--quiet);
}
.state::before { content: ""; width: 7px; height: 7px; border-radius: 50%; background: currentColor; }
.state.live { color: var(--configuration); }
.state.live::before { animation: beat 1.6s ease-in-out infinite; }
.state.reading { color: var(--accent); }
.state.problem { color: var(--error); }
@keyframes beat { 50% { opacity: .25; } }
@media (prefers-reduced-motion: reduce) { .state.live::before { animation: none; } }
header form { position: relative; margin: 0; }
#searching { flex: 0 1 230px; display: flex; align-items: center; gap: 8px; }
#filtering { flex: 1 1 400px; max-width: 560px; }
.field {
  display: flex;
  align-items: center;
  gap: 7px;
  width: 100%;
  height: 32px;
  padding: 0 8px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--back);
}
.field:focus-within { border-color: var(--accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--accent) 18%, transparent); background: var(--panel); }
.field:focus-within kbd { display: none; }
.field svg { flex: none; width: 14px; height: 14px; fill: none; stroke: var(--quiet); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.field input { flex: 1; min-width: 0; border: 0; outline: 0; background: none; appearance: none; }
.field input::placeholder { color: var(--quiet); opacity: .85; }
#filter { font-family: var(--mono); font-size: 12px; }
.field.wrong { border-color: var(--error); }
.field.active { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 8%, var(--panel)); }
.clear { border: 0; background: none; color: var(--quiet); font-size: 17px; line-height: 1; cursor: pointer; padding: 0 3px; border-radius: 4px; }
.hits { color: var(--quiet); font-size: 12px; white-space: nowrap; }
.hits:empty { display: none; }
.complaint {
  position: absolute;
  top: 38px;
  right: 0;
  min-width: 100%;
  max-width: min(90vw, 720px);
  margin: 0;
  padding: 10px 14px;
  overflow-x: auto;
  background: var(--raised);
  border: 1px solid var(--error);
  border-radius: 8px;
  box-shadow: var(--shadow);
  color: var(--error);
  z-index: 10;
}
.buttons { display: flex; gap: 6px; }
.buttons button, .zoom button, dialog button, .frame, .more {
  height: 30px;
  padding: 0 10px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--panel);
  cursor: pointer;
}
button.icon { width: 30px; padding: 0; display: inline-grid; place-items: center; }
button:hover { background: var(--hover); }
button svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.4; }
button svg .solid { fill: currentColor; stroke: none; }
button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--panel); }

/* Lanes */
.lanes { position: relative; flex: none; background: var(--panel); border-bottom: 1px solid var(--line); --labels: 216px; }
.axisline { display: flex; height: 34px; border-bottom: 1px solid var(--line); }
.zoom { flex: none; width: var(--labels); display: flex; align-items: center; gap: 4px; padding: 0 12px 0 16px; }
.zoom button { height: 24px; border-radius: 6px; font-size: 12px; }
.zoom .icon { width: 26px; font-size: 15px; line-height: 1; }
#axis { flex: 1; min-width: 0; height: 34px; display: block; }
.plot { display: flex; max-height: var(--plot, 38vh); overflow-y: auto; overscroll-behavior: contain; }
.labels { flex: none; width: var(--labels); padding-bottom: 6px; }
.labels .party { display: block; width: 100%; border: 0; background: none; text-align: left; cursor: pointer; height: 26px; padding: 6px 10px 0 16px; font-weight: 600; line-height: 20px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; unicode-bidi: isolate; }
.labels .party small { font-weight: 400; color: var(--quiet); margin-left: 6px; font-family: var(--mono); font-size: 10.5px; }
.labels .party::before { content: "▾"; display: inline-block; width: 14px; color: var(--quiet); font-weight: 400; }
.labels .party[aria-expanded="false"]::before { content: "▸"; }
.labels .lane { position: relative; cursor: grab; touch-action: pan-y; display: flex; align-items: center; gap: 8px; height: 22px; padding: 0 10px 0 16px; color: var(--quiet); font-size: 12px; }
.labels .lane::before { content: ""; flex: none; width: 8px; height: 8px; border-radius: 3px; background: var(--c); }
.labels .lane.target { box-shadow: inset 0 -2px var(--accent); }
.labels .hide { position: absolute; right: 0; width: 24px; height: 22px; padding: 0; border: 0; border-radius: 5px; background: var(--panel); color: var(--quiet); line-height: 1; cursor: pointer; opacity: 0; }
.labels .lane:hover .hide, .labels .hide:focus-visible { opacity: 1; }
.labels .unhide { height: 22px; margin-left: 16px; padding: 0; border: 0; background: none; color: var(--accent); font-size: 12px; cursor: pointer; }
.labels .lane .number { margin-left: auto; font-variant-numeric: tabular-nums; font-size: 11px; opacity: .8; }
#marks { flex: 1; min-width: 0; display: block; touch-action: pan-y; cursor: crosshair; outline-offset: -2px; }
#marks.moving { cursor: grabbing; }
.tip {
  position: absolute;
  max-width: 420px;
  padding: 6px 10px;
  border-radius: 8px;
  background: var(--raised);
  border: 1px solid var(--line);
  box-shadow: var(--shadow);
  font-size: 12px;
  pointer-events: none;
  z-index: 6;
}
.tip b { font-weight: 600; }
.link { --c: var(--link); } .security { --c: var(--security); } .transport { --c: var(--transport); }
.gatt { --c: var(--gatt); } .audio { --c: var(--audio); } .configuration { --c: var(--configuration); }
.messages { --c: var(--messages); } .app { --c: var(--app); } .finding { --c: var(--finding); } .capture { --c: var(--capture); }

.split, .side { flex: none; background: var(--back); touch-action: none; }
.split { height: 6px; cursor: row-resize; }
.side { width: 6px; cursor: col-resize; }
.split:hover, .side:hover, .split:focus-visible, .side:focus-visible { background: color-mix(in srgb, var(--accent) 35%, transparent); }
main:has(.detail[hidden]) .side { display: none; }
.buttons .findings { white-space: nowrap; color: var(--warning); font-variant-numeric: tabular-nums; }
.buttons .findings.bad { color: var(--error); border-color: currentColor; }
.copies { display: flex; flex-wrap: wrap; gap: 6px; margin: 0 0 14px; }
.copies .more { font-size: 12.5px; height: 28px; }
.notice { position: fixed; left: 50%; bottom: 18px; transform: translateX(-50%); margin: 0; padding: 8px 14px; border-radius: 8px; background: var(--text); color: var(--panel); font-size: 12.5px; box-shadow: var(--shadow); z-index: 30; }

/* Events */
main { flex: 1; min-height: 0; display: flex; }
.list { container: list / inline-size; position: relative; flex: 1 1 58%; min-width: 0; display: flex; flex-direction: column; background: var(--panel); }
.row {
  display: grid;
  grid-template-columns: 96px 84px minmax(90px, 150px) 96px minmax(0, 1fr) 82px;
  align-items: center;
  column-gap: 12px;
  padding: 0 16px;
}
.row > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.head { flex: none; height: 30px; color: var(--quiet); font-size: 11.5px; border-bottom: 1px solid var(--line); }
.head .since, .row .since, .head .frames, .row .frames { text-align: right; }
.table { flex: 1; min-height: 0; overflow-y: scroll; overflow-x: hidden; position: relative; outline-offset: -2px; }
.rows .noted::before { content: ""; position: absolute; left: 4px; top: 9px; width: 7px; height: 10px; background: var(--accent); clip-path: polygon(0 0, 100% 0, 100% 100%, 50% 70%, 0 100%); }
.note { margin: 0 0 12px; }
.note textarea { width: 100%; resize: vertical; font: inherit; padding: 6px 8px; border: 1px solid var(--line); border-radius: 8px; background: var(--back); color: inherit; }
.note .more { font-size: 12.5px; height: 28px; }
.tabs { flex: none; display: flex; gap: 2px; padding: 4px 12px 0; border-bottom: 1px solid var(--line); background: var(--back); }
.tabs button { border: 1px solid transparent; border-bottom: 0; border-radius: 7px 7px 0 0; background: none; padding: 3px 12px; font-size: 12px; color: var(--quiet); cursor: pointer; }
.tabs button[aria-selected="true"] { background: var(--panel); border-color: var(--line); color: var(--text); margin-bottom: -1px; }
.pane { position: relative; flex: 1; min-height: 0; display: flex; flex-direction: column; }
.pane[hidden] { display: none; }
.packets .row { grid-template-columns: 76px 96px minmax(90px, 150px) 84px minmax(0, 1fr) 60px; }
.packets .row .lane { font-size: 12px; color: var(--quiet); }
.packets .rows .text { font: 12px/28px var(--mono); }
.packets .wrong .text { color: var(--error); }
.traffic { display: flex; border-top: 1px solid var(--line); max-height: 30vh; overflow-y: auto; }
.traffic[hidden] { display: none; }
.traffic .stream { height: 44px; padding: 6px 10px 0 16px; font-size: 12px; overflow: hidden; }
.traffic .stream b { display: block; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; unicode-bidi: isolate; }
.traffic .stream small { display: block; color: var(--quiet); font-size: 11px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
#trafficplot { flex: 1; min-width: 0; display: block; }
.rows { position: sticky; top: 0; overflow: hidden; }
.rows .row { position: absolute; left: 0; right: 0; height: 28px; cursor: pointer; contain: strict; }
.rows .row:hover { background: var(--hover); }
.rows .row[aria-selected="true"] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
.rows .row.day { border-top: 1px solid var(--line); }
.rows .time, .rows .since, .rows .frames { font: 12px/1 var(--mono); font-variant-numeric: tabular-nums; color: var(--quiet); }
.rows .row .time { color: var(--text); }
.row .device, .row .text { unicode-bidi: isolate; }
.chip {
  display: inline-block;
  max-width: 100%;
  padding: 1px 8px;
  border-radius: 99px;
  font-size: 11.5px;
  line-height: 18px;
  color: color-mix(in srgb, var(--c) 80%, var(--text));
  background: color-mix(in srgb, var(--c) 12%, transparent);
  overflow: hidden;
  text-overflow: ellipsis;
  vertical-align: middle;
}
.rows .strong .text { font-weight: 600; }
.rows .faint .text { color: var(--quiet); }
.warning .text, .warning > .sentence { color: var(--warning); }
.error .text, .error > .sentence { color: var(--error); }
mark { background: color-mix(in srgb, #ffd83d 60%, transparent); color: inherit; border-radius: 2px; }
.packetnotice { flex: none; margin: 0; padding: 6px 16px; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: 12px; }
.empty { position: absolute; inset: 30% 0 auto; text-align: center; color: var(--quiet); margin: 0; padding: 0 24px; }

/* Details */
.detail { flex: 0 0 var(--detail, min(42%, 860px)); min-width: 300px; overflow-y: auto; background: var(--panel); border-left: 1px solid var(--line); padding: 14px 18px 40px; overscroll-behavior: contain; }
.detail:focus { outline: none; }
.detail .top { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; color: var(--quiet); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.detail .top .chip { flex: none; }
.detail .top .close { margin-left: auto; border: 0; background: none; font-size: 20px; line-height: 1; width: 28px; height: 28px; border-radius: 6px; cursor: pointer; color: var(--quiet); }
.sentence { margin: 8px 0 14px; font-size: 15px; line-height: 1.45; overflow-wrap: anywhere; unicode-bidi: isolate; }
.detail h2 { margin: 22px 0 8px; padding-top: 14px; border-top: 1px solid var(--line); font-size: 13px; font-weight: 650; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 14px; margin: 0 0 14px; font-size: 12.5px; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; }
.facts dd.code { font-family: var(--mono); font-size: 12px; }
details.json { margin: 0 0 14px; }
details.json summary { cursor: pointer; color: var(--quiet); font-size: 12.5px; }
details.json pre { margin: 8px 0 0; padding: 10px 12px; border-radius: 8px; background: var(--back); overflow-x: auto; max-height: 360px; }
.card { position: relative; margin: 12px 0 16px; padding: 14px 16px; border-radius: 16px; background: var(--raised); border: 1px solid var(--line); box-shadow: var(--shadow); max-width: 460px; }
.card .app { display: flex; align-items: center; gap: 8px; font-size: 12px; color: var(--quiet); }
.card .badge { display: grid; place-items: center; width: 22px; height: 22px; border-radius: 6px; background: var(--messages); color: var(--panel); font-weight: 700; font-size: 12px; }
.card .app time { margin-left: auto; font-variant-numeric: tabular-nums; }
.card .title { margin-top: 8px; font-weight: 650; font-size: 14.5px; overflow-wrap: anywhere; }
.card .body { margin-top: 2px; white-space: pre-wrap; overflow-wrap: anywhere; }
.card .actions { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 12px; }
.card .actions span { padding: 3px 12px; border-radius: 99px; background: var(--back); border: 1px solid var(--line); font-size: 12.5px; }
.card .opened { margin-top: 12px; padding-top: 9px; border-top: 1px solid var(--line); font-size: 11.5px; color: var(--quiet); overflow-wrap: anywhere; }
.card .opened b { color: var(--configuration); font-weight: 600; }
.card.locked { border-style: dashed; box-shadow: none; background: none; }
.card.locked .badge { background: var(--error); }
.card.reply { border-bottom-right-radius: 4px; }
.card.reply .badge { background: var(--link); }
.frames-line { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; margin: 0 0 10px; color: var(--quiet); font-size: 12.5px; }
.frame { height: 26px; font: 12px/1 var(--mono); border-radius: 6px; padding: 0 8px; color: var(--text); }
.frame[aria-pressed="true"] { color: var(--panel); }
.packet .about { color: var(--quiet); font-size: 12.5px; margin: 0 0 8px; }
.packet h3 { margin: 14px 0 6px; font-size: 12.5px; font-weight: 650; overflow-wrap: anywhere; }
.parts { border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.tree { max-height: 266px; overflow: auto; padding: 5px 0; font-size: 12.5px; outline-offset: -2px; }
.tree [role="treeitem"] { display: grid; grid-template-columns: minmax(0, auto) minmax(0, 1fr); gap: 10px; padding: 1px 12px 1px calc(12px + var(--depth) * 15px); cursor: pointer; line-height: 20px; }
.tree .layer { font-weight: 650; }
.tree .layer > span:first-child { color: var(--accent); }
.tree [role="treeitem"] > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.tree [role="treeitem"] > span:first-child { color: var(--quiet); }
.tree .layer > span:first-child { color: var(--text); }
.tree [role="treeitem"] > span:last-child { font-family: var(--mono); font-size: 12px; unicode-bidi: isolate; }
.tree [role="treeitem"]:hover { background: var(--hover); }
.tree .on { background: var(--chosen); }
.tree [aria-selected="true"] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
.tree :focus-visible { outline-offset: -2px; }
.hex { border-top: 1px solid var(--line); background: var(--back); font: 12px/20px var(--mono); padding: 7px 12px; max-height: 280px; overflow: auto; white-space: pre; }
.hex .line { display: flex; gap: 16px; }
.hex .at { color: var(--quiet); opacity: .75; user-select: none; }
.hex .line > span:last-child { color: var(--quiet); }
.hex i { font-style: normal; padding: 2px 0; cursor: pointer; }
.hex .b i { padding: 2px 3.5px; }
.hex i.on { background: color-mix(in srgb, var(--accent) 26%, transparent); color: var(--text); }
.hex i.picked { background: var(--accent); color: var(--panel); }
.hex i.secret { color: var(--error); }
.lines { margin: 0; padding: 10px 12px; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--back); }
.packet .wrong { color: var(--error); font-size: 12.5px; margin: 4px 0; }
.wait { color: var(--quiet); padding: 14px 0; }
.more { margin: 6px 0; height: 26px; font-size: 12px; }

dialog { border: 1px solid var(--line); border-radius: 14px; background: var(--raised); color: var(--text); box-shadow: var(--shadow); max-width: min(560px, 92vw); padding: 18px 22px; }
dialog::backdrop { background: rgb(8 12 20 / .45); }
dialog h2 { margin: 0 0 12px; font-size: 17px; }
dialog dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 16px; margin: 0 0 12px; }
dialog dd { margin: 0; }
dialog p { margin: 0 0 10px; }
.quiet { color: var(--quiet); }

@container list (max-width: 980px) {
  .row { grid-template-columns: 92px minmax(70px, 130px) 92px minmax(0, 1fr) 82px; }
  .row .since { display: none; }
  .packets .row { grid-template-columns: 70px 92px minmax(70px, 120px) 72px minmax(0, 1fr); }
}
@container list (max-width: 700px) {
  .row { grid-template-columns: 92px minmax(60px, 112px) 92px minmax(0, 1fr); }
  .row .frames { display: none; }
  .packets .row { grid-template-columns: 60px 92px 68px minmax(0, 1fr); }
  .packets .row .frames { display: block; }
  .packets .row .device { display: none; }
}
@media (max-width: 1100px) {
  header { flex-wrap: wrap; }
  .brand { flex: 1 1 60%; order: 0; }
  .buttons { order: 1; }
  #searching { order: 2; flex: 1 1 180px; }
  #filtering { order: 3; flex: 2 1 300px; max-width: none; }
  .side { display: none; }
  .detail { position: fixed; flex: none; width: auto; inset: auto 0 0 0; height: min(72vh, 720px); max-width: none; min-width: 0; z-index: 8; border-left: 0; border-top: 1px solid var(--line); border-radius: 16px 16px 0 0; box-shadow: 0 -8px 30px rgb(10 20 40 / .18); }
}
@media (max-width: 640px) {
  .detail .top span:nth-child(3) { display: none; }
  .row .since, .row .frames { display: none; }
  header { padding: 8px 12px; gap: 8px; }
  .name { display: none; }
  .field kbd { display: none; }
  #searching, #filtering { flex: 1 1 100%; }
  .lanes { --labels: 132px; }
  .zoom { gap: 3px; padding: 0 4px 0 10px; }
  .zoom .icon { width: 24px; flex: none; }
  #fit, #gaps { padding: 0 4px; }
  .plot { max-height: var(--plot, 34vh); }
  .labels .party, .labels .lane { padding-left: 12px; }
  .labels .party small, .labels .lane .number { display: none; }
  .head { display: none; }
  .rows .row { height: 54px; grid-template-columns: max-content minmax(0, 1fr) max-content; grid-template-rows: 20px 20px; row-gap: 2px; align-content: center; padding: 0 12px; border-bottom: 1px solid var(--line); }
  .row .text { grid-area: 2 / 1 / 3 / 4; }
  .row .device { color: var(--quiet); font-size: 12px; }
}

.card .verdict { display: grid; grid-template-columns: max-content 1fr; gap: 3px 10px; margin: 9px 0 0; font-size: 11.5px; }
.card .verdict dt { color: var(--quiet); }
.card .verdict dd { margin: 0; overflow-wrap: anywhere; }
.card form.key { margin-top: 10px; }
.card form.key textarea { width: 100%; box-sizing: border-box; resize: vertical; font: inherit; -webkit-text-security: disc; }
.card form.key .line { display: flex; gap: 6px; margin-top: 5px; }
.card form.key select { flex: 1; min-width: 0; }
.card form.key .said { margin: 5px 0 0; font-size: 11.5px; overflow-wrap: anywhere; }
"""## + "\n"),
"table.js": ("text/javascript; charset=utf-8", ##"""
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
"""## + "\n"),
"traffic.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// Throughput and latency by channel, below the lanes.

const STREAM_HEIGHT = 44;
const traffic = { isShown: false, height: 0, answer: null, isCounting: false, asking: 0 };

function showTraffic() {
  traffic.isShown = !traffic.isShown;
  $("traffic").hidden = !traffic.isShown;
  $("graphs").setAttribute("aria-pressed", String(traffic.isShown));
  noteView();
  if (traffic.isShown) askDensity();
  else sizeLanes();
}

// hark counts packets one after the other; this asks again until it has counted all.
async function askTraffic(parts) {
  clearTimeout(traffic.waiting);
  if (!traffic.isShown) return;
  const turn = ++traffic.asking;
  const counted = await ask("packets", { from: 0, count: 0 });
  const answer = await askParts("traffic", parts, {});
  if (turn !== traffic.asking) return;
  traffic.answer = answer;
  traffic.isCounting = counted.total < counted.packets;
  arrangeTraffic();
  drawSoon();
  if (traffic.isCounting) traffic.waiting = setTimeout(() => askTraffic(parts), 150);
}

// The highest throughput and the longest latency in the visible range.
function peaksOf(cells) {
  let [bytes, latency] = [0, 0];
  for (let i = 0; i < cells.length; i += 4) {
    if (cells[i] < lanes.from || cells[i] > lanes.to) continue;
    bytes = Math.max(bytes, cells[i + 1], cells[i + 2]);
    latency = Math.max(latency, cells[i + 3]);
  }
  return { bytes, latency, rate: (bytes * 1e9) / traffic.answer.size };
}

function rateText(rate) {
  if (rate >= 1e6) return trim(rate / 1e6) + " MB/s";
  if (rate >= 1e3) return trim(rate / 1e3) + " kB/s";
  return trim(rate) + " B/s";
}

function arrangeTraffic() {
  const labels = [...traffic.answer.cells].map(([name, cells]) => {
    const peaks = peaksOf(cells);
    const latency = peaks.latency && duration(peaks.latency * 1000);
    const label = make("div.stream", make("b", printable(name)),
      make("small", "≤ " + rateText(peaks.rate) + (latency ? ", latency ≤ " + latency : "")));
    label.title = printable(name) + ": at most " + rateText(peaks.rate) + " sent or received"
      + (latency ? ", longest response time " + latency : "");
    return label;
  });
  if (!labels.length) {
    labels.push(make("div.stream", make("small", traffic.isCounting ? "Counting packets…" : "No data in this range")));
  }
  $("trafficlabels").replaceChildren(...labels);
  const height = labels.length * STREAM_HEIGHT;
  if (height !== traffic.height) {
    traffic.height = height;
    sizeLanes();
  }
}

function drawTraffic() {
  if (!traffic.isShown || !traffic.answer) return;
  const context = begin($("trafficplot"));
  const wide = Math.max(2, (traffic.answer.size / shownSpan()) * (width() - 2 * EDGE) - 1);
  [...traffic.answer.cells.values()].forEach((cells, place) => {
    const middle = place * STREAM_HEIGHT + STREAM_HEIGHT / 2;
    const peaks = peaksOf(cells);
    context.fillStyle = color("line");
    context.fillRect(0, middle, width(), 1);
    for (let i = 0; i < cells.length; i += 4) {
      const x = xOf(cells[i]);
      if (x < -8 || x > width() + 8) continue;
      const bar = (bytes) => (bytes / Math.max(1, peaks.bytes)) * (STREAM_HEIGHT / 2 - 5);
      context.fillStyle = color("link");
      context.fillRect(x - wide / 2, middle - bar(cells[i + 1]), wide, bar(cells[i + 1]));
      context.fillStyle = color("configuration");
      context.fillRect(x - wide / 2, middle + 1, wide, bar(cells[i + 2]));
      if (!cells[i + 3]) continue;
      context.fillStyle = color("warning");
      context.beginPath();
      context.arc(x, middle + STREAM_HEIGHT / 2 - 3 - (cells[i + 3] / peaks.latency) * (STREAM_HEIGHT - 8), 1.8, 0, 7);
      context.fill();
    }
  });
}
"""## + "\n"),
"util.js": ("text/javascript; charset=utf-8", ##"""
"use strict";
// Helpers for all parts. Text from the capture enters the page only as text, never as HTML.

const $ = (id) => document.getElementById(id);

// Creates an element; its name may include classes: "span.chip.link".
function make(name, ...content) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  element.append(...content.filter((piece) => piece !== null && piece !== undefined));
  return element;
}

function makeButton(text, action, name = "button.more") {
  const button = make(name, text);
  button.type = "button";
  button.addEventListener("click", action);
  return button;
}

// Escapes control characters and direction marks, which could disguise text, as on the terminal.
const disguises = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
function printable(text) {
  return String(text).replace(disguises, (c) =>
    c === "\n" ? "\\n" : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

// The same, but keeps line breaks, for the bodies of notifications.
function printableLines(text) { return String(text).split("\n").map(printable).join("\n"); }

function grouped(number) { return number.toLocaleString("en").replace(/,/g, "\u202f"); }

function count(number, one) { return grouped(number) + " " + (number === 1 ? one : one + "s"); }

// A duration in nanoseconds, as text for people.
function duration(ns) {
  const s = ns / 1e9;
  if (s < 1e-3) return trim(s * 1e6) + " µs";
  if (s < 1) return trim(s * 1e3) + " ms";
  // Round first: the smaller unit must not reach 60 or 24.
  const [seconds, minutes, hours] = [1, 60, 3600].map((unit) => Math.round(s / unit));
  if (seconds < 120) return trim(s) + " s";
  if (seconds < 7200) return Math.floor(seconds / 60) + " min " + (seconds % 60) + " s";
  if (minutes < 2880) return Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
  return Math.floor(hours / 24) + " d " + (hours % 24) + " h";
}

function trim(number) {
  return number >= 100 ? number.toFixed(0) : Number(number.toPrecision(3)).toString();
}

// A pattern that matches exactly this text.
function literalPattern(text) { return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"); }

function clamp(value, low, high) { return Math.min(Math.max(value, low), high); }

const style = { cache: new Map() };
// A color from the style sheet.
function color(name) {
  if (!style.cache.has(name)) {
    style.cache.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
  }
  return style.cache.get(name);
}
"""## + "\n"),
"view.js": ("text/javascript; charset=utf-8", ##"""
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
"""## + "\n"),
  ]
}
