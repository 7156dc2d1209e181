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
