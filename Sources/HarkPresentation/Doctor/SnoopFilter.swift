import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

/// What Android left out of a log, by what is left of its packets: its mode `filtered`, and the short
/// log of bug reports (btsnooz). AOSP, packages/modules/Bluetooth, system/gd/hal/snoop_logger.cc.
struct SnoopFilter {
  /// Of ACL data, which alone is filtered.
  private var counts: [Trace: Int] = [:]

  /// What a filter leaves. Lengths are of the packet, without the octet for its type.
  private enum Trace: CaseIterable {
    /// `persist.bluetooth.snooplogfilter.headers.enabled`: 13 bytes of all packets but signaling.
    case headers
    /// `persist.bluetooth.snooplogfilter.profiles.rfcomm.enabled`: 8 bytes where a channel is not on the
    /// list of those that are logged.
    case channels
    /// btsnooz: 14 bytes of all packets but signaling.
    case short
    /// `persist.bluetooth.snooplogfilter.profiles.pbap` and `.map`, `magic`: a text in place of what
    /// the profile says.
    case magic
    /// The same, `header`; also lists of calls and contacts of the Hands-Free Profile: what is left has
    /// lengths that fit it, and only the record shows that there was more.
    case shortened
    /// A fragment that continues with what `pbap` or `map` took out.
    case fragment
  }

  private static let magic = Array("PROHIBITED".utf8)

  mutating func take(_ record: CaptureRecord, _ bytes: RawSpan) {
    guard record.kind == .acl, let trace = Self.trace(record, bytes) else { return }
    counts[trace, default: 0] += 1
  }

  private static func trace(_ record: CaptureRecord, _ bytes: RawSpan) -> Trace? {
    guard let own = HCIDataHeader.size(.acl, bytes) else { return nil }
    let count = bytes.byteCount
    let beginning = ACLBeginning(bytes)
    // Signaling is never filtered.
    if beginning.frame.cid == FixedChannel.signaling.rawValue { return nil }
    if count == own {
      if beginning.frame.rest.count >= magic.count,
        (0..<magic.count).allSatisfy({ bytes.byte(at: count - magic.count + $0) == magic[$0] })
      {
        return .magic
      }
      return record.originalCount > count ? .shortened : nil
    }
    guard own > count else { return nil }
    switch count {
    case ACLBeginning.headerSize where beginning.boundary == .continuing: return .fragment
    case 8: return .channels
    case 13: return .headers
    case 14: return .short
    default: return nil
    }
  }

  /// What was left out, a sentence each.
  var sentences: [String] {
    Trace.allCases.compactMap { trace in
      counts[trace].map { Self.sentence(trace, Names.count($0, "packet")) }
    }
  }

  private static func sentence(_ trace: Trace, _ packets: String) -> String {
    let setting = "persist.bluetooth.snooplogfilter."
    return switch trace {
    case .headers:
      "\(packets) cut to 13 bytes: the headers filter is on (\(setting)headers.enabled)."
    case .channels:
      "\(packets) cut to 8 bytes: the channels filter is on "
        + "(\(setting)profiles.rfcomm.enabled)."
    case .short:
      "\(packets) cut to 14 bytes: the short log of bug reports while the log is disabled."
    case .magic:
      "\(packets) with PROHIBITED in place of PBAP, MAP or HFP data "
        + "(\(setting)profiles.pbap or .map is magic)."
    case .shortened:
      "\(packets) shortened without a mark, as for PBAP, MAP and HFP "
        + "(\(setting)profiles.pbap or .map is header)."
    case .fragment:
      "\(packets) cut to the header, as for fragments of PBAP and MAP "
        + "(\(setting)profiles.pbap or .map)."
    }
  }
}
