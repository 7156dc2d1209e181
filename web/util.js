"use strict";
// Helpers for all parts. Text from the capture enters the page only as text, never as HTML.

const $ = (id) => document.getElementById(id);

// Creates an element; its name may include classes: "span.chip.link".
function make(name, ...content) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  element.append(...content.filter((piece) => piece !== null && piece !== undefined));
  return element;
}

function makeButton(text, action, name = "button.more") {
  const button = make(name, text);
  button.type = "button";
  button.addEventListener("click", action);
  return button;
}

// Escapes control characters and direction marks, which could disguise text, as on the terminal.
const disguises = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
function printable(text) {
  return String(text).replace(disguises, (c) =>
    c === "\n" ? "\\n" : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

// The same, but keeps line breaks, for the bodies of notifications.
function printableLines(text) { return String(text).split("\n").map(printable).join("\n"); }

function grouped(number) { return number.toLocaleString("en").replace(/,/g, "\u202f"); }

function count(number, one) { return grouped(number) + " " + (number === 1 ? one : one + "s"); }

// A duration in nanoseconds, as text for people.
function duration(ns) {
  const s = ns / 1e9;
  if (s < 1e-3) return trim(s * 1e6) + " µs";
  if (s < 1) return trim(s * 1e3) + " ms";
  // Round first: the smaller unit must not reach 60 or 24.
  const [seconds, minutes, hours] = [1, 60, 3600].map((unit) => Math.round(s / unit));
  if (seconds < 120) return trim(s) + " s";
  if (seconds < 7200) return Math.floor(seconds / 60) + " min " + (seconds % 60) + " s";
  if (minutes < 2880) return Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
  return Math.floor(hours / 24) + " d " + (hours % 24) + " h";
}

function trim(number) {
  return number >= 100 ? number.toFixed(0) : Number(number.toPrecision(3)).toString();
}

// A pattern that matches exactly this text.
function literalPattern(text) { return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"); }

function clamp(value, low, high) { return Math.min(Math.max(value, low), high); }

const style = { cache: new Map() };
// A color from the style sheet.
function color(name) {
  if (!style.cache.has(name)) {
    style.cache.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
  }
  return style.cache.get(name);
}
