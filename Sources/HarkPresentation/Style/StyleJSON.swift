import HarkCore

/// A JSON object or array on its way into a buffer. Members come in the order they are written.
package struct JSONText: Sendable {
  package var text = TextBuffer()

  package init() {}

  private mutating func separate() {
    switch text.last {
    case 0, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
    default: text.byte(UInt8(ascii: ","))
    }
  }

  private mutating func key(_ name: StaticString) {
    separate()
    text.byte(UInt8(ascii: "\""))
    text.text(name)
    text.text("\":")
  }

  /// Begins an object or a list with its bracket.
  mutating func open(_ name: StaticString?, _ bracket: UInt8) {
    if let name { key(name) } else { separate() }
    text.byte(bracket)
  }

  mutating func close(_ bracket: UInt8) { text.byte(bracket) }

  package mutating func object(_ name: StaticString? = nil, _ body: (inout JSONText) -> Void) {
    open(name, UInt8(ascii: "{"))
    body(&self)
    close(UInt8(ascii: "}"))
  }

  package mutating func array(_ name: StaticString, _ body: (inout JSONText) -> Void) {
    open(name, UInt8(ascii: "["))
    body(&self)
    close(UInt8(ascii: "]"))
  }

  package mutating func element(_ value: String) {
    separate()
    text.json(value)
  }

  package mutating func element(_ value: some StringProtocol) {
    separate()
    text.json(value)
  }

  package mutating func element(_ value: UInt32) {
    separate()
    text.decimal(UInt64(value))
  }

  mutating func element(_ value: Int64) {
    separate()
    text.decimal(value)
  }

  mutating func element(_ value: Bool) {
    separate()
    text.text(value ? "true" : "false")
  }

  mutating func element(seconds nanoseconds: Int64) {
    separate()
    text.seconds(nanoseconds, decimals: 9)
  }

  /// Leaves the member out where there is no value.
  package mutating func string(_ name: StaticString, _ value: (some StringProtocol)?) {
    guard let value else { return }
    key(name)
    text.json(value)
  }

  package mutating func string(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    text.json(value)
  }

  package mutating func string(_ name: StaticString, _ value: StaticString) {
    string(name, value.description)
  }

  package mutating func described(_ name: StaticString, _ value: (some CustomStringConvertible)?) {
    string(name, value?.description)
  }

  package mutating func number(_ name: StaticString, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    key(name)
    text.decimal(Int64(clamping: value))
  }

  package mutating func flag(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    text.text(value ? "true" : "false")
  }

  package mutating func hex(_ name: StaticString, _ bytes: [UInt8]) {
    string(name, Hex.text(bytes))
  }

  /// Nanoseconds as seconds with all nine places.
  package mutating func seconds(_ name: StaticString, _ nanoseconds: Int64?) {
    guard let nanoseconds else { return }
    key(name)
    text.seconds(nanoseconds, decimals: 9)
  }

  /// A time of the recorder's clock; left out where that was not set.
  package mutating func recorded(_ name: StaticString, _ time: Timestamp?) {
    if let time, time.isDated { self.time(name, time) }
  }

  /// `2026-11-20T16:41:00.001030000`.
  package mutating func time(_ name: StaticString, _ time: Timestamp?) {
    guard let time else { return }
    key(name)
    text.byte(UInt8(ascii: "\""))
    text.dateTime(time, separator: UInt8(ascii: "T"))
    text.decimal(UInt64(time.nanoseconds.magnitude % 1_000), width: 3)
    text.byte(UInt8(ascii: "\""))
  }

  /// `"frames":[12,15],"frame_count":4`.
  package mutating func frames(_ first: PacketID, _ last: PacketID, count: Int) {
    key("frames")
    text.byte(UInt8(ascii: "["))
    text.decimal(UInt64(first.number))
    text.byte(UInt8(ascii: ","))
    text.decimal(UInt64(last.number))
    text.byte(UInt8(ascii: "]"))
    number("frame_count", count)
  }
}
