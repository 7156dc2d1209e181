import ArgumentParser
import HarkPlatform

/// The phone connected to this machine, as a source: other programs read its packets.
enum Phone {
  /// The source's name.
  static let name = "phone"

  enum Reader: Equatable {
    /// A program that writes a capture to its standard output.
    case program(String, [String])
    /// A socket, once adb has forwarded it.
    case socket(String)
  }

  private static let port = 8872

  /// Programs that read an iPhone's packets over USB, and their arguments to write a capture.
  private static let ofIPhones: [(name: String, arguments: [String])] = [
    ("idevicebtlogger", ["-f", "packetlogger", "-"]),
    ("pymobiledevice3", ["btlogger", "live", "-"]),
  ]

  private static let programsForIPhones =
    "for an iPhone, install idevicebtlogger (libimobiledevice) or pymobiledevice3 (pipx install "
    + "pymobiledevice3)"

  /// How to read the phone: if both kinds are possible, adb shows whether an Android phone is connected.
  /// - Throws: `ExitCode.failure`, after reporting what to install or to do.
  static func reader() throws -> Reader {
    let iPhone = ofIPhones.first { ProgramOutput.isThere($0.name) }
    guard ProgramOutput.isThere("adb") else {
      if let iPhone { return .program(iPhone.name, iPhone.arguments) }
      Console.complain("no program that reads a phone's packets is installed")
      Console.complain(
        "\(programsForIPhones); for an Android phone, adb (sudo apt install adb)")
      throw ExitCode.failure
    }
    let state = ProgramOutput("adb", ["get-state"], withErrors: true)
    let answer = state.text.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
    if state.status == 0, answer == "device" {
      let forwarded = ProgramOutput(
        "adb", ["forward", "tcp:\(port)", "tcp:\(port)"], withErrors: true)
      guard forwarded.status == 0 else {
        Console.complain("adb forward failed: \(forwarded.text.split(separator: "\n").last ?? "")")
        throw ExitCode.failure
      }
      return .socket("tcp:localhost:\(port)")
    }
    if let iPhone { return .program(iPhone.name, iPhone.arguments) }
    Console.complain("adb finds no phone: \(answer)")
    Console.complain(
      "connect an Android phone and allow USB debugging; \(programsForIPhones)")
    throw ExitCode.failure
  }
}
