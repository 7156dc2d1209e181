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
