import HarkCore
import HarkDissection

/// Numbers that follow each other in a packet. A text that is read as numbers, as no one knows better, would
/// stay letter by letter.
struct NumberList {
  /// Bytes in a list of one field that are removed: as many as an address has.
  private static let shortest = 6

  private var field: Field?
  /// Of the numbers of one field.
  private var range = 0..<0
  /// Of numbers of any fields.
  private var run = 0..<0
  /// The same in the layer that was begun last.
  private var layer = 0..<0
  /// Runs that ended and are long enough for a text.
  private(set) var runs: [Range<Int>] = []

  /// Characters in numbers of any fields that are a text: fewer occur by chance, and a first name may have five.
  let shortestText: Int
  /// The same for numbers with a declaration: access addresses and channel maps may have any value.
  static let shortestDeclaredText = 8

  init(shortestText: Int = 5) { self.shortestText = shortestText }

  /// - Returns: The range of the list up to and with a node, where that has become too long to stay.
  mutating func take(_ node: Tree.Node) -> Range<Int>? {
    let isNext = node.field == field && node.range.lowerBound == range.upperBound
    range = (isNext ? range.lowerBound : node.range.lowerBound)..<node.range.upperBound
    field = node.field
    guard range.count >= Self.shortest, range.count > node.range.count else { return nil }
    let isNamed = node.field.definition.name(of: node.value) != nil
    return isNamed ? nil : range
  }

  /// Takes a short UUID of a list: many that nobody assigned may be another value.
  mutating func take(uuid node: Tree.Node) -> Range<Int>? {
    guard AssignedNumbers.name(of: BluetoothUUID(UInt32(truncatingIfNeeded: node.value))) == nil
    else {
      range = 0..<0
      return nil
    }
    return take(node)
  }

  /// The numbers that follow each other up to `place`, of one layer, where they are as many bytes as an address: if
  /// bytes stand after the parameters, the packet may be another than its code says.
  func numbers(before place: Int) -> Range<Int>? {
    layer.count >= Self.shortest && layer.upperBound == place ? layer : nil
  }

  mutating func beginLayer() { layer = 0..<0 }

  /// Takes a number, a code or a part of an octet.
  mutating func extend(by number: Range<Int>) {
    layer = Self.joined(layer, number) ?? number
    if let joined = Self.joined(run, number) {
      run = joined
    } else {
      end()
      run = number
    }
  }

  /// Both, if the number begins in the run or right after it.
  private static func joined(_ run: Range<Int>, _ number: Range<Int>) -> Range<Int>? {
    guard run.lowerBound...run.upperBound ~= number.lowerBound else { return nil }
    return run.lowerBound..<max(run.upperBound, number.upperBound)
  }

  mutating func end() {
    if run.count >= shortestText { runs.append(run) }
    run = 0..<0
  }
}

extension Tree.Node {
  /// Whether the number is how many bytes `next` has, which begins right after it.
  func isLength(of next: Tree.Node?) -> Bool {
    next.map { $0.range.lowerBound == range.upperBound && UInt64($0.range.count) == value } ?? false
  }
}

extension PersonalDataCollector {
  /// The indices of layers that have bytes of their own that no field explains.
  static func partialLayers(of tree: Tree) -> Set<Int> {
    guard tree.nodes.contains(where: { $0.kind == .undecoded }) else { return [] }
    var (open, found): ([Int], Set<Int>) = ([], [])
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      while let last = open.last, tree.nodes[last].depth >= node.depth { open.removeLast() }
      if node.kind == .layer {
        open.append(index)
      } else if node.kind == .undecoded, let last = open.last {
        found.insert(last)
      }
    }
    return found
  }

  /// Takes a number that stays, except for numbers in digits.
  /// - Parameter isLength: Whether what follows has as many bytes as it says. A letter that is read as a number does not
  ///   count what follows, and lengths in lengths, as of data elements of SDP, are often printable.
  mutating func take(
    _ node: Tree.Node, _ role: FieldRoles.Role, isLength: Bool, into list: inout NumberList,
    _ pieces: PDUPieces
  ) {
    guard isBinary(node, pieces) else { return }
    if role.isNumber, let range = list.take(node) { claim(range, pieces, .withheld) }
    if isLength { list.end() } else { list.extend(by: node.range) }
  }

  /// Whether a number is binary, and not written in digits.
  func isBinary(_ node: Tree.Node, _ pieces: PDUPieces) -> Bool {
    if node.kind == .part || node.count > 8 { return true }
    let low = UInt8(truncatingIfNeeded: node.value)
    return byte(node.range.lowerBound, pieces) == low
      || byte(node.range.upperBound - 1, pieces) == low
  }

  /// Takes texts out of runs of numbers: bytes that are printed one after the other, or every other one.
  mutating func withholdTexts(_ list: NumberList, _ pieces: PDUPieces) {
    for run in list.runs {
      for step in 1...2 {
        var start = run.lowerBound
        while start < run.upperBound {
          var (end, letters) = (start, 0)
          while end < run.upperBound, let byte = byte(end, pieces), 0x20...0x7E ~= byte,
            step == 1 || end + 1 >= run.upperBound || self.byte(end + 1, pieces) == 0
          {
            letters += Self.isLetter(byte) ? 1 : 0
            end += step
          }
          let isText = (end - start) / step >= list.shortestText && letters >= 4
          if isText { claim(start..<min(end, run.upperBound), pieces, .withheld) }
          start = max(end, start + 1)
        }
      }
    }
  }

  private func byte(_ place: Int, _ pieces: PDUPieces) -> UInt8? {
    for piece in pieces.pieces where piece.range.contains(place) {
      return capture[piece.place + place - piece.range.lowerBound]
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
