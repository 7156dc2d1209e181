/// What a kind of capture could not hold of the records that it was given.
public struct CaptureLosses: Sendable, Equatable {
  public enum Kind: Int, CaseIterable, Sendable {
    // Records that are not written.
    case monitor, packetLogger, unknownPackets, others, air, notOfAir, network, notOfNetwork
    case usbAccessory
    // What of written records is missing or changed.
    case directions, directionsUnknown, directionsInferred, nanoseconds, times, timesUnknown
    case lengths, drops, comments, sourceComments, descriptions, statistics, blocks
    case uncopiedBlocks
  }

  private let output: CaptureOutput
  private var counts = [Int](repeating: 0, count: Kind.allCases.count)
  /// Records of controllers that have no place, by controller.
  private var controllers: [UInt16: Int] = [:]

  init(_ output: CaptureOutput) { self.output = output }

  public subscript(kind: Kind) -> Int { counts[kind.rawValue] }

  mutating func count(_ kind: Kind, _ count: Int = 1) { counts[kind.rawValue] += count }

  mutating func count(ofController controller: UInt16) { controllers[controller, default: 0] += 1 }

  /// One sentence for each kind of loss, with how often; empty if nothing is lost.
  public var sentences: [String] {
    var sentences = controllers.sorted { $0.key < $1.key }.map { controller, count in
      "\(output.title) stores one controller: \(Self.words(count, "record")) of hci\(controller) "
        + "not written; -Y 'controller == \(controller)' writes \(count == 1 ? "it" : "them")"
    }
    for kind in Kind.allCases where self[kind] > 0 {
      let text = Self.text(kind, self[kind])
      // The format could store these: hark does not.
      let isOfHark = kind == .statistics || kind == .blocks || kind == .uncopiedBlocks
      sentences.append(isOfHark ? "hark \(text)" : "\(output.title) \(text)")
    }
    return sentences
  }

  /// `3 records are`
  private static func words(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func text(_ kind: Kind, _ count: Int) -> String {
    let are = count == 1 ? "is" : "are"
    let have = count == 1 ? "has" : "have"
    switch kind {
    case .monitor:
      return "stores only HCI packets: \(words(count, "record")) of the Linux monitor \(are) not "
        + "written"
    case .packetLogger:
      return "cannot store PacketLogger's own records: \(words(count, "record")) \(are) not "
        + "written"
    case .unknownPackets:
      return "stores only packets of known types: \(words(count, "H4 packet")) \(are) not written"
    case .others:
      return "cannot store \(words(count, "record")) without an HCI packet: not written"
    case .air:
      return
        "stores HCI packets: \(words(count, "over-the-air packet")) \(are) not written; pcap and "
        + "pcapng store them"
    case .notOfAir:
      return "stores over-the-air packets of that link type: \(words(count, "record")) of another "
        + "kind \(are) not written"
    case .network:
      return
        "stores Bluetooth packets: \(words(count, "frame")) of a local network \(are) not written; "
        + "pcapng stores them"
    case .notOfNetwork:
      return "stores local network frames of that link type: \(words(count, "record")) of "
        + "another kind \(are) not written"
    case .usbAccessory:
      return
        "cannot store USB transfers: \(words(count, "transfer")) of accessories \(are) not "
        + "written"
    case .directions:
      return "cannot store directions: \(words(count, "direction")) \(are) omitted"
    case .directionsUnknown:
      return "needs a direction: \(words(count, "packet")) of unknown direction \(are) "
        + "written as sent by the host"
    case .directionsInferred:
      return "does not mark inferred directions: those of \(words(count, "packet")) are "
        + "written like recorded ones"
    case .nanoseconds: return "stores only microseconds: \(words(count, "time")) \(are) truncated"
    case .times:
      return
        "stores only a limited range of years from 1970: \(words(count, "time")) outside it \(are) replaced "
        + "by its first or last"
    case .timesUnknown:
      return
        "needs a time: \(words(count, "record")) without one \(have) the time of the previous record"
    case .lengths:
      return "cannot store original lengths: \(words(count, "truncated packet")) "
        + "\(are) written as if complete"
    case .drops:
      return "cannot record losses: \(words(count, "lost packet")) \(are) not mentioned"
    case .comments: return "has no comments: \(words(count, "comment")) \(are) omitted"
    case .sourceComments:
      return "stores the comments of the first section and of interfaces with packets: "
        + "\(words(count, "other comment")) \(are) omitted"
    case .statistics:
      return
        "copies Interface Statistics Blocks only with all records and interfaces of one pcapng capture: \(count) omitted"
    case .blocks: return "does not copy other blocks: \(count) omitted"
    case .uncopiedBlocks:
      return "does not copy Custom Blocks that must not be copied: \(count) omitted"
    case .descriptions:
      return "cannot store everything about the captures: names of interfaces, "
        + "programs and systems are omitted"
    }
  }
}
