import HarkCrypto

/// Reads samples side by side from their beginning, and says what each next piece of them seems to
/// be. Pure: the same samples give the same structure.
struct StructureAnalysis {
  /// What further analysis may find: each at most once in a message.
  struct Scope {
    var mayFragment = true
    var mayHaveKind = true
    var mayHaveChecksum = true
    var depth = 0
  }

  private static let mostFields = 24
  private static let deepest = 4
  /// How far structure is looked for after bytes without any.
  private static let reach = 16

  var samples: Samples
  private(set) var scope: Scope
  private(set) var structure = Structure()
  private var names = FieldNames()
  /// Bytes of a checksum that are after the rest.
  private var trimmed = 0

  static func of(_ samples: [Sample], _ scope: Scope = Scope()) -> Structure {
    var analysis = StructureAnalysis(Samples(samples), scope)
    analysis.run()
    return analysis.structure
  }

  private init(_ samples: Samples, _ scope: Scope) {
    (self.samples, self.scope) = (samples, scope)
  }

  private mutating func run() {
    guard samples.longest > 0, scope.depth < Self.deepest else { return }
    if scope.mayHaveChecksum, let checksum = ChecksumTrial.find(samples) {
      structure.checksum = checksum
      trimmed = checksum.size
      samples.trim(checksum.size)
      scope.mayHaveChecksum = false
    }
    while structure.fields.count < Self.mostFields, samples.longest > 0 {
      guard samples.shortest > 0, next() else { return finish() }
    }
  }

  /// Reports the next field; false at the last.
  private mutating func next() -> Bool {
    if key() { return samples.shortest > 0 }
    if structure.kind == nil, scope.mayFragment, fragments() { return false }
    if items() { return false }
    if length() || lengthBefore() { return samples.longest > 0 }
    if structure.kind == nil, sizedText(toEnd: true) { return false }
    if structure.kind == nil, wholeText() { return false }
    if structure.kind == nil, sizedText(toEnd: false) { return true }
    if constant() || counter() || code() { return true }
    if structure.kind != nil { return false }
    if random() { return false }
    return unknown()
  }

  /// The rest, in which no more fields were found.
  private mutating func finish() {
    guard samples.longest > 0 else { return }
    if structure.kind != nil { return splitByKind() }
    if samples.shortest > 0, sizedText(toEnd: true) || wholeText() { return }
    if samples.shortest > 0, random() { return }
    let sizes = samples.sizes.sorted()
    add(
      "rest", .rest, .unknown,
      "\(Self.span(sizes)), nothing recognized")
  }

  static func span(_ sizes: [Int]) -> String {
    guard let first = sizes.first, let last = sizes.last else { return "no bytes" }
    return first == last ? "\(first) bytes" : "\(first) to \(last) bytes"
  }

  @discardableResult
  mutating func add(
    _ name: String, _ size: GuessedField.Size, _ meaning: GuessedField.Meaning,
    _ evidence: String
  ) -> String {
    let id = names.next(name)
    structure.fields.append(
      GuessedField(id: id, size: size, meaning: meaning, evidence: evidence))
    switch size {
    case .bytes(let count): samples.skip(count)
    case .integer(let integer): samples.skip(integer.size)
    case .rest: samples.skip(.max)
    }
    return id
  }

  // MARK: What bytes show by themselves

  private mutating func key() -> Bool {
    guard let found = KeyTrial.find(samples) else { return false }
    let isWhole = samples.distinct.allSatisfy { $0.rest.count == found.size }
    add(
      found.suite == .p256 ? "public_key" : isWhole && found == .xWing ? "public_key" : "key",
      .bytes(found.size), .key(found), "\(found.described); \(samples.evidence())")
    return true
  }

  private mutating func wholeText() -> Bool {
    if scope.depth > 0, let encoding = EncodingTrial.find(samples.distinct.map { Array($0.tail) }) {
      add("content", .rest, .encoded(encoding), "\(encoding.name); \(samples.evidence())")
      return true
    }
    guard TextTrial.isText(samples.distinct.map(\.tail)) else { return false }
    add("text", .rest, .text, "UTF-8 text; \(samples.evidence())")
    return true
  }

  /// A text that stops earlier may be followed by anything.
  private mutating func sizedText(toEnd: Bool) -> Bool {
    for integer in GuessedField.Integer.allCases {
      guard TextTrial.isSized(samples.distinct.map(\.tail), integer, toEnd: toEnd) else { continue }
      let evidence = "counts the text after it; \(samples.evidence())"
      let length = add("len_text", .integer(integer), .length(minus: 0), evidence)
      let id = names.next("text")
      structure.fields.append(
        GuessedField(
          id: id, size: .rest, meaning: .sized(length: length, isText: true),
          evidence: "UTF-8 text; \(samples.evidence())"))
      samples.skip { integer.value($0.bytes[($0.rest.lowerBound - integer.size)...]) }
      return true
    }
    return false
  }

  private mutating func random() -> Bool {
    let randomness = Randomness(samples.distinct.map(\.tail))
    guard randomness.isEven else { return false }
    let isSealed = samples.shortest >= 28 && samples.distinct.count >= Least.values
    add(
      "data", .rest, .random(isSealed: isSealed),
      "looks random, like ciphertext: \(randomness.equalPairs) of \(randomness.pairs) pairs of "
        + "bytes are equal, 1 of 256 expected (\(randomness.bytes) bytes); \(samples.evidence())")
    return true
  }

  // MARK: What needs several values

