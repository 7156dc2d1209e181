import ArgumentParser
import Glibc

/// Hands over to `hark-record`, which lies beside this program: what has privileges decodes nothing.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record Bluetooth traffic of this machine, or of a stream, into files.",
    discussion: """
      Runs hark-record, a small program of its own without any decoder, which gives up its \
      privileges once it has opened its source. 'hark record --help' shows its options.

      Examples:
        sudo hark record -w trace.btsnoop
        sudo hark record -w trace.btsnoop --rotate-size 100M --rotate-count 10
        idevicebtlogger -f packetlogger - | hark record - -w phone.btsnoop
      """)

  static let program = "hark-record"

  @Argument(parsing: .captureForPassthrough, help: "What hark-record takes.")
  var arguments: [String] = []

  func run() throws { try Self.become(arguments) }

  /// Goes on as hark-record.
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  static func become(_ arguments: [String]) throws -> Never {
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) }
    unsafe words.append(nil)
    // Beside this program first, so that both are of one version.
    if let folder { unsafe execv("\(folder)/\(program)", words) }
    unsafe execvp(program, words)
    Console.complain(
      "\(program) cannot be started: \(unsafe String(cString: strerror(errno)))")
    Console.complain("it belongs beside hark; 'make build' builds both")
    throw ExitCode.failure
  }

  /// The folder this program lies in.
  static var folder: String? {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withUnsafeMutableBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe readlink("/proc/self/exe", $0, bytes.count) } ?? -1
    }
    guard count > 0 else { return nil }
    let text = String(decoding: path[..<count], as: UTF8.self)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }
}
