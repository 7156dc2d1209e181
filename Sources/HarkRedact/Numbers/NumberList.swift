import HarkCore
import HarkDissection

/// Numbers that follow each other in a packet. A text that is read as numbers, because nothing shows what it is, would
/// stay letter by letter.
struct NumberList {
  /// Bytes in a list of one field that are removed: as many as an address has.
  private static let shortest = 6

  /// Bytes in such a list that has something else between its numbers, and that is a text.
  private static let shortestSpelt = 5

  /// Other bytes between two numbers of a list, where the format says what follows, but not what it means.
  private static let widestGap = 4

  /// Numbers in digits that are removed: so many of several digits may be the octets of an address.
  private static let fewestInDigits = 4

  /// Numbers of one field.
  private struct List {
    let field: Field
    /// Those that follow each other up to the last one.
    var range: Range<Int>
    /// Those before something else.
    var earlier: [Range<Int>] = []
    var last: Range<Int>
    var count: Int
    var isRemoved = false
    /// The byte before the last number, which may say that one follows.
    var head: UInt8?
    /// Whether all of them are printed.
    var isText: Bool

    init(_ node: Tree.Node, after head: UInt8?) {
      (field, range, last, count) = (node.field, node.range, node.range, node.range.count)
      (self.head, isText) = (head, node.isPrinted)
    }

    /// Whether a number goes on with it: it follows, or it has the same one octet in front as the number before.
    func joins(_ node: Tree.Node, _ head: UInt8?, _ isElement: Bool) -> Bool {
      let gap = node.range.lowerBound - last.upperBound
      if gap <= 0 { return gap == 0 }
      return isElement && gap <= NumberList.widestGap
        || gap == 1 && head != nil && head == self.head
    }

    mutating func add(_ node: Tree.Node, after head: UInt8?) {
      if range.upperBound == node.range.lowerBound {
        range = range.lowerBound..<node.range.upperBound
      } else {
        earlier.append(range)
        range = node.range
      }
      count += node.range.count
      last = node.range
      self.head = head
      isText = isText && node.isPrinted
    }
  }

  /// Those that the next number may belong to: one format has numbers of few fields.
  private var lists: [List] = []
  private static let mostLists = 8
  /// Numbers in digits, with separators between them.
  private var digits: (field: Field?, range: Range<Int>, count: Int) = (nil, 0..<0, 0)
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

  /// - Parameters:
  ///   - head: The byte before the node.
  ///   - isElement: Whether the format says that a number follows, but not what of: what it says may be between.
  /// - Returns: The numbers of the list up to and with a node that are not removed yet, where it has become too long
  ///   to stay.
  mutating func take(
    _ node: Tree.Node, after head: UInt8?, isElement: Bool
  ) -> [Range<Int>] {
    let found = lists.firstIndex { $0.field == node.field }
    guard let index = found, lists[index].joins(node, head, isElement) else {
      if let found {
        lists[found] = List(node, after: head)
      } else {
        if lists.count == Self.mostLists { lists.removeFirst() }
        if lists.isEmpty { lists.reserveCapacity(Self.mostLists) }
        lists.append(List(node, after: head))
      }
      return []
    }
    lists[index].add(node, after: head)
    let list = lists[index]
    let isSpelt = list.isText && !list.earlier.isEmpty && list.count >= Self.shortestSpelt
    guard list.count >= Self.shortest || isSpelt,
      node.field.definition.name(of: node.value) == nil
    else { return [] }
    lists[index].isRemoved = true
    return (list.isRemoved ? [] : list.earlier) + [list.range]
  }

  /// Takes a short UUID of a list: a list of many unassigned ones may be another value.
  mutating func take(uuid node: Tree.Node) -> [Range<Int>] {
    guard AssignedNumbers.name(of: BluetoothUUID(UInt32(truncatingIfNeeded: node.value))) == nil
    else {
      lists.removeAll { $0.field == node.field }
      return []
    }
    return take(node, after: nil, isElement: true)
  }

  /// Takes a number in digits.
  /// - Returns: The numbers up to and with it, where so many of a field have several digits.
  mutating func take(digits node: Tree.Node) -> Range<Int>? {
    guard node.range.count > 2, node.field.definition.name(of: node.value) == nil else {
      digits = (nil, 0..<0, 0)
      return nil
    }
    let isNext = digits.field == node.field && digits.range.upperBound == node.range.lowerBound
    digits = (
      node.field,
      (isNext ? digits.range.lowerBound : node.range.lowerBound)..<node.range.upperBound,
      isNext ? digits.count + 1 : 1
    )
    return digits.count >= Self.fewestInDigits ? digits.range : nil
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
  /// Whether all octets of a number are printed, or all but zeros before them.
  fileprivate var isPrinted: Bool {
    guard count <= 8, value != 0 else { return false }
    var rest = value
    while rest != 0 {
      guard 0x20...0x7E ~= rest & 0xFF else { return false }
      rest >>= 8
    }
    return true
  }

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

  /// Takes a number that stays.
  /// - Parameter isLength: Whether what follows has as many bytes as it says. A letter that is read as a number does not
  ///   count what follows, and lengths in lengths, as of data elements of SDP, are often printable.
  mutating func take(
    _ node: Tree.Node, _ role: FieldRoles.Role, isLength: Bool, into list: inout NumberList,
    _ pieces: PDUPieces
  ) {
    guard isBinary(node, pieces) else {
      if role.isNumber, let range = list.take(digits: node) { claim(range, pieces, .withheld) }
      return
    }
    if role.isNumber {
      let head = node.offset > 0 ? byte(Int(node.offset) - 1, pieces) : nil
      for range in list.take(node, after: head, isElement: role.isElement) {
        claim(range, pieces, .withheld)
      }
    }
    if isLength { list.end() } else { list.extend(by: node.range) }
  }

  /// Whether a number is binary, and not written in digits.
  func isBinary(_ node: Tree.Node, _ pieces: PDUPieces) -> Bool {
    if node.kind == .part || node.count > 8 { return true }
    let low = UInt8(truncatingIfNeeded: node.value)
    return byte(node.range.lowerBound, pieces) == low
      || byte(node.range.upperBound - 1, pieces) == low
  }

  /// Takes texts out of runs of numbers.
  mutating func withholdTexts(_ list: NumberList, _ pieces: PDUPieces) {
    for run in list.runs {
      let bytes = bytes(run, pieces)
      guard bytes.count == run.count else { continue }
      for text in NumberTexts(bytes, shortest: list.shortestText).ranges {
        claim(
          (run.lowerBound + text.lowerBound)..<(run.lowerBound + text.upperBound), pieces, .withheld
        )
      }
    }
  }

  private func byte(_ place: Int, _ pieces: PDUPieces) -> UInt8? {
    for piece in pieces.pieces where piece.range.contains(place) {
      return capture[piece.place + place - piece.range.lowerBound]
    }
    return nil
  }
}
