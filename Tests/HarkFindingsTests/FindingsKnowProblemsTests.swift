import Foundation
import HarkCrypto
import HarkFindings
import HarkSamples
import HarkTestSupport
import Testing

@testable import HarkSession

/// The session knows of a failure if it emits an event with the severity warning or error. A rule reports each kind of
/// them, or `exempt` says why not.
@Suite struct FindingsKnowProblemsTests {
  /// Kinds that are no findings.
  private static let exempt: [String: String] = [
    // What the capture lacks, which `hark info` reports, and what hark infers from that.
    "damage": "of the file", "packets-dropped": "of the recorder",
    "packets-sliced": "of the recorder", "iap2-cut": "of the recorder",
    "direction-unknown": "of the format", "fragment-orphaned": "of the recorder",
    "tcp-gap": "of the recorder; rules do not judge across it",
    "packets-unreadable": "counted by hark info; damage and wrong layouts cause it, too",
    "stream-out-of-step": "as packets-unreadable",
    "key-in-capture": "a remark on the capture, for hark redact",
    "link-inferred": "inferred", "tcp-opened": "inferred", "usb-accessory": "inferred",
    "aap-recognized": "inferred", "channel-recognized": "inferred",
    "rfcomm-recognized": "inferred", "data-link-recognized": "inferred",
    "media-recognized": "inferred",
    "avdtp-recognized": "inferred", "avctp-recognized": "inferred", "gatt-returned": "inferred",
    // Consequences of what has a finding, and what harms nobody.
    "request-unanswered": "link.request-timeout after 30 s; before that, the link ended",
    "peer-information-failed": "the peer is absent or lost: link.connection-failed",
    "inquiry-ended": "what was found until then counts",
    "tcp-closed": "also an ordinary way to close; lost messages have findings",
    "iap2-file-failed": "a side gives up a file, and the session goes on",
    "rfcomm-command-unsupported": "the command is optional",
    "data-link-line-status": "an error of the serial port behind RFCOMM",
  ]

