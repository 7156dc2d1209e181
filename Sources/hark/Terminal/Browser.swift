import HarkPlatform

/// The user's browser, showing a page.
final class Browser {
  /// Leads to the page.
  private let file: [CChar]

  /// Opens a page whose address is a secret: the list of processes would show it to everybody, so
  /// what is opened is a file that only its owner can read and that leads there. It is there as long
  /// as this is.
  init?(_ address: String) {
    let folder = Console.environment("XDG_RUNTIME_DIR") ?? Console.environment("TMPDIR") ?? "/tmp"
    var path = Array("\(folder)/hark-XXXXXX.html".utf8CString)
    let descriptor = unsafe mkstemps(&path, 5)
    file = path
    guard descriptor >= 0 else {
      Console.complain("cannot open the browser: cannot create a file in \(folder)")
      return nil
    }
    let text = "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=\(address)\">\n"
    _ = Console.write(Array(text.utf8), to: descriptor)
    close(descriptor)
    let opener = Platform.opener
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard Platform.start(opener, [opener, name]).code == 0 else {
      Console.complain("cannot open the browser: \(opener) is not installed")
      return nil
    }
  }

  deinit { unsafe unlink(file) }
}
