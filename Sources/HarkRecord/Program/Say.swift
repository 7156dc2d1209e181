import HarkCore
import HarkPlatform

/// One line for the user on standard error. Names of files may hold anything: it is escaped.
func say(_ message: String) {
  var line = TextBuffer()
  line.text("hark-record: ")
  line.printable(message)
  line.byte(0x0A)
  var rest = line.bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}
