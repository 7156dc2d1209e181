/// Texts in bytes that are read as numbers: in ASCII, UTF-8, ISO 8859-1 or UTF-16.
struct NumberTexts {
  private(set) var ranges: [Range<Int>] = []

  private let bytes: [UInt8]
  /// Characters of a text; fewer occur by chance.
  private let shortest: Int

  /// Letters and digits among them, unless they take several octets each.
  private static let fewestLetters = 4
  /// Letters of several octets, which are by chance in fewer numbers.
  private static let fewestWideLetters = 3

  init(_ bytes: [UInt8], shortest: Int) {
    (self.bytes, self.shortest) = (bytes, shortest)
    octets()
    units(isBigEndian: false)
    units(isBigEndian: true)
  }

  // MARK: Octets

  private mutating func octets() {
    var start = 0
    while start < bytes.count {
      var (end, letters, wide, latin) = (start, 0, 0, 0)
      while end < bytes.count {
        let byte = bytes[end]
        if 0x20...0x7E ~= byte {
          letters += Self.isLetter(UInt32(byte)) ? 1 : 0
          end += 1
        } else if let count = character(at: end) {
          wide += 1
          end += count
        } else if 0xC0...0xFE ~= byte {
          latin += 1
          end += 1
        } else {
          break
        }
      }
      // Of numbers, too, many have a high octet: in a text of ISO 8859-1, most letters are those of ASCII.
      let isText =
        letters >= Self.fewestLetters && latin <= letters || wide >= Self.fewestWideLetters
      if end - start >= shortest, isText { ranges.append(start..<end) }
      start = max(end, start + 1)
    }
  }

  /// How many octets a letter or sign has in UTF-8 that is not in ASCII. RFC 3629, 3
  private func character(at place: Int) -> Int? {
    let count: Int
    switch bytes[place] {
    case 0xC2...0xDF: count = 2
    case 0xE0...0xEF: count = 3
    case 0xF0...0xF4: count = 4
    default: return nil
    }
    guard place + count <= bytes.count,
      bytes[(place + 1)..<(place + count)].allSatisfy({ 0x80...0xBF ~= $0 })
    else { return nil }
    let first = UInt32(bytes[place]) & (0x7F >> UInt32(count))
    let code = bytes[(place + 1)..<(place + count)].reduce(first) { $0 << 6 | UInt32($1 & 0x3F) }
    guard let scalar = Unicode.Scalar(code) else { return nil }
    switch scalar.properties.generalCategory {
    case .control, .unassigned, .privateUse, .surrogate: return nil
    default: return count
    }
  }

  // MARK: UTF-16

  /// Letters of one script, one after the other, with what stands between words.
  private mutating func units(isBigEndian: Bool) {
    for parity in 0...1 {
      var start = parity
      while start + 1 < bytes.count {
        var (end, characters, letters, script) = (start, 0, 0, 0)
        var different: Set<UInt32> = []
        while end + 1 < bytes.count {
          let unit = unit(at: end, isBigEndian)
          let next = Self.script(of: unit)
          guard next >= 0, script == 0 || next == 0 || next == script else { break }
          if next > 0 { script = next }
          if next > Self.latin || Self.isLetter(unit) {
            letters += 1
            if different.count < 3 { different.insert(unit) }
          }
          characters += 1
          end += 2
        }
        // The last octet of a text in numbers of one octet may be missing.
        if !isBigEndian, end + 1 == bytes.count, script == Self.latin, 0x20...0x7E ~= bytes[end] {
          letters += Self.isLetter(UInt32(bytes[end])) ? 1 : 0
          (characters, end) = (characters + 1, end + 1)
        }
        let isText = letters >= Self.fewestLetters && (script == Self.latin || different.count == 3)
        if characters >= shortest, isText { ranges.append(start..<end) }
        start = max(end, start + 2)
      }
    }
  }

  private func unit(at place: Int, _ isBigEndian: Bool) -> UInt32 {
    let (first, second) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
    return isBigEndian ? first << 8 | second : second << 8 | first
  }

  static let latin = 1
  static let japanese = 10
  static let hangul = 11
  /// The first one of a script of India.
  static let indic = 100

  /// Which of the scripts of names a unit is in: 0 for signs of all of them, less for none. The Unicode Standard,
  /// chapter 2.8
  static func script(of unit: UInt32) -> Int {
    switch unit {
    case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: latin
    case 0x20...0x7E, 0x2010...0x203A, 0x3000...0x303F, 0xFF01...0xFF5E: 0
    case 0x370...0x3FF: 2
    case 0x400...0x52F: 3
    case 0x531...0x58F: 4
    case 0x591...0x5F4: 5
    case 0x600...0x6FF: 6
    case 0x900...0xDFF: indic + Int(unit >> 7)
    case 0xE01...0xEFF: 8
    case 0x10A0...0x10FF: 9
    case 0x3041...0x30FF, 0x4E00...0x9FFF: japanese
    case 0xAC00...0xD7A3: hangul
    default: -1
    }
  }

  private static func isLetter(_ code: UInt32) -> Bool {
    switch code {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
