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
