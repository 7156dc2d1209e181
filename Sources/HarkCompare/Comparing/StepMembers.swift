import HarkCore
import HarkSession

/// The members of an event as a step compares them, those inside others after a full stop:
/// `to_peripheral.phy`. Lists are one value, with commas between.
struct StepMembers: EventSink {
  private(set) var family: [String] = []
  private(set) var identity: [String] = []
  private(set) var marks: [Step.Parameter] = []
  private(set) var parameters: [Step.Parameter] = []
  /// From what it answers, in nanoseconds.
  private(set) var latency: Int64?
  private var path = ""

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {
    guard let value = value() else { return }
    if path.isEmpty, name.description == "latency", case .nanoseconds(let time) = value {
      latency = time
    }
    if role != .incidental { add(path + name.description, value, role) }
  }

  mutating func object(_ name: StaticString, _ body: (inout StepMembers) -> Void) {
    inside(path + name.description, body)
  }

  mutating func list(_ name: StaticString, _ body: (inout StepMembers) -> Void) {
    inside(path + name.description, body)
  }

  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {
    // The list itself has the name.
    if role != .incidental { add(String(path.dropLast()), value(), role) }
  }

  mutating func element(_ body: (inout StepMembers) -> Void) { body(&self) }

  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {}

  private mutating func inside(_ name: String, _ body: (inout StepMembers) -> Void) {
    let outer = path
    path = name + "."
    body(&self)
    path = outer
  }

  private mutating func add(_ name: String, _ value: EventValue, _ role: EventRole) {
    let text = Self.text(value)
    switch role {
    case .family:
      identity.append(text)
      family.append(text)
    case .identity:
      identity.append(text)
      Self.append(Step.Parameter(name: name, value: text), to: &marks)
    case .parameter, .viewpoint:
      Self.append(
        Step.Parameter(
          name: name, value: Self.abstracted(text), isViewpoint: role == .viewpoint),
        to: &parameters)
    case .incidental: break
    }
  }

  /// Objects in a list have members with the same name.
  private static func append(_ new: Step.Parameter, to all: inout [Step.Parameter]) {
    guard let index = all.firstIndex(where: { $0.name == new.name }) else {
      return all.append(new)
    }
    all[index].value += ", " + new.value
  }

  private static func text(_ value: EventValue) -> String {
    switch value {
    case .number(let number): return "\(number)"
    case .flag(let flag): return flag ? "true" : "false"
    case .word(let text), .text(let text): return text
    case .octets(let octets): return Self.text(of: octets)
    case .nanoseconds(let time):
      var text = TextBuffer()
      text.seconds(time, decimals: 9)
      return text.string
    }
  }

  /// Octets as text where they are text, otherwise as hexadecimal digits.
  private static func text(of octets: [UInt8]) -> String {
    guard !octets.isEmpty, let text = String(validating: octets, as: UTF8.self),
      !text.utf8.contains(where: { $0 < 0x20 })
    else { return Hex.text(octets) }
    return text
  }

  /// A value without addresses and UUIDs. Whether a UUID is spelled in small letters is kept: keys are
  /// derived from its text.
  static func abstracted(_ value: String) -> String {
    let bytes = Array(value.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if matches(bytes, place, uuid) {
        let isLower = bytes[place..<place + uuid.count].contains { (0x61...0x66).contains($0) }
        result.append(contentsOf: Array((isLower ? "uuid" : "UUID").utf8))
        place += uuid.count
      } else if matches(bytes, place, address) {
        result.append(contentsOf: Array("address".utf8))
        place += address.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  // A blank stands for a hexadecimal digit.
  private static let uuid = Array("        -    -    -    -            ".utf8)
  private static let address = Array("  :  :  :  :  :  ".utf8)

  private static func matches(_ bytes: [UInt8], _ place: Int, _ pattern: [UInt8]) -> Bool {
    guard place + pattern.count <= bytes.count else { return false }
    return pattern.indices.allSatisfy { index in
      let byte = bytes[place + index]
      guard pattern[index] == 0x20 else { return byte == pattern[index] }
      return switch byte {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
      default: false
      }
    }
  }
}
