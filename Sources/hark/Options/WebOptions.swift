import ArgumentParser
import Glibc
import HarkCapture
import HarkCrypto
import HarkWeb

/// Whether the timeline is shown as a page in the browser.
struct WebOptions: ParsableArguments {
  @Flag(help: "Serve the timeline as a page for the browser of this machine, until Ctrl-C.")
  var web = false

  @Option(
    help: ArgumentHelp(
      "Serve the page on this port; without it, on one that is free.", valueName: "port"))
  var port: UInt16 = 0

  @Flag(help: "Open the page in the browser, as xdg-open does.")
  var open = false

  /// Refuses a form that the page does not have.
  func check(_ output: OutputOptions) throws {
    if web, output.format != .text {
      throw ValidationError(
        "--web shows a page: leave out --format \(output.format.rawValue).")
    }
  }

  func validate() throws {
    if !web, port != 0 || open { throw ValidationError("--port and --open belong to --web.") }
  }
}
