"use strict";
// The list of packets, beside the list of events.

const packets = { chosen: -1, total: 0, isShown: false };

packets.pages = new Pages(async (number) => {
  try {
    const answer = await ask("packets", { from: number * PAGE, count: PAGE });
    packets.total = answer.total;
    queueMicrotask(() => packets.list.resize());
    return answer.rows;
  } catch {
    return undefined;
  }
});

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
  const state = row ? index + "/" + app.search : "";
  if (row && element.state === state) return row.axis;
  element.state = state;
  const [number, time, device, direction, text, length] = element.cells;
  number.textContent = "#" + (index + 1);
  element.className = "row" + (row?.malformed ? " wrong" : "") + (noteOn([index + 1, index + 1]) ? " noted" : "");
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
  index = clamp(index, 0, packets.total - 1);
  packets.chosen = index;
  packets.list.reveal(index);
  packets.list.draw();
  const row = await packets.pages.rowNow(index, packets.total);
  if (!row || packets.chosen !== index) return;
  lanes.chosen = { axis: row.axis };
  reveal(row.axis);
  drawSoon();
  noteView();
  if (opens) openPacket(row);
}

// Shows the first packet of an event that was chosen elsewhere: by the search, a mark, a finding or a note.
function goToPacket(index) {
  packets.chosen = index;
  packets.list.jump(index);
  packets.list.draw();
  noteView();
}

function packetKey(event) {
  const wanted = packets.list.keyed(event, packets.chosen);
  if (wanted !== undefined) choosePacket(wanted, !$("detail").hidden);
  else if (event.key === "Enter" && packets.chosen >= 0) choosePacket(packets.chosen).then(() => $("detail").focus());
  else return false;
  return true;
}

// hark makes the rows of packets one after the other; this updates their number until all exist.
async function morePackets() {
  if (!packets.isShown || packets.isAsking) return;
  packets.isAsking = true;
  try {
    do {
      const answer = await ask("packets", { from: 0, count: 0 });
      packets.total = answer.total;
      packets.list.resize();
      if (answer.total >= answer.packets) break;
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
  await morePackets();
  const event = table.chosen >= 0 ? (await events.rowNow(table.chosen, data.total))?.event : null;
  // The user may have gone back in the meantime.
  if (!packets.isShown) return;
  if (event?.frame_count) {
    goToPacket(event.frames[0] - 1);
    return choosePacket(event.frames[0] - 1, !$("detail").hidden);
  }
  if (lanes.isWhole) return;
  const answer = await ask("packets", { axis: Math.max(0, Math.floor(lanes.from)), count: 0 });
  packets.list.scrollTo(answer.from);
}

// The filter selects events; a notice above the complete list of packets explains this.
function showPacketNotice() {
  $("packetnotice").hidden = !packets.isShown || !data.filter;
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
