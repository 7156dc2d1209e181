import HarkCore
import HarkDissection

/// A layout as one of the protocols: runs it over a PDU and notes what it finds in the PDU's sink.
///
/// Without fields, the index pass, the layout only runs; its values are never created. With
/// fields, it is read first and then sorted by the order of the bytes; see `LayoutTreeBuilder`.
final class LayoutDissector: RuntimeDissector {
  let layout: Layout
  /// hark's own field for each of `layout.fields`.
  let fields: [Field]
  /// The layout's title, or its id.
  let name: StaticString
  private let machines: LayoutMachinePool

  init(_ layout: Layout) {
    self.layout = layout
    name = StaticString(kept: layout.title.isEmpty ? layout.id : layout.title)
    fields = layout.fields.map { Field($0, of: layout) }
    machines = LayoutMachinePool(layout)
  }

  func dissect<Out: Sink>(_ pdu: inout PDU<Out>) throws(Malformed) {
    let own = machines.take()
    defer { machines.giveBack(own) }
    let bytes = pdu.bytes.extracting(pdu.position..<pdu.end)
    guard Out.wantsFields else {
      var silence = LayoutSilence()
      if own.machine.run(bytes, into: &silence) != nil { pdu.facts.isMalformed = true }
      return
    }
    own.story.events.removeAll(keepingCapacity: true)
    let failure = own.machine.run(bytes, into: &own.story)
    if failure != nil { pdu.facts.isMalformed = true }
    // What it is made of is not known, and a key may be in it.
    if !pdu.context.isSecret, let text = own.machine.summary(bytes) { pdu.out.summary(text) }
    var builder = LayoutTreeBuilder(self, from: pdu.position, to: pdu.end, failure)
    builder.report(own.story.events, to: &pdu)
  }
}

/// Keeps what a layout found.
struct LayoutStory: LayoutReceiver {
  static var wantsFields: Bool { true }

  enum Event {
    case open(Int, at: Int, limit: Int?)
    case close(at: Int)
    case found(Int, LayoutValue, Range<Int>, isPart: Bool)
    case computed(Int, LayoutValue)
    case unclaimed(Range<Int>)
    case failed(LayoutFailure, Range<Int>)
  }

  var events: [Event] = []

  mutating func open(_ field: Int, at offset: Int, limit: Int?) {
    events.append(.open(field, at: offset, limit: limit))
  }

  mutating func close(at offset: Int) { events.append(.close(at: offset)) }

  mutating func found(_ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool) {
    events.append(.found(field, value, range, isPart: isPart))
  }

  mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int) {
    events.append(.computed(field, value))
  }

  mutating func unclaimed(_ range: Range<Int>) { events.append(.unclaimed(range)) }

  mutating func failed(_ failure: LayoutFailure, over range: Range<Int>) {
    events.append(.failed(failure, range))
  }
}
