import HarkCapture
import HarkPlatform

/// The bytes of a log that somebody still writes: a file, a FIFO, standard input or a socket. Reading never
/// waits.
struct GrowingBytes: Sendable {
  private static let chunk = 1 << 16
  /// Bytes of one reading: packets come between.
  private static let most = 1 << 20
  /// Between attempts to connect again, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  /// As the user gave it: a path, `-`, or `unix:PATH`.
  let name: String
  private let connection: Connection?
  /// -1 while nothing is open.
  private var descriptor: Int32
  private var nextAttempt: Int64 = 0
  /// Of a file: how much of it was read.
  private var position: off_t = 0
  /// Whether the writer has closed it.
  private(set) var isAtEnd = false

  /// - Throws: `AppLogError` where it cannot be opened.
  init(_ name: String) throws(AppLogError) {
    self.name = name
    connection = Connection(name)
    switch connection {
    case .unix?:
      descriptor = try Self.connect(connection, name)
    case nil where name == "-": descriptor = 0
    case nil where !Connection.isMeant(name):
      if let archive = AppLog.archive(name) { throw AppLogError("\(name): \(archive)") }
      guard PackedFiles(path: name) == nil else {
        throw AppLogError(
          "\(name): a folder or an archive, which cannot grow; read it with 'hark timeline --app-log'"
        )
      }
      // A FIFO can be opened before anything writes to it.
      descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else {
        throw AppLogError("\(name): cannot open: \(systemMessage(errno))")
      }
    default: throw AppLogError("\(name): name a file, - or unix:PATH for a growing log")
    }
  }

  private static func connect(
    _ connection: Connection?, _ name: String
  ) throws(AppLogError) -> Int32 {
    do {
      return try connection?.open(name: name) ?? -1
    } catch {
      throw AppLogError("\(error)")
    }
  }

  /// What came since; empty if nothing did.
  /// - Parameter now: In nanoseconds of the monotonic clock.
  mutating func read(at now: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < Self.most, !isAtEnd {
      if descriptor < 0, !reconnect(at: now) { break }
      guard let part = readPart() else { break }
      guard !part.isEmpty else {
        end(at: now)
        break
      }
      bytes += part
    }
    return bytes
  }

  /// Nil if there is nothing for now; empty at the end.
  private mutating func readPart() -> [UInt8]? {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, 0) > 0 else { return nil }
    var part = [UInt8](repeating: 0, count: Self.chunk)
    let count = unsafe HarkPlatform.read(descriptor, &part, Self.chunk)
    if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : [] }
    part.removeLast(Self.chunk - count)
    position += off_t(count)
    return part
  }

  /// A socket is connected again, and others continue writing to a FIFO or a file.
  private mutating func end(at now: Int64) {
    if connection != nil {
      close(descriptor)
      (descriptor, nextAttempt) = (-1, now + Self.pause)
    } else if descriptor == 0 {
      isAtEnd = true
    } else {
      // A file that was emptied is read from its start.
      var status = stat()
      if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size < position
      {
        position = 0
        lseek(descriptor, 0, SEEK_SET)
      }
    }
  }

  private mutating func reconnect(at now: Int64) -> Bool {
    guard now >= nextAttempt else { return false }
    nextAttempt = now + Self.pause
    descriptor = (try? Self.connect(connection, name)) ?? -1
    return descriptor >= 0
  }
}
