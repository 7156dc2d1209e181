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
