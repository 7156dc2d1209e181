import HarkCore

/// Reads a regular expression: `. [] () | * + ? {m,n} ^ $ \b \B \d \w \s \xhh`, as PCRE has them.
struct FilterPatternParser {
  struct Failure: Error {
    /// In bytes of the expression.
    let offset: Int
    let message: String
  }

  private indirect enum Part {
    case bytes(FilterPattern.ByteSet)
    /// Any character: a byte, or in texts all bytes of a character.
    case character
    case sequence([Part])
    case choice([Part])
    case repeated(Part, least: Int, most: Int?)
    case assertion(FilterPattern.Step)
  }

  static let deepest = 32
  static let mostSteps = 1_000
  static let mostRepetitions = 255
  static let mostParts = 20_000

  static let wordBytes: FilterPattern.ByteSet = {
    var set = FilterPattern.ByteSet([UInt8(ascii: "_")])
    for range in [0x30...0x39, 0x41...0x5A, 0x61...0x7A] as [ClosedRange<UInt8>] {
      set.formUnion(FilterPattern.ByteSet(range))
    }
    return set
  }()
  private static let digits = FilterPattern.ByteSet(0x30...0x39)
  private static let blanks = FilterPattern.ByteSet([0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D])

  private let bytes: [UInt8]
  /// Whether the value is text, in which a character may have several bytes.
  private let isText: Bool
  private var position = 0
  private var depth = 0
  private var steps: [FilterPattern.Step] = []
  private var emitted = 0

