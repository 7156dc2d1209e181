"use strict";
// A list of any length, with elements only for the visible rows.

// Browsers do not support higher elements.
const HIGHEST = 8e6;

class List {
  // element, spacer, rows: the ids of the scrolling element, of the one that sets its height, and of the rows' parent;
  // columns: the classes of the cells; total(): the number of rows; fill(element, index): writes a row and returns
  // its position on the time axis; drawn(first, number), scrolled(keepsFollowing): called afterwards.
  constructor({ element, spacer, rows, columns, total, fill, drawn = () => {}, scrolled = () => {} }) {
    Object.assign(this, { columns, total, fill, drawn, scrolled });
    this.element = $(element);
    this.spacer = $(spacer);
    this.body = $(rows);
    this.top = 0; // the first visible row, with a fraction
    this.elements = [];
    this.ownScroll = false;
  }

  // Called once all parts of the page exist.
  listen() {
    this.element.addEventListener("scroll", () => this.follow(), { passive: true });
    this.element.addEventListener("wheel", (event) => {
      // If a pixel of the scroll bar is many rows, the wheel still scrolls by rows.
      if (!this.isScaled() || event.ctrlKey) return;
      event.preventDefault();
      this.scrollTo(this.top + event.deltaY * (event.deltaMode ? 1 : 1 / this.rowHeight()));
    }, { passive: false });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  rowHeight() { return window.matchMedia("(max-width: 640px)").matches ? 54 : 28; }
  inSight() { return Math.max(1, this.element.clientHeight / this.rowHeight()); }
  isScaled() { return this.total() * this.rowHeight() > HIGHEST; }
  highestTop() { return Math.max(0, this.total() - this.inSight()); }

  // The position of the scroll bar for a first row.
  scrollOf(top) {
    if (!this.isScaled()) return top * this.rowHeight();
    return (top / Math.max(1, this.highestTop())) * (HIGHEST - this.element.clientHeight);
  }

  scrollTo(top, keepsFollowing = false) {
    this.top = clamp(top, 0, this.highestTop());
    this.scrolled(keepsFollowing);
    const before = this.element.scrollTop;
    this.element.scrollTop = this.scrollOf(this.top);
    // The browser reports a scroll only if the place changes. A flag without one would swallow the user's next scroll.
    if (this.element.scrollTop !== before) this.ownScroll = true;
    this.draw();
  }

  // Scrolls no farther than needed to show a row.
  reveal(index, keepsFollowing) {
    if (index < Math.ceil(this.top)) this.scrollTo(index);
    else if (index + 1 > this.top + this.inSight()) this.scrollTo(index + 1 - this.inSight(), keepsFollowing);
  }

  // Scrolls to a distant row, and shows some rows before it.
  jump(index) {
    const height = this.inSight();
    if (index < this.top || index > this.top + height - 2) this.scrollTo(index - height / 3);
  }

  // Updates the first row after the user scrolled.
  follow() {
    if (this.ownScroll) { this.ownScroll = false; return; }
    const place = this.element.scrollTop;
    const top = this.isScaled()
      ? (place / (HIGHEST - this.element.clientHeight)) * this.highestTop() : place / this.rowHeight();
    this.top = clamp(top, 0, this.highestTop());
    this.scrolled(this.top >= this.highestTop() - 1.5);
    this.draw();
  }

  // Called if the number of rows or their contents changed.
  resize() {
    this.spacer.style.height = Math.min(HIGHEST, this.total() * this.rowHeight()) + "px";
    this.body.style.height = this.element.clientHeight + "px";
    this.element.setAttribute("aria-rowcount", String(this.total()));
    if (this.top > this.highestTop()) this.scrollTo(this.highestTop(), true);
    this.draw();
  }

  draw() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => { this.isDrawing = false; this.drawNow(); });
  }

  drawNow() {
    const height = this.rowHeight();
    const first = Math.floor(this.top);
    const number = Math.min(this.total() - first, Math.ceil(this.inSight()) + 1);
    while (this.elements.length < number) this.elements.push(this.create());
    let [earliest, latest] = [null, null];
    this.elements.forEach((element, place) => {
      const index = first + place;
      element.hidden = place >= number;
      if (element.hidden) return;
      element.style.transform = `translateY(${(index - this.top) * height}px)`;
      const axis = this.fill(element, index);
      if (axis === undefined) return;
      earliest ??= axis;
      latest = axis;
    });
    // A hidden list does not determine the visible range.
    if (earliest !== null && this.element.clientHeight) lanes.seen = [earliest, latest];
    this.drawn(first, number);
    drawSoon();
  }

  create() {
    const element = make("div.row");
    element.setAttribute("role", "row");
    element.cells = this.columns.map((name) => {
      const cell = make("span." + name);
      cell.setAttribute("role", "gridcell");
      return cell;
    });
    element.append(...element.cells);
    this.body.append(element);
    return element;
  }

  // The row that a key selects, given the selected one; undefined for other keys.
  keyed(event, chosen) {
    const page = Math.max(1, Math.floor(this.inSight()) - 1);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page }[event.key];
    if (step) return chosen < 0 ? Math.floor(this.top) : chosen + step;
    return { Home: 0, End: this.total() - 1 }[event.key];
  }
}

const PAGE = 100;
const MOST_PAGES = 80;

// Rows, requested page by page when the list shows them.
class Pages {
  // fetch(number): the rows of a page; undefined if they are no longer needed.
  constructor(fetch) {
    this.fetch = fetch;
    this.pages = new Map(); // in order of use, the latest last
    this.asked = new Map();
  }

  forget() {
    this.pages.clear();
    this.asked.clear();
  }

  // The row; undefined if it has not arrived, in which case it is requested.
  row(index, total) {
    const number = Math.floor(index / PAGE);
    const page = this.pages.get(number);
    if (page) {
      this.pages.delete(number);
      this.pages.set(number, page);
    }
    if (!page || (page.length < PAGE && number * PAGE + page.length < total)) this.ask(number);
    return page && page[index - number * PAGE];
  }

  async rowNow(index, total) {
    if (index < 0 || index >= total) return undefined;
    const number = Math.floor(index / PAGE);
    return this.row(index, total) || (await this.ask(number), this.pages.get(number))?.[index % PAGE];
  }

  async ask(number) {
    if (this.asked.has(number)) return this.asked.get(number);
    const promise = (async () => {
      const rows = await this.fetch(number);
      if (this.asked.get(number) === promise) {
        this.asked.delete(number);
        if (rows) this.pages.set(number, rows);
        while (this.pages.size > MOST_PAGES) this.pages.delete(this.pages.keys().next().value);
      }
    })();
    this.asked.set(number, promise);
    return promise;
  }
}
