import HarkCore

/// A text in bytes that nothing decodes.
struct UndecodedText {
  enum Encoding: Equatable {
    /// UTF-8, or another one that has ASCII.
    case octets
    /// - Parameter isCut: Whether the second octet of the last character belongs to something else.
    case utf16(isBigEndian: Bool, isCut: Bool)
  }

  /// In UTF-8 if it is UTF-16.
  let bytes: [UInt8]
  /// Where each of its bytes is; of UTF-16, where its character begins.
  let places: [Int]
  let encoding: Encoding
  /// Whether it is UTF-16 of a script that a good part of all numbers of two octets belong to.
  var isOfIdeographs = false

  /// The places of all bytes of a part.
  private func octets(of part: Range<Int>) -> [Int] {
    guard case .utf16(_, let isCut) = encoding else { return Array(places[part]) }
    var all: [Int] = []
    for index in part where index == part.lowerBound || places[index] != places[index - 1] {
      all += places[index]..<(places[index] + 2)
    }
    if isCut, part.upperBound == bytes.count { all.removeLast() }
    return all
  }

  /// A part of the text after it became another one.
  /// - Returns: The places of its bytes, and the bytes: zeros if the other one has another length in UTF-16.
  func change(_ part: Range<Int>, to new: [UInt8]) -> (places: [Int], bytes: [UInt8]) {
    let octets = octets(of: part)
    guard case .utf16(let isBigEndian, _) = encoding else { return (octets, new) }
    let units = SecretEncoding.utf16(isBigEndian: isBigEndian).encode(new)
    let fits = units.count == octets.count + octets.count % 2
    return (octets, fits ? units : [UInt8](repeating: 0, count: octets.count))
  }

  /// Longer texts are divided between words, or anywhere at the latest: the time to find their words grows faster than
  /// their length.
  static let longest = 1_024
  static let longestWord = 3_072
  /// Fewer bytes are no text.
  private static let shortest = 3

  /// The texts in undecoded bytes.
  /// - Parameter isOpen: Whether a byte may change.
  static func find(in bytes: UndecodedBytes, where isOpen: (Int) -> Bool) -> [UndecodedText] {
    var isOpen = bytes.all.indices.map(isOpen)
    let wide = wideTexts(in: bytes, where: isOpen)
    var isTaken = [Bool](repeating: false, count: bytes.all.count)
    var found = wide.filter { !$0.isOfIdeographs }
    for text in found {
      for place in text.octets(of: text.bytes.indices) {
        (isTaken[place], isOpen[place]) = (true, false)
      }
    }
    let narrow = narrowTexts(in: bytes, where: isOpen)
    var isNarrow = [Bool](repeating: false, count: bytes.all.count)
    for place in narrow.flatMap(\.places) { isNarrow[place] = true }
    // Of ideographs, some octets are those of ASCII, but not many.
    for text in wide where text.isOfIdeographs {
      let octets = text.octets(of: text.bytes.indices)
      guard octets.count(where: { isNarrow[$0] }) * 3 < octets.count else { continue }
      for place in octets { isTaken[place] = true }
      found.append(text)
    }
    return found + narrow.filter { text in !text.places.contains { isTaken[$0] } }
  }

  private static func narrowTexts(
    in bytes: UndecodedBytes, where isOpen: [Bool]
  ) -> [UndecodedText] {
    let all = bytes.all
    var found: [UndecodedText] = []
    var start = 0
    var (place, isRest) = (0, false)
    /// Ends the run of characters from `start` on.
    func end() {
      let run = start..<place
      if isRest && !run.isEmpty || run.count >= shortest {
        let texts =
          isRest || isText(run, in: bytes)
          ? [run] : bytes.parts(of: run).filter { isFramed($0, in: bytes) }
        for text in texts.map({ withoutHead($0, in: bytes) }) {
          found.append(
            UndecodedText(bytes: Array(all[text]), places: Array(text), encoding: .octets))
        }
      }
      isRest = false
    }
    while place < all.count {
      let count = size(at: place, in: all)
      guard count > 0, !isOpen[place..<(place + count)].contains(false) else {
        end()
        place += 1
        start = place
        continue
      }
      let first = all[place]
      place += count
      let length = place - start
      if length >= longest, length >= longest + longestWord || !LogVocabulary.isWordByte(first) {
        end()
        (start, isRest) = (place, true)
      }
    }
    end()
    return found
  }

