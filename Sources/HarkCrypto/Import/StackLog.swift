import HarkCore

/// Keys in the log lines of Bluetooth stacks:
///
///     <inf> bt_keys: SC LTK: 0xca1505d416abfc96ab0db3cba088c6b8        Zephyr
///     peer_addr=0x01 0x02 … ediv=0 rand=0 authenticated=0 ltk=0x9f 0x4a …   NimBLE
///     I (319) LTK: 9f 4a d9 …                                         ESP-IDF
///
/// Zephyr writes a key as one number. The others write its bytes in memory order, least significant first.
enum StackLog {
  private static let labels: [(text: String, kind: BondingKey.Kind)] = [
    ("ltk", .longTermKey), ("irk", .identityResolvingKey), ("csrk", .signatureResolvingKey),
    ("link key", .linkKey), ("link_key", .linkKey),
  ]

  static func read(_ lines: [String]) -> KeyImport? {
    var found = KeyImport(.log)
    var peer: BluetoothAddress?
    for line in lines where line.utf8.count <= 4_096 {
      let text = Self.plain(line.lowercased().utf8)
      if let address = self.peer(line, text) { peer = address }
      for (label, kind) in labels {
        for end in ends(of: Array(label.utf8), in: text) {
          guard let key = key(text[end...]) else { continue }
          found.add(kind, key, peer)
        }
      }
    }
    return found.keys.isEmpty ? nil : found
  }

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
    if first.count >= 32 {
      // One number, or bytes in memory order without blanks.
      let number = first.withoutHexPrefix
      let digits = number ?? first
      guard digits.count == 32, let octets = Hex.bytes(String(decoding: digits, as: UTF8.self))
      else { return nil }
      return number == nil ? octets : octets.reversed()
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
  private static func peer(_ line: String, _ text: [UInt8]) -> BluetoothAddress? {
    for end in ends(of: Array("peer_addr".utf8), in: text) {
      let words = words(text[end...])
      if let first = words.first, let address = BluetoothAddress(text: first) { return address }
      guard let octets = octets(words, 6) else { continue }
      return BluetoothAddress(octets.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
    // Zephyr's samples and shell.
    guard ["Bonded with ", "Identity resolved "].contains(where: { line.contains($0) }) else {
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
