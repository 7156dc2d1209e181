import HarkPlatform

/// A stream socket of this machine, by its path.
struct UnixSocket {
  private let path: String
  /// What it is called in messages.
  private let name: String
  private let address: sockaddr_un

  init(_ path: String, _ name: String) throws(CaptureError) {
    (self.path, self.name) = (path, name)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw CaptureError(name, errno: ENAMETOOLONG, "cannot connect")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    self.address = address
  }

  /// Connects to who listens there.
  func connect() throws(CaptureError) -> Int32 {
    let socket = try make("cannot connect")
    let code = call(.connect, socket)
    guard code == 0 else {
      close(socket)
      guard code == ECONNREFUSED else {
        throw CaptureError(name, errno: code, "cannot connect")
      }
      // That is said about what is no socket as well.
      throw CaptureError(
        name, "cannot connect: " + (isSocket ? "no program listens there" : "it is not a socket"))
    }
    return socket
  }

  /// Makes the socket, which no other user may use, and waits until a program connects to it. Then the
  /// path is free again: a stream has one sender.
  /// - Parameter waitPolicy: What ends the wait; nil if a signal ends the program.
  func accept(_ waitPolicy: ReadWaitPolicy?) throws(CaptureError) -> Int32 {
    let listener = try make("cannot listen")
    defer { close(listener) }
    var code = bind(listener)
    if code == EADDRINUSE, isStale {
      unsafe unlink(path)
      code = bind(listener)
    }
    guard code == 0 else { throw refusal(code) }
    defer { unsafe unlink(path) }
    guard listen(listener, 1) == 0 else { throw CaptureError(name, errno: errno, "cannot listen") }
    while true {
      if case .stopped = waitPolicy?.wait(for: listener, milliseconds: -1) {
        throw CaptureError(name, "no program has connected")
      }
      let socket = HarkPlatform.accept(listener, nil, nil)
      if socket >= 0 {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return socket
      }
      guard errno == EINTR || errno == ECONNABORTED || errno == EAGAIN else {
        throw CaptureError(name, errno: errno, "cannot accept a connection")
      }
    }
  }

  /// Why the socket cannot be made.
  private func refusal(_ code: Int32) -> CaptureError {
    switch code {
    case EADDRINUSE where isSocket:
      CaptureError(name, "cannot listen: another program listens there; choose another path")
    case EADDRINUSE:
      CaptureError(
        name, "cannot listen: the path exists and is not a socket; choose another path")
    case ENOENT: CaptureError(name, "cannot listen: the folder does not exist")
    default: CaptureError(name, errno: code, "cannot listen")
    }
  }

  private var isSocket: Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Whether a program that has ended left the socket.
  private var isStale: Bool {
    // Of what is no socket, connect(2) says ECONNREFUSED as well.
    guard isSocket, let socket = try? make("") else { return false }
    defer { close(socket) }
    return call(.connect, socket) == ECONNREFUSED
  }

  private func bind(_ socket: Int32) -> Int32 {
    // The rights of a socket are those it is made with.
    let mask = umask(0o077)
    defer { _ = umask(mask) }
    return call(.bind, socket)
  }

  private func make(_ action: String) throws(CaptureError) -> Int32 {
    let socket = Platform.streamSocket(AF_UNIX)
    guard socket >= 0 else { throw CaptureError(name, errno: errno, action) }
    return socket
  }

  private enum Call {
    case connect
    case bind
  }

  /// 0, or the `errno` value.
  private func call(_ function: Call, _ socket: Int32) -> Int32 {
    unsafe withUnsafeBytes(of: address) { bytes in
      guard let start = bytes.baseAddress else { return EINVAL }
      let name = unsafe start.assumingMemoryBound(to: sockaddr.self)
      let count = socklen_t(bytes.count)
      let code =
        switch function {
        case .connect: unsafe HarkPlatform.connect(socket, name, count)
        case .bind: unsafe HarkPlatform.bind(socket, name, count)
        }
      return code == 0 ? 0 : errno
    }
  }
}