  /// The places of the session that set a severity, by file, and the kinds of their events. A dash stands for a place
  /// that passes on what another one decides.
  private static let places: [String: [String]] = [
    "AAPFollower+Shape": ["aap-recognized"],
    "AAPFollower": [
      "aap-message-malformed", "-", "aap-refused", "aap-unanswered", "audio-source-not-cleared",
      "audio-source-not-cleared",
      "setting-overruled",
    ],
    "ATTFollower+InFlight": ["sent-early"], "ATTFollower+MTU": ["mtu", "mtu-exceeded"],
    "ATTFollower+Several": ["value-short"],
    "ATTFollower+Timeouts": ["answered-late", "request-timeout", "request-timeout"],
    "ATTFollower+Unanswered": ["unsolicited-response", "wrong-response", "-"],
    "ATTFollower+Writes": ["prepared-write-differs"], "ATTFollower": ["att-error"],
    "Activity": ["value"], "AccessoryFollower+AudioSources": ["audio-source-not-cleared"],
    // Those of AccessoryEvent.severity.
    "AccessoryFollower": [
      "message-locked", "message", "message-plain", "private-key-exposed", "message-incomplete",
      "message-unreadable", "observation", "flow-control",
    ],
    "PeriodicFollower": ["periodic-sync-lost", "periodic-sync-failed"],
    "ScanFollower": ["inquiry-ended"],
    "AirFollower+Changes": ["instant-passed"],
    "AirFollower+Control": ["link-layer-rejected"],
    "AirFollower+Streams": ["isochronous-stream-ended"],
    "AirFollower+Encryption": ["link-locked"], "AirFollower": ["link-inferred"],
    // Those of AppEvent.severity.
    "Session+App": ["app"],
    "AudioFollower+AVCTPShape": ["avctp-recognized"],
    "AudioFollower+AVRCP": ["remote-operation-refused", "remote-rejected"],
    "AudioFollower+MediaShape": ["media-recognized", "media-recognized"],
    "AudioFollower+SignalShape": ["avdtp-recognized"],
    "AudioFollower": [
      "stream-ended", "stream-ended", "media-gap", "signal-rejected", "signal-unanswered", "-",
    ], "AudioFollower+AVCTP": ["remote-profile-unknown"],
    "BasebandFollower": ["link-manager-pairing-failed"],
    "BNEPFollower": ["bnep-request", "bnep-request"],
    "HCRPFollower": ["hcrp-request-failed", "hcrp-request-failed"], "HIDFollower": ["hid-refused"],
    "HandsFreeFollower": ["-", "codec-confirmed", "hands-free-refused", "call-audio"],
    "OBEXFollower": ["obex"],
    "RFCOMMFollower+Shape": ["rfcomm-recognized"],
    "RFCOMMFollower": ["rfcomm-wrong-fcs", "data-link-refused", "data-link-recognized"],
    "RFCOMMFollower+Control": [
      "rfcomm-session-refused", "rfcomm-command-unsupported", "data-link-line-status",
    ],
    "RFCOMMFollower+Limits": ["data-link-credits-exceeded", "data-link-frame-too-long"],
    "SDPFollower": ["sdp-error", "sdp-unanswered"],
    // Those of `isFault`.
    "SIMAccessFollower": [
      "sim-access-connection", "sim-request-refused", "sim-request-unanswered", "sim-card-changed",
    ],
    "IAP2Follower+Control": [
      "iap2-message-malformed", "iap2-message-malformed", "iap2-wrong-sender",
      "iap2-message-malformed", "iap2-identification-rejected", "iap2-authentication-failed",
    ],
    "IAP2Follower+Data": [
      "ea-session-opened", "ea-session-status", "ea-session-not-open", "ea-session-unknown",
      "ea-session-data", "ea-data-too-short", "ea-session-closed",
      "iap2-file-failed",
    ],
    "IAP2Follower+Link": [
      "iap2-wrong-checksum", "iap2-wanted", "iap2-cut", "iap2-undeclared-session",
      "iap2-retransmitted", "iap2-reset", "iap2-window-stalled", "iap2-window-exceeded",
      "iap2-packet-too-long",
    ],
    "IAP2Follower+Numbers": [
      "iap2-missing", "iap2-retransmitted", "iap2-missing", "iap2-acknowledged-unsent",
    ],
    "HomeKitPairing": ["homekit-pairing"],
    "IAP2Follower": [
      "iap2-garbage", "iap2-cut", "iap2-unanswered", "iap2-frame-incomplete",
      "iap2-message-incomplete",
    ],
    "USBAccessoryFollower": ["usb-accessory"],
    "Session+Records": [
      "clock-set-forward", "clock-set-back", "direction-unknown", "packets-dropped",
      "packets-sliced",
    ],
    "Session+Remarks": ["damage", "profile-mistake"], "Tables+Events": ["-"],
    "UnreadablePackets": ["packets-unreadable"],
    "IsochronousFollower": [
      "isochronous-failed", "broadcast-group-failed", "broadcast-group-ended",
      "isochronous-refused", "fragment-orphaned", "isochronous-gap",
    ],
    "MessageFollower": ["pdu-incomplete", "stream-out-of-step", "pdu-incomplete"],
    "TrafficFollower+Channels": ["limit-exceeded", "credits-exceeded"],
    "TrafficFollower+Configuration": ["channel-configuration-refused", "reconfiguration-refused"],
    "TrafficFollower+Endings": ["link-closed", "synchronous-lost"],
    "SoundingFollower": ["sounding-failed", "sounding-aborted"],
    "TrafficFollower+Frames": [
      "frame-wrong-fcs", "limit-exceeded", "frames-missing", "pdu-excess",
    ],
    "TrafficFollower+Shape": ["channel-recognized"],
    "TrafficFollower+Signaling": [
      "link-parameters-requested", "link-parameters-refused", "channel-refused", "channel-refused",
      "channel-opened", "channel-closed",
    ],
    "TrafficFollower": ["link-inferred", "fragment-orphaned", "pdu-incomplete"],
    "LEAudioFollower+Streams": ["ase-state", "ase-refused"],
    // Those of LEAudioEvent.isFailure.
    "LEAudioFollower": ["broadcast-source", "media-result", "call-result"],
    "Tables+Borrowing": ["gatt-returned"],
    "BufferFollower": ["buffers-exceeded", "buffers-exceeded"],
    "ConnectionFollower+Rate": [
      "connection-rate-failed", "frame-space-failed", "peer-information-failed", "mode-failed",
    ],
    "ConnectionFollower": [
      "data-flushed", "qos-violated", "role-failed", "encryption-key-size", "synchronous-failed",
      "mode-failed",
    ],
    "Session+Commands": ["command-failed", "link-parameters-refused"],
    "Session+HCI": [
      "hardware-error", "data-buffer-overflow", "link-failed", "link-opened", "link-close-failed",
      "link-failed", "link-parameters-failed", "link-parameters", "link-parameters-requested",
      "phy-failed", "subrate-failed", "peer-information-failed",
    ],
    "Session+InferredLinks": ["link-inferred"],
    "MeshFollower": ["mesh-link-closed", "mesh-provisioning"],
    "TCPConnection": ["tcp-opened", "tcp-gap", "tcp-closed"],
    "LinkManagerFollower+DebugKey": ["secure-simple-pairing", "secure-simple-pairing"],
    "LinkManagerFollower": [
      "secure-simple-pairing", "secure-simple-pairing", "secure-simple-pairing", "-",
    ],
    "SecurityFollower+CrossTransport": ["cross-transport-incomplete"],
    "SecurityFollower+Distribution": ["pairing-keys-missing"],
    "SecurityFollower+SimplePairing": [
      "pin-refused", "secure-simple-pairing", "secure-simple-pairing", "authentication-failed",
      "authenticated-payload-timeout", "secure-simple-pairing", "-",
    ],
    "SecurityFollower": [
      "pairing-failed", "pairing-public-keys", "pairing-timed-out", "pairing-cut-off",
      "pairing-unfinished",
      "encryption-failed", "encryption-not-refreshed", "key-in-capture",
    ],
    "SecurityFollower+Keys": ["key-missing"],
  ]
  /// More kinds than places: a computed property decides for several.
  private static let computed = ["AccessoryFollower", "SIMAccessFollower", "LEAudioFollower"]
  /// Reported without a severity, which is then the default one: `emitMissing`, and the other kinds of `warn`.
  private static let others = [
    "request-unanswered", "signaling-unanswered", "command-unanswered", "data-link-unanswered",
    "rfcomm-session-unanswered", "isochronous-lost",
    "isochronous-timestamp-back",
    "isochronous-sdu-length", "isochronous-sdu-too-long", "iap2-unacknowledged",
  ]

