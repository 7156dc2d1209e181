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
