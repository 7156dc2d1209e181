/// What a kind of capture could not hold of the records that it was given.
public struct CaptureLosses: Sendable, Equatable {
  public enum Kind: Int, CaseIterable, Sendable {
    // Records that are not written.
    case monitor, packetLogger, unknownPackets, others, air, notOfAir, network, notOfNetwork
    // What of written records is missing or changed.
    case directions, directionsUnknown, directionsInferred, nanoseconds, times, timesUnknown
    case lengths, drops, comments, descriptions
  }

  private let output: CaptureOutput
  private var counts = [Int](repeating: 0, count: Kind.allCases.count)
  /// Records of controllers that have no place, by controller.
  private var controllers: [UInt16: Int] = [:]

  init(_ output: CaptureOutput) { self.output = output }

  public subscript(kind: Kind) -> Int { counts[kind.rawValue] }

  mutating func count(_ kind: Kind, _ count: Int = 1) { counts[kind.rawValue] += count }

  mutating func count(ofController controller: UInt16) { controllers[controller, default: 0] += 1 }

  /// One sentence for each kind of loss, with how often; empty where nothing is lost.
  public var sentences: [String] {
    var sentences = controllers.sorted { $0.key < $1.key }.map { controller, count in
      "\(output.title) holds one controller: \(Self.words(count, "record")) of hci\(controller) "
        + "not written; -Y 'controller == \(controller)' writes \(count == 1 ? "it" : "them")"
    }
    for kind in Kind.allCases where self[kind] > 0 {
      sentences.append("\(output.title) \(Self.text(kind, self[kind]))")
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
      return "holds HCI packets only: \(words(count, "record")) of the Linux monitor \(are) not "
        + "written"
    case .packetLogger:
      return "has no place for PacketLogger's own records: \(words(count, "note")) \(are) not "
        + "written"
    case .unknownPackets:
      return "holds packets of known types only: \(words(count, "H4 packet")) \(are) not written"
    case .others:
      return "has no place for \(words(count, "record")) that hold no HCI packet: not written"
    case .air:
      return
        "holds HCI packets: \(words(count, "packet")) from the air \(are) not written; pcap and "
        + "pcapng hold them"
    case .notOfAir:
      return "holds packets from the air, of that link type: \(words(count, "record")) of another "
        + "kind \(are) not written"
    case .network:
      return
        "holds packets of Bluetooth: \(words(count, "frame")) of a local network \(are) not written; "
        + "pcapng holds them"
    case .notOfNetwork:
      return "holds frames of a local network, of that link type: \(words(count, "record")) of "
        + "another kind \(are) not written"
    case .directions:
      return "has no directions: that of \(words(count, "packet")) \(are) left out"
    case .directionsUnknown:
      return "needs a direction: \(words(count, "packet")) of which nothing tells it \(are) "
        + "written as sent by the host"
    case .directionsInferred:
      return "has recorded directions only: those of \(words(count, "packet")) that follow from "
        + "others are written as if they were"
    case .nanoseconds: return "has microseconds: \(words(count, "time")) \(are) cut to them"
    case .times:
      return "has times from 1970 on, some years: \(words(count, "time")) outside \(have) its "
        + "first or last"
    case .timesUnknown:
      return "needs a time: \(words(count, "record")) without one \(have) that of the record before"
    case .lengths:
      return "has no lengths beside the packets' own: \(words(count, "packet")) that the recorder "
        + "cut \(are) written as if they ended there"
    case .drops:
      return "cannot say that packets were lost: \(words(count, "lost packet")) \(are) not told of"
    case .comments: return "has no comments: \(words(count, "comment")) \(are) left out"
    case .descriptions:
      return "has no place for all that the captures say of themselves: names of interfaces, "
        + "programs and systems are left out"
    }
  }
}
