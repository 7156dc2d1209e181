import HarkCapture
import HarkCrypto
import HarkFilter
import HarkFindings
import HarkProfile
import HarkSession

/// A capture. Each request for its contents reads it again from the beginning.
///
/// ```swift
/// let capture = CaptureFile("session.pklg", keys: try KeySet(files: ["acme.harkkeys"]))
/// for event in try capture.events() { print(event.time, event.text) }
/// ```
///
/// HarkKit reads all formats that `hark` reads and detects them from their content: btsnoop, PacketLogger, pcap, pcapng,
/// Android bug reports and others. A pipe, a socket (`unix:/path`, `tcp:host:port`) or standard input (`-`) can be read
/// only once.
public struct CaptureFile: Sendable {
  /// The path of the file, or another source that `hark` accepts; for a capture in memory, its name.
  public let path: String
  /// The keys that decrypt payloads and links, and resolve addresses.
  public var keys: KeySet
  private let bytes: [UInt8]?

  /// - Parameters:
  ///   - path: The file, or `-` for standard input. It is opened by the first request for its contents.
  ///   - keys: The keys that decrypt its messages and links.
  public init(_ path: String, keys: KeySet = KeySet()) {
    (self.path, self.keys, bytes) = (path, keys, nil)
  }

  /// A capture in memory.
  /// - Parameters:
  ///   - bytes: The whole capture file.
  ///   - name: The name of the capture in error messages.
  ///   - keys: The keys that decrypt its messages and links.
  public init(bytes: [UInt8], name: String, keys: KeySet = KeySet()) {
    (path, self.keys, self.bytes) = (name, keys, bytes)
  }

  /// The packets, in the order of the capture.
  /// - Parameter filter: A filter in the syntax of `hark packets -Y` (docs/filters.md). Unlike that command, it does not
  ///   read the capture in advance, so it does not know facts that only later packets reveal, such as an event that a
  ///   packet belongs to.
  /// - Throws: `CaptureProblem` if the capture cannot be opened or the filter is invalid.
  public func packets(matching filter: String? = nil) throws(CaptureProblem) -> Packets {
    Packets(try pass(), try filter.map { text throws(CaptureProblem) in try Self.filter(text) })
  }

  /// The events of the timeline, in order of time.
  /// - Parameter filter: A filter in the syntax of `hark timeline -Y` (docs/filters.md).
  /// - Throws: `CaptureProblem` if the capture cannot be opened or the filter is invalid.
  public func events(matching filter: String? = nil) throws(CaptureProblem) -> TimelineEvents {
    TimelineEvents(
      try pass(), try filter.map { text throws(CaptureProblem) in try Self.filter(text) })
  }

  /// The findings of `hark findings`, most severe first. This reads the whole capture.
  /// - Parameter rules: The names of the rules to check, such as `keys.nonce-reuse`; all rules by default.
  /// - Throws: `CaptureProblem` if the capture cannot be opened or there is no such rule.
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

  /// The capture's format, size, duration and connected devices. This reads the whole capture.
  /// - Throws: `CaptureProblem` if the capture cannot be opened.
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

/// Why a request failed, in one sentence.
public struct CaptureProblem: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Keys that are not part of a capture. They stay in guarded memory, and outputs show only their fingerprints.
public struct KeySet: Sendable {
  let ring: KeyRing

  /// An empty set. Keys that the capture itself contains are used in any case.
  public init() { ring = KeyRing() }

  /// Reads key files.
  /// - Parameter files: Paths of key files (docs/key-file.md).
  /// - Throws: `CaptureProblem`, which lists all problems of the first file that cannot be read.
  public init(files: [String]) throws(CaptureProblem) {
    do {
      ring = KeyRing(try files.map { try KeyFile(path: $0) })
    } catch {
      throw CaptureProblem("\(error)")
    }
  }
}
