import HarkCore
import HarkCrypto

/// What is removed from a capture, and what it becomes.
struct PersonalTable {
  /// The number of a value in the table.
  typealias Index = Int

  let pseudonyms: Pseudonyms
  private(set) var values = ValueList()
  /// By the number of the value; empty until `settle`.
  private(set) var replacements = ByteStrings()
  /// Those of values that change, by their bytes.
  private var made = HashedPlaces()
  /// What an earlier run made of values.
  private let known: [PersonalValue: [UInt8]]
  private(set) var randomAddresses: Set<UInt64> = []
  /// What values become that must fit each other.
  private var fixed: [Index: [UInt8]] = [:]
  /// Values that stay elsewhere.
  private var unsearched: Set<Index> = []

  init(_ pseudonyms: Pseudonyms, known: [PersonalValue: [UInt8]]) {
    (self.pseudonyms, self.known) = (pseudonyms, known)
    for value in known.keys.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      _ = add(value)
    }
  }

  /// Nil for what reveals nothing about anyone: nothing but one byte, again and again.
  mutating func add(_ value: PersonalValue) -> Index? {
    guard let first = value.bytes.first else { return nil }
    let isPlain = value.bytes.allSatisfy { $0 == first }
    switch value.kind {
    case .passkey: break
    // A code of few octets may well be of equal ones.
    case .key: if isPlain, first == 0 || value.bytes.count > 4 { return nil }
    default: if isPlain, !value.kind.isText { return nil }
    }
    return values.insert(value).index
  }

  /// Values from packets that may not have been received correctly: they are replaced where
  /// they are, and nothing is for being like them.
  private var doubtful: Set<Index> = []

  mutating func add(_ value: PersonalValue, isDoubtful: Bool) -> Index? {
    let count = values.count
    guard let index = add(value) else { return nil }
    if !isDoubtful {
      doubtful.remove(index)
    } else if index == count {
      doubtful.insert(index)
    }
    return index
  }

  func isDoubtful(_ index: Index) -> Bool { doubtful.contains(index) }

  /// Takes a value whose pseudonym has to be `other`.
  mutating func add(_ value: PersonalValue, becoming other: [UInt8], isSearched: Bool) -> Index? {
    guard let index = add(value), other.count == value.bytes.count else { return nil }
    fixed[index] = other
    if !isSearched { unsearched.insert(index) }
    return index
  }

  /// Takes a value that is replaced only where it is known to be.
  mutating func add(unsearched value: PersonalValue) -> Index? {
    let count = values.count
    guard let index = add(value) else { return nil }
    if index == count { unsearched.insert(index) }
    return index
  }

  /// UUIDs that packets have are of services and sessions: they stay there, and so in logs.
  mutating func keepIdentifiers(in capture: [UInt8]) {
    var forms: [UInt32: [(index: Index, bytes: [UInt8])]] = [:]
    for index in values.indices where values.kind(index) == .identifier {
      for bytes in [values[index].bytes, values[index].bytes.reversed()] {
        forms[bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) }, default: []].append((index, bytes))
      }
    }
    guard !forms.isEmpty, capture.count >= 16 else { return }
    var head: UInt32 = 0
    for place in capture.indices {
      head = head << 8 | UInt32(capture[place])
      guard place >= 3, let candidates = forms[head] else { continue }
      for form in candidates where capture[(place - 3)...].starts(with: form.bytes) {
        fixed[form.index] = values[form.index].bytes
      }
    }
  }

  /// The same of sessions that messages name, in whatever parts they come.
  mutating func keepIdentifiers(of sessions: Set<String>) {
    for session in sessions {
      if let index = find(PersonalValue(kind: .text, bytes: Array(session.utf8))) {
        fixed[index] = values[index].bytes
      }
      guard let bytes = Hex.bytes(session.filter { $0 != "-" }), bytes.count == 16,
        let index = find(PersonalValue(kind: .identifier, bytes: bytes))
      else { continue }
      fixed[index] = bytes
    }
  }

  mutating func isRandom(_ address: UInt64) { randomAddresses.insert(address) }

  func find(_ value: PersonalValue) -> Index? { values.firstIndex(of: value) }

  static func octets(_ address: UInt64) -> [UInt8] {
    (0..<6).reversed().map { UInt8(truncatingIfNeeded: address >> (UInt64($0) * 8)) }
  }

  /// Makes a pseudonym for each value, once all are known.
  /// - Parameter irks: The numbers of values that are IRKs, as they are sent.
  mutating func settle(irks: Set<Index>) {
    addNumbersInNames()
    replacements = values.replacements
    // Addresses are made last.
    var isMade = [Bool](repeating: true, count: values.count)
    for index in values.indices {
      if values.kind(index) != .address {
        replacements[index] = pseudonym(of: index)
      } else if let other = fixed[index] {
        replacements[index] = other
      } else {
        isMade[index] = false
      }
    }
    let resolvers = irks.sorted().map { index in
      (
        old: Array(values[index].bytes.reversed()),
        new: Array(replacements[index].reversed())
      )
    }
    // What an earlier capture made of one without its IRK would not resolve with it.
    for index in values.indices
    where !resolvers.isEmpty && values.kind(index) == .address && isMade[index] {
      let (old, new) = (address(values[index].bytes), address(replacements[index]))
      if let resolver = resolvers.first(where: { Self.resolves($0.old, old) }),
        !Self.resolves(resolver.new, new)
      {
        isMade[index] = false
        isRandom(old)
      }
    }
    settleAddresses(&isMade, resolvers)
    for index in values.indices where changes(index) {
      let other = replacements[index]
      guard !isPseudonym(other) else { continue }
      let replacements = replacements
      made.insert(index) { replacements[$0].hashValue }
    }
  }

  /// - Parameters:
  ///   - isMade: Whether a value has its pseudonym.
  ///   - resolvers: IRKs, and what they become.
  private mutating func settleAddresses(
    _ isMade: inout [Bool], _ resolvers: [(old: [UInt8], new: [UInt8])]
  ) {
    var taken = Set(known.filter { $0.key.kind == .address }.map { address($0.value) })
    for index in values.indices where !isMade[index] {
      let bytes = values[index].bytes
      let old = address(bytes)
      let isRandom = randomAddresses.contains(old)
      let irk = isRandom ? resolvers.first { Self.resolves($0.old, old) }?.new : nil
      defer { isMade[index] = true }
      if let earlier = known[values[index]], isFit(earlier, for: old, isRandom: isRandom, irk) {
        replacements[index] = earlier
        continue
      }
      // Its octets the wrong way around are those of its pseudonym.
      let reversed = PersonalValue(kind: .address, bytes: bytes.reversed())
      if let other = find(reversed), other != index, isMade[other] {
        replacements[index] = replacements[other].reversed()
        continue
      }
      let new = freeAddress(bytes, isRandom: isRandom, irk, taken)
      replacements[index] = new
      taken.insert(address(new))
    }
  }

  /// Another address that none became, of an equal length on the wire where that can be.
  private func freeAddress(
    _ bytes: [UInt8], isRandom: Bool, _ irk: [UInt8]?, _ taken: Set<UInt64>
  ) -> [UInt8] {
    let old = address(bytes)
    var found: [UInt8]?
    for attempt in 0...Pseudonyms.mostDraws {
      let new = Self.octets(
        pseudonyms.address(old, isRandom: isRandom, irk: irk, attempt: attempt))
      let isFree = new != bytes && !taken.contains(address(new))
      if isFree, pseudonyms.isAsLong(new, bytes) { return new }
      if found == nil, isFree || attempt == Pseudonyms.mostDraws { found = new }
    }
    return found ?? bytes
  }

  private func address(_ octets: [UInt8]) -> UInt64 {
    octets.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// What a value becomes that is no address.
  func pseudonym(of index: Index) -> [UInt8] {
    known[values[index]] ?? fixed[index] ?? pseudonyms.pseudonym(of: values[index])
  }

  /// Whether an address may become what it became earlier: then the IRK may not have been known, and its
  /// maker may have been kept.
  private func isFit(
    _ earlier: [UInt8], for old: UInt64, isRandom: Bool, _ irk: [UInt8]?
  ) -> Bool {
    let new = earlier.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if let irk { return Self.resolves(irk, new) }
    return isRandom || pseudonyms.level != .strict || new >> 24 != old >> 24
  }

  /// Core Specification, Vol 6, Part B, 1.3.2.3.
  private static func resolves(_ irk: [UInt8], _ address: UInt64) -> Bool {
    guard address >> 46 == 0b01 else { return false }
    let octets = octets(address)
    return SMPToolbox.ah(irk: irk, prand: Array(octets[..<3])) == Array(octets[3...])
  }

  /// Whether something became these bytes: then they are no secret, whatever else they were.
  func isPseudonym(_ bytes: [UInt8]) -> Bool {
    made.find(bytes.hashValue) { replacements.isEqual($0, bytes) } != nil
  }

  /// Whether the value is another afterwards.
  func changes(_ index: Index) -> Bool { !values.isEqual(index, in: replacements) }

  /// How many values are looked for everywhere.
  var searchedCount: Int { values.indices.count { isSearched($0) } }

  /// Values that are looked for everywhere: of those that are too short or too plain, other bytes are
  /// the same by chance.
  func isSearched(_ index: Index) -> Bool {
    guard values.kind(index).isSearched, !unsearched.contains(index), !doubtful.contains(index),
      changes(index)
    else { return false }
    let value = values[index]
    guard value.bytes.count >= SecretPattern.shortest else { return false }
    return Set(value.bytes).count >= (value.kind.isText ? 3 : 4)
  }
}
