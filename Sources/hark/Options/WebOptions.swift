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
    help: ArgumentHelp(
      "Serve the page on this port. Default: any free port.", valueName: "port"))
  var port: UInt16?

  @Flag(help: "Open the page in the default browser.")
  var open = false

  /// Refuses a format that the page does not support.
  func check(_ output: OutputOptions) throws {
    if web, output.format != .text {
      throw ValidationError(
        "--web serves a page: omit --format \(output.format.rawValue).")
    }
  }

  func validate() throws {
    if !web, port != nil || open { throw ValidationError("--port and --open need --web.") }
  }
}