  // MARK: Octets

  private struct Characters {
    private(set) var count = 0
    private(set) var letters = 0
    /// Letters of several octets.
    private(set) var wide = 0
    private(set) var digits = 0
    private(set) var spaces = 0
    /// Letters after the first character that are no small ones of ASCII, and all other characters.
    private var others = 0

    init(_ bytes: ArraySlice<UInt8>) {
      for byte in bytes where byte & 0xC0 != 0x80 {
        switch byte {
        case 0x30...0x39: digits += 1
        case 0x41...0x5A, 0x61...0x7A: letters += 1
        case 0x80...: (letters, wide) = (letters + 1, wide + 1)
        case 0x20: spaces += 1
        default: break
        }
        let isSmall = 0x61...0x7A ~= byte
        let isFirst = count == 0 && 0x41...0x5A ~= byte
        if !isSmall, !isFirst { others += 1 }
        count += 1
      }
    }

    /// Whether it is one word, as in a text.
    var isWord: Bool { others == 0 && count > 0 }
  }

  /// Whether characters are hardly a text by chance, wherever they are: of random bytes, one of 3,000 begins one.
  private static func isText(_ run: Range<Int>, in bytes: UndecodedBytes) -> Bool {
    let found = Characters(bytes.all[run])
    return found.count >= 8 && found.letters + found.digits >= 6
      || found.count >= 6 && found.letters + found.spaces == found.count && found.letters >= 5
      || found.wide >= 3 || found.isWord && found.count >= 5
  }

  /// Whether characters are a text because of where they begin and end: a value of its own, one whose length is stated, or
  /// between zeros and other control characters.
  private static func isFramed(_ run: Range<Int>, in bytes: UndecodedBytes) -> Bool {
    let found = Characters(bytes.all[run])
    if found.letters >= 3 || found.digits >= 4,
      bytes.isValue(run) || bytes.isStated(run) || hasHead(run, in: bytes)
    {
      return true
    }
    let (start, end) = (run.lowerBound, run.upperBound)
    // A number of one octet may precede it in its value.
    let isBegun = bytes.isEdge(start) || bytes.isEdge(start - 1) || bytes.all[start - 1] < 0x20
    let isEnded = bytes.isEdge(end) || bytes.all[end] < 0x20
    return found.letters + found.digits >= 4 && isBegun && isEnded
  }

  /// Whether a run begins with the head of a text of CBOR that has the rest of it. RFC 8949, 3.1
  private static func hasHead(_ run: Range<Int>, in bytes: UndecodedBytes) -> Bool {
    4...24 ~= run.count && Int(bytes.all[run.lowerBound]) == 0x60 + run.count - 1
      && !bytes.isEdge(run.lowerBound)
  }

  private static func withoutHead(_ run: Range<Int>, in bytes: UndecodedBytes) -> Range<Int> {
    hasHead(run, in: bytes) && !bytes.isStated(run) ? run.dropFirst() : run
  }

  /// How many bytes a printable character of ASCII or a letter of UTF-8 has; 0 for anything else.
  private static func size(at place: Int, in bytes: [UInt8]) -> Int {
    let count: Int
    switch bytes[place] {
    case 0x20...0x7E: return 1
    case 0xC2...0xDF: count = 2
    case 0xE0...0xEF: count = 3
    case 0xF0...0xF4: count = 4
    default: return 0
    }
    guard place + count <= bytes.count else { return 0 }
    for next in (place + 1)..<(place + count) where bytes[next] & 0xC0 != 0x80 { return 0 }
    let scalar = String(validating: bytes[place..<(place + count)], as: UTF8.self)?.unicodeScalars
      .first
    return scalar?.properties.isAlphabetic == true ? count : 0
  }
}
