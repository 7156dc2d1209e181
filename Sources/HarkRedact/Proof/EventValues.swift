import HarkCore
import HarkSession

/// The texts and addresses of people and devices in the events of a capture, by the events' own descriptions. The proof
/// searches the result for them. The removal collects its values in another way, from fields, so that a mistake in their
/// declarations shows.
struct EventValues: Sendable {
  private let level: RedactionLevel
  /// What profiles state themselves: it is not from the capture.
  private let stated: Set<[UInt8]>
  /// As bytes of UTF-8.
  private(set) var texts: Set<[UInt8]> = []
  private(set) var addresses: Set<UInt64> = []
  /// Hashes of values, each with the last packet of an event that shows it.
  private var places: Set<Int> = []
  private var sink = EventValueSink()

  init(_ level: RedactionLevel, _ framings: VendorFramings) {
    self.level = level
    stated = Set(framings.all.flatMap { framing in framing.statedTexts.map { Array($0.utf8) } })
  }

  /// Takes what an event of the original shows.
  mutating func take(_ event: Event, _ session: borrowing Session) {
    sink.read(event, session)
    for text in sink.texts where identifies(text) {
      texts.insert(text)
      places.insert(Self.place(text, event))
    }
    for address in sink.addresses where Self.identifies(address) {
      addresses.insert(address)
      places.insert(Self.place(address, event))
    }
  }

  /// Takes what hark calls devices, at the end of the original.
  mutating func takeDevices(_ session: borrowing Session) {
    for device in session.devices {
      for address in device.addresses + [device.address] { take(address) }
      take(name: device.name)
    }
    for advertiser in session.advertisingAddresses {
      take(advertiser.address)
      take(name: advertiser.name)
    }
  }

  private mutating func take(_ address: BluetoothAddress) {
    if Self.identifies(address.value) { addresses.insert(address.value) }
  }

  private mutating func take(name: String?) {
    guard let text = name.map({ Array($0.utf8) }), identifies(text) else { return }
    texts.insert(text)
  }

  /// Values that another reading showed, of which nothing is known but what they are.
  mutating func formUnion(_ other: EventValues) {
    texts.formUnion(other.texts)
    addresses.formUnion(other.addresses)
    places.formUnion(other.places)
  }

  /// Whether an event of the result shows what the same packets showed in the original.
  mutating func isShown(_ event: Event, _ session: borrowing Session) -> Bool {
    sink.read(event, session)
    return sink.texts.contains {
      identifies($0) && places.contains(Self.place($0, event))
    }
      || sink.addresses.contains {
        Self.identifies($0) && places.contains(Self.place($0, event))
      }
  }

  private static func place(_ value: some Hashable, _ event: Event) -> Int {
    var hasher = Hasher()
    hasher.combine(event.frames.last.number)
    hasher.combine(value)
    return hasher.finalize()
  }

  // MARK: What identifies somebody

  /// Shorter texts are the same by chance too often.
  static let shortest = 6

  /// Whether a text is more than what programs and protocols say.
  private func identifies(_ text: [UInt8]) -> Bool {
    guard text.count >= Self.shortest, Set(text).count >= 3, !stated.contains(text),
      text.contains(where: { $0 >= 0x80 || Self.isLetter($0) || Self.isDigit($0) })
    else { return false }
    // Some addresses of the Internet are everybody's.
    let isAddress = text.allSatisfy { Self.isHexDigit($0) || ".:[]%".utf8.contains($0) }
    if isAddress, text.contains(where: { $0 == 0x2E || $0 == 0x3A }) { return false }
    switch level {
    case .strict: return true
    // Identifiers of sessions and apps stay, short numbers, and words of programs.
    case .share:
      let isNumber = text.count <= 9 && text.allSatisfy(Self.isDigit)
      return !isNumber && !Self.isUUID(text) && !Self.isBundle(text) && !Self.isOfPrograms(text)
    }
  }

