import HarkCore

extension LogVocabulary {
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
    default: false
    }
  }

  /// So many short numbers in a row spell something octet by octet.
  private static let shortestList = 5
  /// So many words of memory in a row are six octets.
  private static let fewestWords = 3

  /// Where lists of octets or of words of memory are: decimal or hexadecimal numbers of up to four digits, with a
  /// separator or two between them. `17:41:00.045` is not one.
  static func lists(in text: [UInt8]) -> [Range<Int>] {
    var lists: [Range<Int>] = []
    var (start, end, count, longs) = (0, 0, 0, 0)
    func finish() {
      if count >= shortestList || longs >= fewestWords { lists.append(start..<end) }
    }
    for word in words(in: text.indices, of: text) {
      let isOctet = isOctets(text[word])
      let isNext = count > 0 && word.lowerBound - end <= 2
      if !isOctet || !isNext {
        finish()
        (count, longs) = (0, 0)
      }
      guard isOctet else { continue }
      if count == 0 { start = word.lowerBound }
      (end, count) = (word.upperBound, count + 1)
      // Two octets: `0x0011`.
      if text[word].withoutHexPrefix?.count ?? 0 > 2 { longs += 1 }
    }
    finish()
    return lists
  }

  /// Whether a word is an octet or two in digits.
  static func isOctets(_ word: ArraySlice<UInt8>) -> Bool {
    if let digits = word.withoutHexPrefix {
      return (1...4).contains(digits.count) && digits.allSatisfy { Hex.value(of: $0) != nil }
    }
    return (1...4).contains(word.count)
      && word.allSatisfy {
        Hex.value(of: $0) != nil || $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "X")
      }
  }

  /// Fewer digits are no telephone number.
  private static let fewestDigits = 6

  /// Where numbers stand in groups of digits: `(030) 123-45`, `030 12345`.
  static func groupedNumbers(in text: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var (start, end, digits, groups) = (0, 0, 0, 0)
    func finish() {
      if groups > 1, digits >= fewestDigits { found.append(start..<end) }
    }
    for word in words(in: text.indices, of: text) {
      let between = groups > 0 ? text[end..<word.lowerBound] : []
      let isNext =
        (1...2).contains(between.count) && between.allSatisfy { " ()-./".utf8.contains($0) }
      if !isNext || !isNumber(text[word]) {
        finish()
        (digits, groups) = (0, 0)
      }
      guard isNumber(text[word]) else { continue }
      if groups == 0 { start = word.lowerBound }
      (end, digits, groups) = (word.upperBound, digits + word.count, groups + 1)
    }
    finish()
    return found
  }

  private static let coordinates: Set<String> = [
    "lat", "latitude", "lon", "lng", "long", "longitude", "coordinate", "coordinates", "location",
  ]

  /// A number of degrees after a word that says so (`lat=52.51`), or two with a comma between them (`52.51,13.37`). Few digits
  /// are a place, too.
  /// - Parameter text: In small letters.
  static func coordinate(at place: Int, in text: [UInt8]) -> Range<Int>? {
    guard isDigit(text[place]), place > 0, !isWordByte(text[place - 1]) else { return nil }
    if let end = endOfPair(from: place, in: text) { return place..<end }
    var front = text[..<place]
    while let last = front.last, " =:<([\"+-".utf8.contains(last), place - front.endIndex < 8 {
      front.removeLast()
    }
    let word = front.suffix(front.reversed().prefix { isWordByte($0) }.count)
    guard word.endIndex < place, isCoordinate(String(decoding: word, as: UTF8.self)) else {
      return nil
    }
    var end = place
    // A comma divides a number in many languages.
    while end < text.count,
      isDigit(text[end])
        || ".,".utf8.contains(text[end]) && end + 1 < text.count && isDigit(text[end + 1])
    { end += 1 }
    return place..<end
  }

  /// Whether a number after this word is one of a place: also after `userlatitude`.
  private static func isCoordinate(_ word: String) -> Bool {
    coordinates.contains(word) || coordinates.contains { $0.count >= 8 && word.hasSuffix($0) }
  }

  private static func endOfPair(from place: Int, in text: [UInt8]) -> Int? {
    guard let first = endOfDegrees(from: place, in: text), first < text.count,
      text[first] == UInt8(ascii: ",")
    else { return nil }
    let next = first + 1 + text[(first + 1)...].prefix(2).prefix { " +-".utf8.contains($0) }.count
    return endOfDegrees(from: next, in: text)
  }

  /// Up to three digits, a point, and at least two more.
  private static func endOfDegrees(from place: Int, in text: [UInt8]) -> Int? {
    let whole = text[place...].prefix(4).prefix(while: isDigit)
    guard 1...3 ~= whole.count, whole.endIndex < text.count,
      text[whole.endIndex] == UInt8(ascii: ".")
    else { return nil }
    let fraction = text[(whole.endIndex + 1)...].prefix(while: isDigit)
    guard fraction.count >= 2 else { return nil }
    let end = fraction.endIndex
    // Versions and addresses have more parts.
    return end < text.count && text[end] == UInt8(ascii: ".") ? nil : end
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  static func words(in range: Range<Int>, of text: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var place = range.lowerBound
    while place < range.upperBound {
      guard isWordByte(text[place]) else {
        place += 1
        continue
      }
      let start = place
      while place < range.upperBound, isWordByte(text[place]) { place += 1 }
      words.append(start..<place)
    }
    return words
  }

  static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
    word.allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// Whether a word is known: with one or two digits after it (`Version1`), too, and constants such as
  /// `0x4F`.
  /// - Parameter more: Other words that are known, in lower case.
  static func holds(_ word: ArraySlice<UInt8>, or more: Set<String> = []) -> Bool {
    if let digits = word.withoutHexPrefix {
      return (1...4).contains(digits.count) && digits.allSatisfy { Hex.value(of: $0) != nil }
    }
    let text = String(decoding: word, as: UTF8.self).lowercased()
    if words.contains(text) || more.contains(text) { return true }
    let digits = word.reversed().prefix { 0x30...0x39 ~= $0 }.count
    guard (1...2).contains(digits), word.count - digits >= 3 else { return false }
    let stem = String(text.dropLast(digits))
    return words.contains(stem) || more.contains(stem)
  }

  /// `handleConnectionComplete` has three parts, `EASessionUUIDs` too.
  static func parts(of word: Range<Int>, in text: [UInt8]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = word.lowerBound
    for end in word.dropFirst() {
      let (last, next) = (text[end - 1], end + 1 < word.upperBound ? text[end + 1] : 0)
      let isBoundary =
        isUpper(text[end])
        && (isLower(last) || isUpper(last) && isLower(next) && !isPlural(end, word, text))
      guard isBoundary else { continue }
      parts.append(start..<end)
      start = end
    }
    parts.append(start..<word.upperBound)
    return parts
  }

  private static func isUpper(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

  private static func isLower(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte }

  /// `UUIDs`: the last capital belongs to those before it.
  private static func isPlural(_ place: Int, _ word: Range<Int>, _ text: [UInt8]) -> Bool {
    place + 2 == word.upperBound && text[place + 1] == UInt8(ascii: "s")
      || place + 2 < word.upperBound && text[place + 1] == UInt8(ascii: "s")
        && isUpper(text[place + 2])
  }

  /// The words of a format string, in lower case: programs are built with them, whatever they log.
  /// `%{public}@` and the like are none.
  static func constants(ofFormat format: [UInt8]) -> Set<String> {
    var constants: Set<String> = []
    var place = 0
    while place < format.count {
      if format[place] == UInt8(ascii: "%") {
        place = endOfSpecifier(place + 1, format)
      } else if isWordByte(format[place]) {
        let word = format[place...].prefix { isWordByte($0) }
        place = word.endIndex
        guard !isNumber(word) else { continue }
        constants.insert(String(decoding: word, as: UTF8.self).lowercased())
      } else {
        place += 1
      }
    }
    return constants
  }

  /// After `%`: options in braces, flags, width, precision, length, and the letter of the conversion.
  /// IEEE 1003.1, fprintf; os_log(3).
  private static func endOfSpecifier(_ start: Int, _ format: [UInt8]) -> Int {
    var place = start
    if place < format.count, format[place] == UInt8(ascii: "{") {
      guard let end = format[place...].firstIndex(of: UInt8(ascii: "}")) else {
        return format.count
      }
      place = end + 1
    }
    let flags = Array("-+ #0123456789.*'hlqLtzj".utf8)
    while place < format.count, flags.contains(format[place]) { place += 1 }
    return min(place + 1, format.count)
  }
}
