import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto

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

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(_ name: String) throws {
    self.name = name
    GivenKeys.holdKeys()
    do throws(AppLogError) {
      lines = try GrowingLines(name)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// The keys that came since.
  /// - Parameter isIdle: Whether nothing else is to be done: otherwise it looks now and then only.
  mutating func take(isIdle: Bool) -> [StoredKey] {
    let now = monotonicTime
    guard isIdle || now >= nextReading else { return [] }
    nextReading = now + Self.pause
    var keys: [StoredKey] = []
    lines.take(at: Int64(clamping: now)) { line in
      count += 1
      guard line.contains(where: { $0 != 0x20 }) else { return }
      let file =
        Array(#"{"format":"hark-keys","version":1,"sessionKeys":["#.utf8) + line + Array("]}".utf8)
      do throws(KeyFileError) {
        keys += try KeyFile(file, name: name).keys
      } catch {
        // Names of members alone are reported, as of any key file.
        Console.complain("\(name): line \(count): \(error.problems.first?.reason ?? "is no key")")
      }
    }
    return keys
  }
}
