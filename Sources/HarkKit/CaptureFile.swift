import HarkCapture
import HarkCrypto
import HarkFilter
import HarkFindings
import HarkProfile
import HarkSession

/// A capture: what it holds is read from its beginning each time somebody asks.
///
/// ```swift
/// let capture = CaptureFile("session.pklg", keys: try KeySet(files: ["acme.harkkeys"]))
/// for event in try capture.events() { print(event.time, event.text) }
/// ```
///
/// All formats that `hark` opens are recognised by their content: btsnoop, PacketLogger, pcap, pcapng, bug reports of
/// Android, and others. A pipe, a socket (`unix:/path`, `tcp:host:port`) or standard input (`-`) can be read once.
public struct CaptureFile: Sendable {
  /// The path, or the source, as `hark` takes it.
  public let path: String
  /// What opens encrypted payloads and links, and resolves addresses.
  public var keys: KeySet
  private let bytes: [UInt8]?

  /// - Parameters:
  ///   - path: The file, or `-` for standard input. It is opened when something is asked of it.
  ///   - keys: What opens its messages and links.
  public init(_ path: String, keys: KeySet = KeySet()) {
    (self.path, self.keys, bytes) = (path, keys, nil)
  }

  /// A capture that is in memory.
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - name: What it is called in errors.
  ///   - keys: What opens its messages and links.
  public init(bytes: [UInt8], name: String, keys: KeySet = KeySet()) {
    (path, self.keys, self.bytes) = (name, keys, bytes)
  }

  /// The packets, in the order of the capture.
  /// - Parameter filter: As `hark packets -Y` takes it (docs/filters.md). What is known of a packet only later, such as
  ///   the events that it shows, is not asked.
  /// - Throws: `CaptureProblem` where the capture cannot be opened or the filter is wrong.
  public func packets(matching filter: String? = nil) throws(CaptureProblem) -> Packets {
    Packets(try pass(), try filter.map { text throws(CaptureProblem) in try Self.filter(text) })
  }

  /// The events of the timeline, in the order in which they happened.
  /// - Parameter filter: As `hark timeline -Y` takes it.
  /// - Throws: As `packets(matching:)`.
  public func events(matching filter: String? = nil) throws(CaptureProblem) -> TimelineEvents {
    TimelineEvents(
      try pass(), try filter.map { text throws(CaptureProblem) in try Self.filter(text) })
  }

  /// What is wrong, the worst first, as `hark findings` has it.
  /// - Parameter rules: The ids of the rules that look, all by default.
  /// - Throws: `CaptureProblem` where the capture cannot be opened or there is no such rule.
  public func findings(rules: [String]? = nil) throws(CaptureProblem) -> [Finding] {
    let types = try rules.map { names throws(CaptureProblem) in
      try names.map { name throws(CaptureProblem) in
        guard let type = Rules.named(name) else {
          throw CaptureProblem("there is no rule \(name)")
        }
        return type
      }
    }
    let pass = try pass()
    var findings = Findings(types ?? Rules.all)
    while pass.step({ session, _, _ in findings.take(session) }) {}
    pass.finish { session in
      findings.take(session)
      findings.finish(session)
    }
    return findings.sorted.map { Finding($0) }
  }

  /// Who took part, and how much there is. It reads the whole capture.
  /// - Throws: `CaptureProblem` where the capture cannot be opened.
  public func summary() throws(CaptureProblem) -> CaptureSummary {
    let pass = try pass()
    while pass.step({ _, _, _ in }) {}
    pass.finish { _ in }
    return CaptureSummary(pass)
  }

  private func pass() throws(CaptureProblem) -> CapturePass {
    _ = BundledDissectors.areLoaded
    do {
      let capture =
        if let bytes {
          try Capture(bytes: bytes, name: path)
        } else {
          try Capture(path: path)
        }
      return CapturePass(capture, keys.ring)
    } catch {
      throw CaptureProblem("\(error)")
    }
  }

  private static func filter(_ text: String) throws(CaptureProblem) -> Filter {
    do {
      return try Filter(text)
    } catch {
      throw CaptureProblem(error.description)
    }
  }
}

/// Why something cannot be done, in one sentence.
public struct CaptureProblem: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Keys that are known beside a capture. They stay in guarded memory and are shown as fingerprints only.
public struct KeySet: Sendable {
  let ring: KeyRing

  /// None. What a capture itself gives away is used all the same.
  public init() { ring = KeyRing() }

  /// - Parameter files: Key files as docs/key-file.md describes them.
  /// - Throws: `CaptureProblem` with all that is wrong with them.
  public init(files: [String]) throws(CaptureProblem) {
    do {
      ring = KeyRing(try files.map { try KeyFile(path: $0) })
    } catch {
      throw CaptureProblem("\(error)")
    }
  }
}