  /// Whether an address is more than a placeholder or a code for inquiries. Assigned Numbers, 2.1 (LAPs 0x9E8B00 to
  /// 0x9E8B3F)
  static func identifies(_ address: UInt64) -> Bool {
    let octets = Set((0..<6).map { UInt8(truncatingIfNeeded: address >> (UInt64($0) * 8)) })
    return octets.count >= 4 && address & 0xFF_FFC0 != 0x9E_8B00
  }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || 0x61...0x66 ~= byte | 0x20
  }

  /// RFC 9562, 4
  private static func isUUID(_ text: [UInt8]) -> Bool {
    text.count == 36
      && text.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == 0x2D : isHexDigit(byte)
      }
  }

  /// `com.example.app`
  private static func isBundle(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count >= 3
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x2D || $0 == 0x5F }
      }
  }

  /// Whether all words are ones that programs use, or numbers of up to three digits.
  private static func isOfPrograms(_ text: [UInt8]) -> Bool {
    guard text.allSatisfy({ $0 < 0x80 }) else { return false }
    return text.split { !isLetter($0) && !isDigit($0) }.allSatisfy { word in
      if word.allSatisfy(isDigit) { return word.count <= 3 }
      return LogVocabulary.parts(of: word.indices, in: text).allSatisfy {
        LogVocabulary.holds(text[$0])
      }
    }
  }
}

/// The texts and addresses of one event.
private struct EventValueSink: EventSink {
  private(set) var texts: [[UInt8]] = []
  private(set) var addresses: [UInt64] = []
  /// Whether the event is about a characteristic whose value is a name or a number of somebody.
  private var isOfPerson = false
  /// Whether the event is a note: only some of its words are somebody's.
  private var isNote = false
  private var depth = 0

  init() {}

  mutating func read(_ event: Event, _ session: borrowing Session) {
    texts.removeAll(keepingCapacity: true)
    addresses.removeAll(keepingCapacity: true)
    let described = event.content.described
    (isOfPerson, isNote, depth) = (false, described.kind.lane == .note, 0)
    described.describe(event, in: session, to: &self)
  }

  /// Device Name, Serial Number String, Email Address, First Name, Last Name. Assigned Numbers, 3.8
  private static let characteristics: Set<UInt16> = [0x2A00, 0x2A25, 0x2A87, 0x2A8A, 0x2A90]

  private mutating func take(_ text: String) {
    if isNote {
      takeAddresses(in: text)
    } else if let address = BluetoothAddress(text) {
      addresses.append(address.value)
    } else {
      // Some members have quotation marks.
      let bare =
        text.hasPrefix("“") && text.hasSuffix("”") ? text.dropFirst().dropLast() : text[...]
      // What is not UTF-8 looks alike, whatever it was.
      for part in bare.split(separator: "\u{FFFD}") { texts.append(Array(part.utf8)) }
    }
  }

  private mutating func takeAddresses(in text: String) {
    let words = text.split { !($0.isHexDigit || $0 == ":") }
    addresses += words.compactMap { BluetoothAddress($0)?.value }
  }

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {
    if case .text(let text) = value() { take(text) }
  }

  mutating func word(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {}

  mutating func uuid(_ name: StaticString, _ value: BluetoothUUID?, _ role: EventRole) {
    if depth == 0, let short = value?.short { isOfPerson = Self.characteristics.contains(short) }
  }

  mutating func octets(
    _ name: StaticString, _ value: @autoclosure () -> [UInt8], _ role: EventRole
  ) {
    // Zeros end a text.
    if isOfPerson, depth == 0 { texts += value().split(separator: 0).map(Array.init) }
  }

  mutating func identifier(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {
    // Programs make most of them; of somebody's data only an address is certain.
    if let text = value() { takeAddresses(in: text) }
  }

  mutating func product(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {}

  mutating func phrase(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {}

  mutating func address(_ name: StaticString, _ value: BluetoothAddress?, _ role: EventRole) {
    if let value { addresses.append(value.value) }
  }

  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void) { inside(body) }
  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void) { inside(body) }
  mutating func element(_ body: (inout Self) -> Void) { inside(body) }

  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {
    if case .text(let text) = value() { take(text) }
  }

  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {}

  private mutating func inside(_ body: (inout Self) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }
}
