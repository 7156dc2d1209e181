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
