import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession
import HarkWeb

/// The session keys that an app in development writes while it makes them, as browsers do with SSLKEYLOGFILE: a
/// line each, as an entry of a key file's `sessionKeys`.
struct KeyLog {
  private let name: String
  private var lines: GrowingLines
  private var count = 0
  private var nextReading: UInt64 = 0
  private var isRefusalTold = false

  /// Between two looks while packets come without a pause, in nanoseconds.
  private static let pause: UInt64 = 20_000_000

  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  init(_ name: String) throws {
    self.name = name
    KeyOptions.holdKeys()
    do throws(AppLogError) {
      lines = try GrowingLines(name)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Gives the session the keys that came since.
  /// - Parameters:
  ///   - isIdle: Whether nothing else is to be done: otherwise it looks now and then only.
  ///   - log: Where all that the session is given is kept, if it is wanted again.
  mutating func read(into session: inout Session, isIdle: Bool, log: SessionLog? = nil) {
    let now = monotonicTime
    guard isIdle || now >= nextReading else { return }
    nextReading = now + Self.pause
    var keys: [SessionKey] = []
    lines.take(at: Int64(clamping: now)) { line in
      count += 1
      guard line.contains(where: { $0 != 0x20 }) else { return }
      let file =
        Array(#"{"format":"hark-keys","version":1,"sessionKeys":["#.utf8) + line + Array("]}".utf8)
      do throws(KeyFileError) {
        keys += try KeyFile(file, name: name).sessionKeys
      } catch {
        // Names of members alone are told, as of any key file.
        Console.complain("\(name): line \(count): \(error.problems.first?.reason ?? "is no key")")
      }
    }
    guard !keys.isEmpty else { return }
    session.take(.keys(keys))
    log?.update(.keys(keys))
  }
}
