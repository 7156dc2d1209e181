import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

/// What a capture's records say about how it was recorded: whether its recorder left out what matters.
public struct CaptureHealth: Sendable {
  /// Packets of data, and how many of them were cut.
  private var data = 0
  private var cut = 0
  /// How often data was cut to each length.
  private var lengths: [Int: Int] = [:]
  private var snoop = SnoopFilter()

  /// More different lengths are not distinguished.
  private static let mostLengths = 4_096

  public init() {}

  /// Takes a record.
  public mutating func take(_ record: CaptureRecord, _ bytes: RawSpan) {
    guard record.kind == .acl || record.kind == .iso || record.kind == .sco else { return }
    data += 1
    snoop.take(record, bytes)
    // PacketLogger does not say how many bytes a packet had, but the packet itself does.
    let whole = max(HCIDataHeader.size(record.kind, bytes) ?? 0, record.originalCount)
    guard whole > bytes.byteCount else { return }
    cut += 1
    if lengths[bytes.byteCount] != nil || lengths.count < Self.mostLengths {
      lengths[bytes.byteCount, default: 0] += 1
    }
  }

  /// The recorder, as far as the format shows it.
  private enum Recorder {
    case apple, android, other

    var isAndroid: Bool { if case .android = self { true } else { false } }

    /// What makes it record everything.
    var fix: String {
      switch self {
      case .apple:
        "install Apple's Bluetooth logging profile on the device again (it expires): "
          + "https://developer.apple.com/bug-reporting/profiles-and-logs/?name=bluetooth; restart "
          + "the device; record with: idevicebtlogger -f packetlogger - | hark record - -w phone.btsnoop"
      case .android:
        "adb shell setprop persist.bluetooth.btsnooplogmode full && adb shell svc bluetooth disable "
          + "&& adb shell svc bluetooth enable; if that is not permitted: Developer options, "
          + "Bluetooth HCI snoop log, Enabled (not Filtered), then switch Bluetooth off and on"
      case .other: "record without a packet length limit: tshark -s 0"
      }
    }
  }

  private static func recorder(_ info: CaptureInfo) -> Recorder {
    if info.format.hasPrefix("PacketLogger") { return .apple }
    // What Android writes; others do so too.
    return info.format.hasPrefix("btsnoop 1002") ? .android : .other
  }

  /// The checks of a capture that was read.
  public func checks(
    _ info: CaptureInfo, _ end: CaptureEnd, _ session: borrowing Session
  ) -> [DoctorCheck] {
    let recorder = Self.recorder(info)
    let whole = Self.whole(end)
    let isCut = end.status == .truncated || end.status == .damaged
    guard session.packetCount > 0 else {
      return [
        whole,
        isCut
          ? DoctorCheck("packets", .error, "hark cannot read any packet in it.", fix: whole.fix)
          : DoctorCheck(
            "packets", .error, "The capture has no packets: \(Self.emptiness(recorder)).",
            fix: recorder.fix),
      ]
    }
    let packets = DoctorCheck(
      "packets", .ok, "\(info.format): \(Names.count(session.packetCount, "record")).")
    if info.isOfAir {
      return [whole, packets] + Self.airChecks(session) + [Self.clock(info, session)]
    }
    return [
      whole, packets,
      isCut && data == 0 ? Self.unreadData(whole) : dataCheck(recorder, session),
      lengthCheck(recorder), Self.losses(session), Self.directions(session),
      Self.clock(info, session),
    ]
  }

  private static func emptiness(_ recorder: Recorder) -> String {
    switch recorder {
    case .apple: "the logging profile is not installed, or has expired"
    case .android: "the log was enabled while Bluetooth was on, or is disabled"
    case .other: "its recorder received none"
    }
  }

  private static func whole(_ end: CaptureEnd) -> DoctorCheck {
    switch end.status {
    case .complete, .stopped: DoctorCheck("whole", .ok, "The capture is complete to its end.")
    case .truncated, .damaged:
      DoctorCheck(
        "whole", .error,
        "The capture is \(end.status == .truncated ? "truncated" : "damaged"): "
          + (end.damages.first.map { "\($0)" } ?? "it has no end") + ".",
        fix: "copy it again from the recording device, after the recorder has stopped")
    }
  }