  private mutating func length() -> Bool {
    guard let found = LengthTrial.find(samples, trimmed: trimmed) else { return false }
    let id = add(
      found.minus == 0 ? "len_body" : "len_message", .integer(found.integer),
      .length(minus: found.minus), "\(found.described); \(samples.evidence())")
    var inner = scope
    inner.depth += 1
    inner.mayHaveKind = structure.kind == nil && scope.mayHaveKind
    inner.mayFragment = false
    if structure.kind != nil {
      // The cases are what the body holds.
      splitByKind(within: (id, found.minus))
    } else {
      let body = Self.of(samples.all, inner)
      let name = names.next("body")
      structure.fields.append(
        GuessedField(
          id: name, size: .rest,
          meaning: .body(length: id, minus: found.minus, body),
          evidence: "\(Self.span(samples.sizes.sorted()))"))
    }
    samples.skip(.max)
    return true
  }

  /// A length after bytes of which nothing else is known: they are reported as such.
  private mutating func lengthBefore() -> Bool {
    guard structure.kind == nil, samples.distinct.count >= Least.values else { return false }
    for offset in 1..<4 where offset < samples.shortest {
      var later = samples
      later.skip(offset)
      guard LengthTrial.find(later, trimmed: trimmed) != nil else { continue }
      // Only where no other word is found for what is between.
      guard !constant(), !counter(), !code() else { return true }
      add("unknown", .bytes(1), .unknown, "before a length")
      return true
    }
    return false
  }

  private mutating func constant() -> Bool {
    guard samples.distinct.count >= Least.values else { return false }
    var bytes: [UInt8] = []
    while bytes.count < samples.shortest {
      let column = samples.column(bytes.count)
      guard column.allSatisfy({ $0 == column[0] }) else { break }
      var later = samples
      later.skip(bytes.count)
      if !bytes.isEmpty,
        LengthTrial.find(later, trimmed: trimmed) != nil || ItemTrial.find(later) != nil
      {
        break
      }
      bytes.append(column[0])
    }
    guard !bytes.isEmpty else { return false }
    let isStart = structure.fields.isEmpty && scope.depth == 0
    add(
      isStart ? "magic" : "constant", .bytes(bytes.count), .constant(bytes),
      "the same in all; \(samples.evidence())")
    return true
  }

  private mutating func counter() -> Bool {
    for integer in GuessedField.Integer.allCases.reversed() {
      guard let steps = CounterTrial.steps(samples, integer) else { continue }
      add(
        "counter", .integer(integer), .counter,
        "counts up by one, \(steps.held) of \(steps.of) times; \(samples.evidence())")
      return true
    }
    return false
  }

  private mutating func code() -> Bool {
    guard structure.kind == nil, let codes = CodeTrial.find(samples) else { return false }
    let isKind = scope.mayHaveKind && !samples.sizes.isEmpty
    let list = codes.map { "\(GuessLines.hex($0.value)) (\($0.count))" }
    let id = add(
      isKind ? "kind" : "code", .integer(.u1), .code(codes),
      "\(codes.count) different: \(list.joined(separator: ", ")); \(samples.evidence())")
    if isKind {
      structure.kind = id
      scope.mayHaveKind = false
    }
    return true
  }

  /// Bytes without structure, before some that have one.
  private mutating func unknown() -> Bool {
    guard samples.distinct.count >= Least.values else { return false }
    for offset in 1..<Self.reach where offset < samples.shortest {
      var later = samples
      later.skip(offset)
      let column = later.column(0)
      let isConstant = column.allSatisfy { $0 == column[0] }
      guard isConstant || CodeTrial.find(later) != nil || KeyTrial.find(later) != nil
      else { continue }
      add("unknown", .bytes(offset), .unknown, "nothing recognized")
      return true
    }
    return false
  }

  // MARK: Parts

  private mutating func fragments() -> Bool {
    guard let found = FragmentTrial.find(samples) else { return false }
    let messages = found.messages(samples)
    guard !messages.isEmpty else { return false }
    if found.offset > 0 { add("unknown", .bytes(found.offset), .unknown, "before the flags") }
    let field = add(
      "flags", .integer(.u1), .flags,
      "\(GuessLines.hex(found.more)) where more follow, \(GuessLines.hex(found.first)) "
        + "for the first; \(samples.evidence())")
    let sizes = samples.sizes.sorted()
    add("chunk", .rest, .unknown, "\(Self.span(sizes)), a part of a message")
    var inner = scope
    inner.mayFragment = false
    inner.mayHaveKind = true
    inner.depth += 1
    structure.fragments = GuessedFragments(
      field: field, first: found.first, more: found.more,
      evidence: "\(samples.all.count) parts make \(messages.count) messages",
      message: Self.of(messages, inner))
    return true
  }

  private mutating func splitByKind(within length: (id: String, minus: Int)? = nil) {
    var inner = scope
    inner.depth += 1
    guard let kind = structure.fields.first(where: { $0.id == structure.kind }),
      case .code(let codes) = kind.meaning,
      let offset = offset(of: kind)
    else { return }
    for code in codes {
      let own = samples.all.filter { $0.bytes[$0.rest.lowerBound - offset] == code.value }
      structure.cases.append(
        GuessedCase(
          value: code.value, structure: Self.of(own, inner),
          evidence: "\(Samples(own).evidence())"))
    }
    if let length {
      structure.fields.append(
        GuessedField(
          id: names.next("body"), size: .rest,
          meaning: .body(length: length.id, minus: length.minus, Structure()), evidence: ""))
    }
  }

  /// How many bytes before the rest the field begins; only fields of a fixed size are between.
  private func offset(of field: GuessedField) -> Int? {
    guard let index = structure.fields.firstIndex(where: { $0.id == field.id }) else { return nil }
    return structure.fields[index...].reduce(0) { sum, field in
      switch field.size {
      case .bytes(let count): sum + count
      case .integer(let integer): sum + integer.size
      case .rest: sum
      }
    }
  }
}
