import ArgumentParser
import HarkCapture
import HarkCrypto
import HarkPlatform
import HarkWeb

/// Whether to show the timeline as a page in the browser.
struct WebOptions: ParsableArguments {
  @Flag(help: "Serve the timeline as a web page on this machine, until Ctrl-C.")
  var web = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Serve the page on this port. Default: any free port.", valueName: "port"),
    transform: WebOptions.port)
  var port: UInt16?

  @Flag(help: "Open the page in the default browser.")
  var open = false

  /// Refuses a format that the page does not support.
  func check(_ output: OutputOptions) throws {
    if web, output.format != .text {
      throw ValidationError(
        "--web serves a page: omit --format \(output.format.rawValue)")
    }
  }

  private static func port(_ text: String) throws -> UInt16 {
    guard let port = UInt16(text) else {
      throw OptionMistake("--port takes a number from 0 to 65535, not '\(text)'")
    }
    return port
  }

  func validate() throws {
    if !web, port != nil || open { throw ValidationError("--port and --open need --web") }
  }
}
