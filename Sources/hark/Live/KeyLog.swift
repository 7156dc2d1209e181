import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto

/// The session keys that an app in development writes as it creates them, as browsers do with SSLKEYLOGFILE: one
/// line each, in the form of an entry of a key file's `sessionKeys`.
struct KeyLog {
  private let name: String
  private var lines: GrowingLines
  private var count = 0
  private var nextReading: UInt64 = 0

  /// The time between two checks while packets arrive without a pause, in nanoseconds.
  private static let pause: UInt64 = 20_000_000

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
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

  /// The new keys.
  /// - Parameter isIdle: Whether there is nothing else to do: otherwise it checks only now and then.
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
        // Errors contain only names of members, as for any key file.
        Console.complain("\(name): line \(count): \(error.problems.first?.reason ?? "not a key")")
      }
    }
    return keys
  }
}
