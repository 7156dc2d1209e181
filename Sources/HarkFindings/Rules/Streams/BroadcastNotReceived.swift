import HarkDissection
import HarkSession

struct BroadcastNotReceived: Rule {
  static let about = RuleDescription(
    id: "audio.broadcast-not-received", title: "A device cannot receive a broadcast",
    severity: .error, needs: .attributes,
    meaning:
      "The user of this device does not hear the broadcast: it cannot find or decrypt the broadcast that its "
      + "assistant chose.",
    source:
      "Broadcast Audio Scan Service 1.0.1, 3.2 (Broadcast Receive State: PA_Sync_State, BIG_Encryption, "
      + "BIS_Sync_State)",
    fix:
      "Bad_Code: write the Broadcast_Code of this source (Set Broadcast_Code): 16 octets, text in UTF-8 and "
      + "padded with zeros. No PAST: let the assistant transfer the sync when the device requests it (SyncInfo "
      + "Request). Failed: check that the source still sends, and that its address and SID are the current "
      + "ones.")
  static let wants: Set<Event.Family> = [.leAudio]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .leAudio(.broadcastSource(let source)) = event.content, event.severity > .info else {
      return
    }
    let (expected, name): (FindingText, String)
    switch (
      LEAudioValue.Encryption(rawValue: source.encryption),
      LEAudioValue.Synchronization(rawValue: source.synchronization)
    ) {
    case (.badCode, _): (expected, name) = ("the Broadcast_Code of the source", "code")
    case (_, .noPAST):
      (expected, name) = ("a transfer of the sync by the assistant in time", "transfer")
    default: (expected, name) = ("a device that synchronizes to the broadcast", "sync")
    }
    report.found(
      event, session, expected: expected, severity: name == "code" ? nil : .warning,
      subject: "\(name) \(source.id) \(source.broadcast)")
  }
}
