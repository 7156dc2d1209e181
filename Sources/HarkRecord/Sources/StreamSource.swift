import HarkCapture
import HarkCore

/// A capture that somebody else is writing: a pipe, a socket, a file.
final class StreamSource: RecordSource {
  var name: String { endpoint.name }
  let descriptor: Int32
  let warning: String? = nil
  private let endpoint: Endpoint
  private var opened: Capture?
  var capture: CaptureInfo? { opened?.info }
  /// How the capture ended; nil while it has not, and where the recording was stopped.
  private(set) var end: CaptureEnd?

  /// Opens standard input (`-`), a FIFO, a file, `unix:PATH`, `tcp:HOST:PORT` or a sniffer.
  init(_ path: String) throws(RecordError) {
    endpoint = Endpoint(path)
    do {
      descriptor = try endpoint.open()
    } catch {
      throw RecordError(endpoint.name, error.found)
    }
  }

  func begin(_ waitPolicy: ReadWaitPolicy) throws(RecordError) -> BtsnoopWriter.Datalink {
    let capture: Capture
    do {
      capture = try Capture(
        descriptor: descriptor, of: endpoint, as: endpoint.format, waitPolicy: waitPolicy)
    } catch {
      throw RecordError(
        name, String(error.description.dropFirst(name.count + 2)), advice: nil)
    }
    // Said before a file is made or emptied for it.
    guard let datalink = BtsnoopWriter.Datalink(capture.info) else { throw holdsNetwork }
    opened = capture
    return datalink
  }

  private var holdsNetwork: RecordError {
    RecordError(
      name,
      "contains \(CaptureInfo.OtherContent.network.rawValue), but hark-record records only Bluetooth packets",
      advice: "'hark convert' writes them to pcap or pcapng")
  }

  func read(_ intake: Intake) throws(RecordError) {
    guard let capture = opened else { return }
    // A source that never pauses is not waited for long once the recording is to end.
    var deadline: UInt64?
    var hasNetwork = false
    let end = capture.forEachRecord { record, packet in
      hasNetwork = record.kind.isNetwork
      guard !hasNetwork else { return false }
      intake.append(record, packet)
      guard intake.isStopped else { return true }
      let now = monotonicTime
      deadline = deadline ?? now + Recorder.drain
      return now < deadline ?? now
    }
    if hasNetwork { throw holdsNetwork }
    if !intake.isStopped { self.end = end }
  }

  /// What was wrong with the capture, for people.
  var complaint: String? {
    guard let end, end.status == .truncated || end.status == .damaged else { return nil }
    return "\(name): \(end.status == .truncated ? "truncated" : "damaged"): "
      + (end.damages.first.map { "\($0)" } ?? "unknown")
  }
}
