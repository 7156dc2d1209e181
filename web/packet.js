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
