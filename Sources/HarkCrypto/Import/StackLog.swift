import HarkCore

/// Keys in the log lines of Bluetooth stacks:
///
///     <inf> bt_keys: SC LTK: 0xca1505d416abfc96ab0db3cba088c6b8        Zephyr
///     peer_addr=0x01 0x02 … ediv=0 rand=0 authenticated=0 ltk=0x9f 0x4a …   NimBLE
///     I (319) LTK: 9f 4a d9 …                                         ESP-IDF
///     D (5432) NimBLE: ediv=0 rand=0 authenticated=0 ltk=             NimBLE on ESP-IDF,
///     D (5432) NimBLE: 0x9f                                           which logs each octet by itself
///
/// Zephyr writes a key as one number, without the leading octets that a smaller key size sets to 0 (Vol 3, Part H, 2.3.4).
/// The others write its bytes in memory order, least significant first.
enum StackLog {
  private static let labels: [(text: String, kind: BondingKey.Kind)] = [
    ("ltk", .longTermKey), ("irk", .identityResolvingKey), ("csrk", .signatureResolvingKey),
    ("link key", .linkKey), ("link_key", .linkKey),
  ]

  static func read(_ lines: [String]) -> KeyImport? {
    var found = KeyImport(.log)
    var peer: BluetoothAddress?
    for text in rows(lines) {
      if let address = self.peer(text) { peer = address }
      for (label, kind) in labels {
        for end in ends(of: Array(label.utf8), in: text) {
          guard let key = key(text[end...]) else { continue }
          found.add(kind, key, peer)
        }
      }
    }
    return found.keys.isEmpty ? nil : found
  }

  /// The lines in lower case, with the octets that NimBLE on ESP-IDF logs by themselves after what they belong to.
  private static func rows(_ lines: [String]) -> [[UInt8]] {
    var rows: [[UInt8]] = []
    for line in lines where line.utf8.count <= longest {
      let text = plain(line.lowercased().utf8)
      let words = words(text[...])
      if words.isEmpty { continue }
      // `d (5432) nimble: 0x9f`
      if let tag = words.firstIndex(of: nimble[...]), tag + 1 < words.count,
        octets(Array(words[(tag + 1)...]), words.count - tag - 1) != nil,
        let last = rows.last, last.count <= longest
      {
        for word in words[(tag + 1)...] { rows[rows.count - 1] += [0x20] + word }
      } else {
        rows.append(text)
      }
    }
    return rows
  }

  private static let longest = 4_096
  private static let nimble = Array("nimble:".utf8)

  /// Without the colors of a terminal, such as `ESC [ 0 m`, with which Zephyr and ESP-IDF end lines. ECMA-48, 5.4
  private static func plain(_ text: String.UTF8View) -> [UInt8] {
    var plain: [UInt8] = []
    var isSequence = false
    for byte in text {
      if byte == 0x1B {
        isSequence = true
      } else if !isSequence {
        plain.append(byte)
      } else if 0x40...0x7E ~= byte, byte != UInt8(ascii: "[") {
        isSequence = false
      }
    }
    return plain
  }

  /// The end of `label` in `text`, as a separate word followed by `:` or `=`.
  private static func ends(of label: [UInt8], in text: [UInt8]) -> [Int] {
    guard text.count > label.count else { return [] }
    return (0..<(text.count - label.count)).compactMap { start in
      let end = start + label.count
      guard text[start..<end].elementsEqual(label),
        start == 0 || !isWord(text[start - 1]),
        text[end] == UInt8(ascii: ":") || text[end] == UInt8(ascii: "=")
      else { return nil }
      return end + 1
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || 0x61...0x7A ~= byte || 0x30...0x39 ~= byte
  }

  /// Sixteen octets, least significant first, if the text starts with them.
  private static func key(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let words = words(text)
    guard let first = words.first else { return nil }
    // One number, of a key of 7 octets or more.
    if let number = first.withoutHexPrefix, 14...32 ~= number.count {
      guard let octets = Hex.bytes(String(decoding: number, as: UTF8.self)) else { return nil }
      return octets.reversed() + [UInt8](repeating: 0, count: 16 - octets.count)
    }
    // Bytes in memory order without blanks.
    if first.count >= 32 {
      guard first.count == 32 else { return nil }
      return Hex.bytes(String(decoding: first, as: UTF8.self))
    }
    return octets(words, 16)
  }

  /// The leading words that are one byte each.
  private static func octets(_ words: [ArraySlice<UInt8>], _ count: Int) -> [UInt8]? {
    guard words.count >= count else { return nil }
    let octets = words.prefix(count).compactMap { word -> UInt8? in
      let digits = word.withoutHexPrefix ?? word
      guard digits.count == 2 else { return nil }
      return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
    return octets.count == count ? octets : nil
  }

  private static func words(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    text.prefix(256).split { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
  }

  /// The peer named in a line, for the keys that follow.
  private static func peer(_ text: [UInt8]) -> BluetoothAddress? {
    for end in ends(of: Array("peer_addr".utf8), in: text) {
      let words = words(text[end...])
      if let first = words.first, let address = BluetoothAddress(text: first) { return address }
      guard let octets = octets(words, 6) else { continue }
      return BluetoothAddress(octets.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
    // Zephyr's samples and shell.
    let line = String(decoding: text, as: UTF8.self)
    guard ["bonded with ", "identity resolved "].contains(where: { line.contains($0) }) else {
      return nil
    }
    let last = line.split(separator: " ").last { BluetoothAddress($0) != nil }
    return last.flatMap { BluetoothAddress($0) }
  }
}

extension BluetoothAddress {
  fileprivate init?(text: ArraySlice<UInt8>) {
    self.init(String(decoding: text, as: UTF8.self))
  }
}