  /// A place that is new, or gone, has to be entered, and so what becomes of its events.
  @Test func places() throws {
    let folder = Project.root.appending(path: "Sources/HarkSession")
    var counts: [String: Int] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    where name.hasSuffix(".swift") && !name.hasPrefix("Events/") && name != "Index/Event.swift" {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      // A declaration, which has a type, sets none.
      let count = text.matches(of: /severity: (?!Event\.Severity|Severity|String)/).count
      let file = name.split(separator: "/").last?.dropLast(6) ?? ""
      if count > 0 { counts[String(file)] = count }
    }
    #expect(counts.keys.sorted() == Self.places.keys.sorted())
    for (file, kinds) in Self.places {
      #expect(counts[file] == (Self.computed.contains(file) ? 1 : kinds.count), "\(file)")
    }
  }

  /// What the session calls a problem in the samples and the conversations by hand, and what some rule reports.
  @Test func everyProblemIsFound() throws {
    var found = Set<String>()
    for findings in try FindingsCoverageTests.runs() {
      let places = findings.all.map(\.place) + findings.undecided.map(\.place)
      found.formUnion(places.compactMap { $0.kind.map { "\($0)" } })
    }
    var seen = FindingsMadeTests.cases.reduce(into: Set<String>()) { $0.formUnion($1.problems()) }
    for name in Sample.all + Sample.profiles {
      try Sample.read(name, Sample.firstFile(name)) { event, _ in
        if event.severity > .info { seen.insert("\(event.content.described.kind.name)") }
      }
    }
    let entered = Set(Self.places.values.joined() + Self.others).subtracting(["-"])
    let exempt = Set(Self.exempt.keys)
    #expect(seen.subtracting(entered).sorted() == [], "not in the table")
    #expect(entered.subtracting(found).subtracting(exempt).sorted() == [], "no rule reports it")
    #expect(exempt.intersection(found).sorted() == [], "a rule reports it: it is not exempt")
    #expect(exempt.subtracting(entered).sorted() == [], "nothing emits it")
  }
}
