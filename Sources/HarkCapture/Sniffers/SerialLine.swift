import HarkPlatform

/// A serial line that is read as bytes, and written to.
struct SerialLine {
  let descriptor: Int32

  /// Bits per second, and what the kernel calls them.
  private static let speeds: [(rate: Int, speed: speed_t)] = [
    (115_200, speed_t(B115200)), (230_400, speed_t(B230400)), (460_800, speed_t(B460800)),
    (921_600, speed_t(B921600)), (1_000_000, speed_t(B1000000)), (2_000_000, speed_t(B2000000)),
  ]

  /// The rates that can be set.
  static let rates = speeds.map(\.rate)

  /// How long a device may take for what it is sent, in milliseconds.
  private static let waitLimit: Int32 = 2_000

  /// - Parameters:
  ///   - name: As messages show it.
  init(_ path: String, baud: Int, hasFlowControl: Bool, name: String) throws(CaptureError) {
    // A line that waits for a carrier would block here.
    descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.refusal(path, name, errno) }
    do {
      try configure(baud, hasFlowControl, name)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func refusal(_ path: String, _ name: String, _ code: Int32) -> CaptureError {
    let advice: String? =
      switch code {
      case ENOENT: "'hark live --list' shows the serial devices"
      case EACCES: SerialDevices.permissionAdvice
      default: nil
      }
    return CaptureError(name, errno: code, "cannot open", advice: advice)
  }

  private func configure(
    _ baud: Int, _ hasFlowControl: Bool, _ name: String
  ) throws(CaptureError) {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      throw CaptureError(name, "not a serial line")
    }
    unsafe cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
    let handshake = tcflag_t(CRTSCTS)
    settings.c_cflag = hasFlowControl ? settings.c_cflag | handshake : settings.c_cflag & ~handshake
    let speed = Self.speeds.first { $0.rate == baud }?.speed ?? speed_t(B115200)
    guard unsafe cfsetspeed(&settings, speed) == 0,
      unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0
    else { throw CaptureError(name, errno: errno, "cannot set \(baud) baud") }
    // What was sent before is of another time.
    tcflush(descriptor, TCIFLUSH)
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
  }

  /// Writes all of `bytes`, unless the device takes none for too long.
  func write(_ bytes: [UInt8], name: String) throws(CaptureError) {
    var done = 0
    while done < bytes.count {
      var line = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard unsafe poll(&line, 1, Self.waitLimit) > 0 else {
        throw CaptureError(
          name, "the device does not accept commands",
          advice: "check that the sniffer's firmware is on it, and that 'baud' is right")
      }
      let count = unsafe bytes.withUnsafeBytes {
        unsafe HarkPlatform.write(
          descriptor, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw CaptureError(name, errno: errno, "cannot write") }
      done += count
    }
  }
}
