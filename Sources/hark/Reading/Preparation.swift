import HarkDissection
import HarkPlatform
import HarkProfile
import HarkSession

/// What a command needs that reads a capture, made on another thread while the arguments are parsed:
/// both take milliseconds, and neither needs the other.
enum Preparation {
  /// Commands that read the packets of a capture. All of them enter the sandbox before.
  private static let commands: Set<String> = [
    "timeline", "findings", "info", "packets", "show", "streams", "gatt", "report", "diff",
  ]

  nonisolated(unsafe) private static var thread: PlatformThread?

  /// Makes the catalog, to which all protocols must have been added, and the known framings. Other callers wait
  /// meanwhile; without a second thread, both are made when somebody asks.
  static func begin(for arguments: [String]) {
    guard let command = arguments.dropFirst().first, commands.contains(command) else { return }
    unsafe thread = PlatformThread { _ = (Catalog.shared, VendorFramings.known) }
  }

  /// Waits for the other thread. A copy of this process has only the thread that made it, and would wait forever for
  /// what another one was making.
  static func finish() {
    unsafe thread?.join()
    unsafe thread = nil
  }
}
