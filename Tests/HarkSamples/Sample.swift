import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkPresentation
import HarkProfile
import HarkSession
import HarkTestSupport
import Testing

/// The sample captures and what must be found in them.
package enum Sample {
  package static let folder = Project.captures

  package static let all = [
    "pebble-session", "pebble-rekey", "pebble-wrong-derivation", "pebble-bytes-trap",
    "pebble-reboot", "pebble-faults", "notifbridge-v1", "notifbridge-v0",
    "notifbridge-lost-chunk", "lens-session", "lens-activities",
    "lens-network",
  ]

  /// Of Apple's own services, which seal nothing.
  package static let services = ["ancs-session", "ams-session"]

  /// Of A2DP and AVRCP.
  package static let audio = ["a2dp-session"]

  /// Of LE Audio.
  package static let leAudio = [
    "leaudio-session", "broadcast-session", "earbuds-session", "periodic-session",
  ]

  /// Of the Hands-Free Profile.
  package static let calls = ["hands-free"]

  /// Of iAP2, over BR/EDR.
  package static let iap2 = [
    "iap2-session", "iap2-rejected", "iap2-no-data", "iap2-retransmissions",
  ]

  /// Of headphones and their hosts.
  package static let headphones = ["aap-session", "aap-middle"]

  /// Of L2CAP channels that carry SDUs in segments.
  package static let channels = ["coc-session", "eatt-session", "ertm-session"]

  /// Of invented vendors; the last one is one that hark has no profile for.
  package static let vendors = [
    "aria-session", "aria-faults", "helmet-session", "tutorial",
  ]

  /// All others.
  package static let profiles =
    services + audio + leAudio + calls + iap2 + headphones + channels + vendors

  package static func path(_ name: String, _ file: String) -> String {
    folder.appending(path: name).appending(path: file).path()
  }

  package static func truth(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appending(path: name).appending(path: "truth.json"))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  package static func keys(_ name: String) throws -> KeyRing {
    let files = try truth(name)["keyFiles"] as? [String] ?? []
    return KeyRing(try files.map { try KeyFile(path: path(name, $0)) })
  }

  /// Reads a capture as the commands do; calls `body` with each event when it happens.
  @discardableResult
  package static func read(
    _ name: String, _ file: String, withKeys: Bool = true, keepsValues: Bool = false,
    _ body: (Event, borrowing Session) -> Void
  ) throws -> Session {
    let capture = try Capture(path: path(name, file))
    var session = Session(keys: withKeys ? try keys(name) : KeyRing(), framings: .known)
    session.keepsValues = keepsValues
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      for event in session.events { body(event, session) }
      session.takeEvents { _ in }
      return true
    }
    session.finish()
    for event in session.events { body(event, session) }
    session.takeEvents { _ in }
    return session
  }

  /// The file the truth lists first.
  package static func firstFile(_ name: String) throws -> String {
    try #require((truth(name)["files"] as? [String])?.first)
  }

  package static func timeline(
    _ name: String, style: Style = .plain, withKeys: Bool = true
  ) throws -> String {
    var timeline = Timeline(style: style)
    var out = TextBuffer()
    try read(name, firstFile(name), withKeys: withKeys) { event, session in
      timeline.write(event, session, to: &out)
    }
    timeline.flush(to: &out)
    return out.string
  }
}
