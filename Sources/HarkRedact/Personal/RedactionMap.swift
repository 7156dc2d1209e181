import HarkCore
import HarkCrypto

/// The key that pseudonyms are made with, and what became what: for the owner of a capture, to
/// translate back, and to have the same pseudonyms in the next one.
///
/// A text file: a line that says what it is, a line with the key, and a line for each value with its
/// kind, its bytes and those it became in hexadecimal digits, with tabs between.
public struct RedactionMap: Sendable {
  let hash: KeyedHash
  private(set) var values: [PersonalValue: [UInt8]] = [:]

  private static let title = "# hark redaction map 1: lists what was removed; keep it private"

  /// With a key of its own.
  public init() { hash = KeyedHash() }

  /// - Throws: `RedactionMapError` with the line that does not belong in a map.
  public init(_ text: String) throws(RedactionMapError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1, lines[0].hasPrefix("# hark redaction map 1") else {
      throw RedactionMapError(line: 1)
    }
    let first = lines[1].split(separator: "\t", omittingEmptySubsequences: false)
    guard first.count == 2, first[0] == "key", let key = Hex.bytes(first[1]),
      let hash = KeyedHash(key: key)
    else { throw RedactionMapError(line: 2) }
    self.hash = hash
    for (number, line) in lines.enumerated().dropFirst(2) where !line.isEmpty {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard parts.count == 3, let kind = PersonalKind(rawValue: String(parts[0])),
        let old = Hex.bytes(parts[1]), let new = Hex.bytes(parts[2]), !old.isEmpty,
        old.count == new.count
      else { throw RedactionMapError(line: number + 1) }
      values[PersonalValue(kind: kind, bytes: old)] = new
    }
  }

  /// What the name of a device became, or what it becomes.
  public func pseudonym(ofName name: String) -> String {
    let value = PersonalValue(kind: .name, bytes: Array(name.utf8))
    let new = values[value] ?? Pseudonyms(hash: hash, level: .share).pseudonym(of: value)
    return String(decoding: new, as: UTF8.self)
  }

  /// The key alone: what is made with it does not depend on the captures before.
  public var withoutValues: RedactionMap {
    var map = self
    map.values = [:]
    return map
  }

  /// Adds the entries of another map with the same key; what is known already stays.
  public mutating func add(_ other: RedactionMap) {
    values.merge(other.values) { known, _ in known }
  }

  /// What stands for bytes for those who do not have the key.
  public func digest(of bytes: [UInt8], count: Int) -> [UInt8] {
    hash.stream("digest", bytes, count: count)
  }

  func adding(_ table: PersonalTable) -> RedactionMap {
    var map = self
    for index in table.values.indices
    where table.values.kind(index).isKeptInMap && !table.isDoubtful(index) {
      map.values[table.values[index]] = table.replacements[index]
    }
    return map
  }

  /// The file, in an order that does not change.
  public var text: String {
    var text = TextBuffer()
    text.string(Self.title + "\nkey\t" + Hex.text(hash.key) + "\n")
    let sorted = values.sorted { a, b in
      (a.key.kind, Hex.text(a.key.bytes)) < (b.key.kind, Hex.text(b.key.bytes))
    }
    for (value, new) in sorted {
      text.string("\(value.kind.rawValue)\t\(Hex.text(value.bytes))\t\(Hex.text(new))\n")
    }
    return text.string
  }
}

extension PersonalKind {
  /// The original of a value that is replaced arbitrarily is not needed.
  fileprivate var isKeptInMap: Bool {
    switch self {
    case .sound, .input, .file, .misheard, .sealed, .word, .traffic, .health: false
    default: true
    }
  }
}

/// A file that is no redaction map.
public struct RedactionMapError: Error, CustomStringConvertible {
  public let line: Int

  public var description: String { "line \(line) does not belong to a redaction map" }
}
