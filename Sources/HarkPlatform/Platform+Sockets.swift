extension Platform {
  /// The type of a stream socket, for `addrinfo`.
  public static var streamType: Int32 {
    #if canImport(Darwin)
      SOCK_STREAM
    #else
      Int32(SOCK_STREAM.rawValue)
    #endif
  }

  /// The flag of send(2) for EPIPE without a signal; 0 if programs ignore SIGPIPE instead.
  public static var sendWithoutSignal: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }

  /// Makes a stream socket that started programs do not inherit.
  /// - Returns: Its descriptor; -1 with `errno` if the system refuses.
  public static func streamSocket(_ family: Int32, protocol number: Int32 = 0) -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(family, SOCK_STREAM, number)
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      return descriptor
    #else
      return socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), number)
    #endif
  }
}