  static func pattern(_ bytes: [UInt8], isText: Bool) throws(Failure) -> FilterPattern {
    var parser = FilterPatternParser(bytes: bytes, isText: isText)
    let part = try parser.choice()
    guard parser.position == bytes.count else {
      throw Failure(offset: parser.position, message: "there is no opening bracket for this one")
    }
    try parser.emit(part)
    try parser.emit(.found)
    return FilterPattern(steps: parser.steps)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next, next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private func failure(_ message: String, at offset: Int? = nil) -> Failure {
    Failure(offset: offset ?? position, message: message)
  }

  // MARK: Reading

  private mutating func choice() throws(Failure) -> Part {
    guard depth < Self.deepest else { throw failure("brackets are nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(Failure) -> Part {
    var parts: [Part] = []
    while let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
      parts.append(try repetition(of: try atom()))
    }
    return .sequence(parts)
  }

  private mutating func repetition(of part: Part) throws(Failure) -> Part {
    let start = position
    var (least, most): (Int, Int?)
    if take("*") {
      (least, most) = (0, nil)
    } else if take("+") {
      (least, most) = (1, nil)
    } else if take("?") {
      (least, most) = (0, 1)
    } else if let counts = try counts() {
      (least, most) = counts
    } else {
      return part
    }
    if case .assertion = part { throw failure("there is nothing to repeat", at: start) }
    // What is taken first does not matter where only whether it fits is asked.
    if !take("?") { _ = take("+") }
    if let next, "*+?".utf8.contains(next) { throw failure("this already has a repetition") }
    return .repeated(part, least: least, most: most)
  }

  /// `{m}`, `{m,}`, `{m,n}`; nil if the brace stands for itself.
  private mutating func counts() throws(Failure) -> (Int, Int?)? {
    let start = position
    guard take("{") else { return nil }
    guard let least = number() else {
      position = start
      return nil
    }
    var most: Int? = least
    if take(",") { most = next == UInt8(ascii: "}") ? nil : number() ?? -1 }
    guard take("}"), most ?? 0 >= 0 else {
      position = start
      return nil
    }
    guard max(least, most ?? 0) <= Self.mostRepetitions else {
      throw failure("a repetition count is at most \(Self.mostRepetitions)", at: start)
    }
    guard most ?? least >= least else {
      throw failure("the numbers are in the wrong order", at: start)
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = position
    var value = 0
    while let byte = next, byte >= 0x30, byte <= 0x39 {
      value = min(value * 10 + Int(byte - 0x30), 1 << 20)
      position += 1
    }
    return position == start ? nil : value
  }

  private mutating func atom() throws(Failure) -> Part {
    let start = position
    guard let byte = next else { return .sequence([]) }
    position += 1
    switch byte {
    case UInt8(ascii: "."): return .character
    case UInt8(ascii: "^"): return .assertion(.atStart)
    case UInt8(ascii: "$"): return .assertion(.atEnd)
    case UInt8(ascii: "("): return try group(from: start)
    case UInt8(ascii: "["): return .bytes(try set(from: start).foldingCase)
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
      throw failure("there is nothing to repeat", at: start)
    case UInt8(ascii: "\\"): return try escape(from: start)
    default: return .bytes(FilterPattern.ByteSet([byte]).foldingCase)
    }
  }

  private mutating func group(from start: Int) throws(Failure) -> Part {
    if take("?") {
      guard take(":") else {
        throw failure("the only supported group with ? is (?:…)", at: start)
      }
    }
    let inside = try choice()
    guard take(")") else { throw failure("this bracket has no closing bracket", at: start) }
    return inside
  }

  private mutating func escape(from start: Int) throws(Failure) -> Part {
    switch next {
    case UInt8(ascii: "b"):
      position += 1
      return .assertion(.atWordBoundary)
    case UInt8(ascii: "B"):
      position += 1
      return .assertion(.notAtWordBoundary)
    default: return .bytes(try escaped(from: start).foldingCase)
    }
  }

  /// What stands after a backslash, in brackets and outside.
  private mutating func escaped(from start: Int) throws(Failure) -> FilterPattern.ByteSet {
    guard let letter = next else { throw failure("nothing follows this", at: start) }
    position += 1
    switch letter {
    case UInt8(ascii: "d"): return Self.digits
    case UInt8(ascii: "D"): return Self.digits.inverted
    case UInt8(ascii: "w"): return Self.wordBytes
    case UInt8(ascii: "W"): return Self.wordBytes.inverted
    case UInt8(ascii: "s"): return Self.blanks
    case UInt8(ascii: "S"): return Self.blanks.inverted
    case UInt8(ascii: "n"): return FilterPattern.ByteSet([0x0A])
    case UInt8(ascii: "r"): return FilterPattern.ByteSet([0x0D])
    case UInt8(ascii: "t"): return FilterPattern.ByteSet([0x09])
    case UInt8(ascii: "x"):
      guard position + 1 < bytes.count, let high = Hex.value(of: bytes[position]),
        let low = Hex.value(of: bytes[position + 1])
      else { throw failure("\\x needs two hexadecimal digits", at: start) }
      position += 2
      return FilterPattern.ByteSet([high << 4 | low])
    case UInt8(ascii: "0"): return FilterPattern.ByteSet([0])
    case let letter where Self.wordBytes.contains(letter):
      throw failure("unknown escape", at: start)
    default: return FilterPattern.ByteSet([letter])
    }
  }

  private mutating func set(from start: Int) throws(Failure) -> FilterPattern.ByteSet {
    let isInverted = take("^")
    var set = FilterPattern.ByteSet()
    var isFirst = true
    while let byte = next, isFirst || byte != UInt8(ascii: "]") {
      isFirst = false
      let place = position
      position += 1
      guard byte < 0x80 else {
        throw failure("[] accepts only ASCII characters; write (a|b)", at: place)
      }
      if byte == UInt8(ascii: "\\") {
        set.formUnion(try escaped(from: place))
        continue
      }
      guard next == UInt8(ascii: "-"), position + 1 < bytes.count,
        bytes[position + 1] != UInt8(ascii: "]")
      else {
        set.insert(byte)
        continue
      }
      position += 1
      var last = bytes[position]
      position += 1
      if last == UInt8(ascii: "\\") {
        let escaped = try escaped(from: position - 1)
        last = (0...255).first { escaped.contains($0) } ?? 0
      }
      guard last >= byte else {
        throw failure("the ends of this range are in the wrong order", at: place)
      }
      set.formUnion(FilterPattern.ByteSet(byte...last))
    }
    guard take("]") else { throw failure("this bracket has no closing bracket", at: start) }
    return isInverted ? set.foldingCase.inverted : set
  }

  // MARK: Writing steps

  private mutating func emit(_ step: FilterPattern.Step) throws(Failure) {
    guard steps.count < Self.mostSteps else {
      throw Failure(offset: 0, message: "this expression is too long")
    }
    steps.append(step)
  }

  private static let leads = FilterPattern.ByteSet(0x80...0xBF).inverted
  private static let continuing = FilterPattern.ByteSet(0x80...0xBF)
  private static let all = FilterPattern.ByteSet(0x00...0xFF)

  private mutating func emit(_ part: Part) throws(Failure) {
    // Nothing may be repeated many times, too.
    emitted += 1
    guard emitted <= Self.mostParts else {
      throw Failure(offset: 0, message: "this expression is too long")
    }
    switch part {
    case .bytes(let set): try emit(FilterPattern.Step.bytes(set))
    case .character:
      guard isText else { return try emit(FilterPattern.Step.bytes(Self.all)) }
      try emit(FilterPattern.Step.bytes(Self.leads))
      try emit(.repeated(.bytes(Self.continuing), least: 0, most: nil))
    case .sequence(let parts): for part in parts { try emit(part) }
    case .choice(let parts): try emit(choice: parts)
    case .repeated(let part, let least, let most): try emit(part, least, most)
    case .assertion(let step): try emit(step)
    }
  }

  private mutating func emit(choice parts: [Part]) throws(Failure) {
    var ends: [Int] = []
    for (index, part) in parts.enumerated() {
      let split = steps.count
      let isLast = index == parts.count - 1
      if !isLast { try emit(.split(split + 1, 0)) }
      try emit(part)
      guard !isLast else { break }
      ends.append(steps.count)
      try emit(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    for end in ends { steps[end] = .jump(steps.count) }
  }

  private mutating func emit(_ part: Part, _ least: Int, _ most: Int?) throws(Failure) {
    for _ in 0..<least { try emit(part) }
    guard let most else {
      let split = steps.count
      try emit(.split(split + 1, 0))
      try emit(part)
      try emit(.jump(split))
      steps[split] = .split(split + 1, steps.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<max(least, most) {
      splits.append(steps.count)
      try emit(.split(steps.count + 1, 0))
      try emit(part)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