  /// Data may be after the place: nothing is known about the recorder.
  private static func unreadData(_ whole: DoctorCheck) -> DoctorCheck {
    DoctorCheck(
      "data", .info, "The readable part has no data packets.", fix: whole.fix)
  }

  private func dataCheck(_ recorder: Recorder, _ session: borrowing Session) -> DoctorCheck {
    if data > 0 {
      return DoctorCheck("data", .ok, "The capture has \(Names.count(data, "data packet")).")
    }
    let links = session.links.count
    guard links > 0 else {
      return DoctorCheck("data", .info, "It contains no connections, so no data either.")
    }
    let reason =
      switch recorder {
      case .apple: "typical if the logging profile is missing or has expired"
      case .android: "typical of a filtered log"
      case .other: "its recorder omitted them"
      }
    return DoctorCheck(
      "data", .error,
      "The capture has \(Names.count(links, "connection")), but no data packets: \(reason).",
      fix: recorder.fix)
  }

  private func lengthCheck(_ recorder: Recorder) -> DoctorCheck {
    let filtered = recorder.isAndroid ? snoop.sentences : []
    guard cut > 0 else {
      return filtered.isEmpty
        ? DoctorCheck("lengths", .ok, "No data packet is truncated.")
        : DoctorCheck(
          "lengths", .error, filtered.joined(separator: " "), fix: recorder.fix)
    }
    var text = "\(cut) of \(Names.count(data, "data packet")) \(cut == 1 ? "is" : "are") truncated"
    if let (length, count) = lengths.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
      text += ", \(count == cut ? "all" : "\(count) of them") to \(length) bytes"
    }
    switch recorder {
    case .apple: text += ": typical if the logging profile is missing"
    case .android: text += ": typical of Android's filtered log"
    case .other: break
    }
    return DoctorCheck(
      "lengths", .error, ([text + "."] + filtered).joined(separator: " "), fix: recorder.fix)
  }

  private static func losses(_ session: borrowing Session) -> DoctorCheck {
    let count = session.counts.dropped
    guard count > 0 else { return DoctorCheck("losses", .ok, "The recorder lost no packets.") }
    return DoctorCheck(
      "losses", .warning, "The recorder lost \(Names.count(count, "packet")).",
      fix: "sudo hark record -w trace.btsnoop --buffer 64M")
  }

  private static func directions(_ session: borrowing Session) -> DoctorCheck {
    let counts = session.counts
    let count = counts.directionUnknown + counts.directionInferred
    guard count > 0 else {
      return DoctorCheck("directions", .ok, "The capture records who sent each packet.")
    }
    return DoctorCheck(
      "directions", .warning,
      "The capture does not record who sent \(Names.count(count, "data packet")); hark infers it for "
        + "\(counts.directionInferred).",
      fix: "record with link type 201, or as btsnoop: sudo hark record -w trace.btsnoop")
  }

  private static func clock(
    _ info: CaptureInfo, _ session: borrowing Session
  ) -> DoctorCheck {
    let setBacks = session.counts.setBacks
    if setBacks.count > 0 {
      return DoctorCheck(
        "clock", .warning, CaptureReport.words(setBacks),
        fix: "if captures were joined, merge them by time: hark convert FIRST SECOND OUT")
    }
    if let odd = session.counts.oddTimes {
      return DoctorCheck(
        "clock", .warning, CaptureReport.words(odd),
        fix: "set the clock of the recorder before it starts")
    }
    if let zone = info.zone {
      return DoctorCheck("clock", .ok, "The capture records \(zone.name); hark shows UTC.")
    }
    guard let east = info.suspectedZone(session.counts.latestTime) else {
      return DoctorCheck("clock", .ok, "Nothing suggests that its times are not UTC.")
    }
    return DoctorCheck(
      "clock", .warning,
      "The last write to the file precedes its last packet: its clock "
        + "\(ClockZone.remark(east)).",
      fix: "hark timeline CAPTURE --time-zone \(ClockZone.text(east))")
  }
}
