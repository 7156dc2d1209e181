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
  /// In place of those, where a value contains a part of a key; empty for layouts without keys. Keys, and values without
  /// bytes, need no other declaration.
  let concealing: [Field]
  /// The layout's title, or its id.
  let name: StaticString
  private let machines: LayoutMachinePool

  init(_ layout: Layout) {
    self.layout = layout
    name = StaticString(kept: layout.title.isEmpty ? layout.id : layout.title)
    fields = layout.declared
    let computed = Set(layout.instances.filter(\.isValue).map(\.field))
    let own = fields
    concealing =
      layout.holdsKeys
      ? layout.fields.indices.map { index in
        layout.keys.contains(index) || computed.contains(index)
          ? own[index] : Field(layout.fields[index], of: layout, isKey: true)
      } : []
    machines = LayoutMachinePool(layout)
  }

  func dissect<Out: Sink>(_ pdu: inout PDU<Out>) throws(Malformed) {
    let own = machines.take()
    defer { machines.giveBack(own) }
    let bytes = pdu.bytes.extracting(pdu.position..<pdu.end)
    guard Out.wantsFields else {
      var silence = LayoutSilence()
      if let failure = own.machine.run(bytes, into: &silence) {
        pdu.facts.fail(isCut: failure.isAtEnd(of: bytes.byteCount) && pdu.isEndOfTruncated)
      }
      return
    }
    own.story.events.removeAll(keepingCapacity: true)
    let failure = own.machine.run(bytes, into: &own.story)
    if let failure {
      pdu.facts.fail(isCut: failure.isAtEnd(of: bytes.byteCount) && pdu.isEndOfTruncated)
    }
    let secrets = LayoutSecrets(layout, own.story)
    let showsKey = secrets.map { layout.sourcesOfSummary.contains(where: $0.contains) } ?? false
    // In a secret value, a key may be in any part of it.
    if !showsKey, !pdu.context.isSecret, let text = own.machine.summary(bytes) {
      pdu.out.summary(text)
    }
    var builder = LayoutTreeBuilder(self, from: pdu.position, to: pdu.end, failure, secrets)
    builder.report(own.story.events, to: &pdu)
  }
}

/// Keeps what a layout found.
package struct LayoutStory: LayoutReceiver {
  package static var wantsFields: Bool { true }

  package enum Event {
    case open(Int, at: Int, limit: Int?)
    case close(at: Int)
    case found(Int, LayoutValue, Range<Int>, isPart: Bool)
    case computed(Int, LayoutValue)
    case unclaimed(Range<Int>)
    case failed(LayoutFailure, Range<Int>)
  }

  package var events: [Event] = []

  package init() {}

  package mutating func open(_ field: Int, at offset: Int, limit: Int?) {
    events.append(.open(field, at: offset, limit: limit))
  }

  package mutating func close(at offset: Int) { events.append(.close(at: offset)) }

  package mutating func found(
    _ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool
  ) {
    events.append(.found(field, value, range, isPart: isPart))
  }

  package mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int) {
    events.append(.computed(field, value))
  }

  package mutating func unclaimed(_ range: Range<Int>) { events.append(.unclaimed(range)) }

  package mutating func failed(_ failure: LayoutFailure, over range: Range<Int>) {
    events.append(.failed(failure, range))
  }
}
