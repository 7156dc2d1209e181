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
