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
