import HarkCore
import HarkSession

/// A text for each link, made from its name once and kept until names change.
struct PacketLabels {
  private let make: @Sendable (LinkNames.Name, inout TextBuffer) -> Void
  /// By the index of the link; nil if it is not yet made.
  private var texts: [[UInt8]?] = []
  private var generation = 0

  init(_ make: @escaping @Sendable (LinkNames.Name, inout TextBuffer) -> Void) {
    self.make = make
  }

  /// Appends the text for `link`.
  @inline(__always)
  mutating func append(_ link: LinkID, _ names: borrowing LinkNames, to text: inout TextPen) {
    if generation != names.generation {
      generation = names.generation
      texts.removeAll(keepingCapacity: true)
    }
    let index = Int(link.index)
    while texts.count <= index { texts.append(nil) }
    let known = texts[index] ?? made(link, names)
    text.append(known)
  }

  @inline(never)
  private mutating func made(_ link: LinkID, _ names: borrowing LinkNames) -> [UInt8] {
    var text = TextBuffer()
    if let name = names[link] { make(name, &text) }
    texts[Int(link.index)] = text.bytes
    return text.bytes
  }

  /// How many characters of a name the lines of packets show.
  static let width = 17

  /// Names in a column of `width` characters, with control characters escaped.
  static var column: Self {
    Self { name, text in
      var label = TextBuffer()
      if name.device == nil { label.string(name.text) } else { label.printable(name.text) }
      Columns.pad(Columns.cut(label.string, to: width), to: width, into: &text)
    }
  }

  /// The member of a JSON object that names the device, if it is known.
  static var member: Self {
    Self { name, text in
      guard name.device != nil else { return }
      text.text(",\"device\":")
      text.json(name.text)
    }
  }
}
