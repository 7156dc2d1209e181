extension sigaction {
  /// - Parameter handler: May call only what signal-safety(7) lists.
  public init(handler: @escaping @convention(c) (Int32) -> Void) {
    self.init()
    #if canImport(Darwin)
      unsafe __sigaction_u.__sa_handler = handler
    #else
      unsafe __sigaction_handler.sa_handler = handler
    #endif
  }

  /// Whether the process ignores the signal, as one started by nohup does.
  public var isIgnored: Bool {
    #if canImport(Darwin)
      let handler = unsafe __sigaction_u.__sa_handler
    #else
      let handler = unsafe __sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the address 1.
    return handler.map { unsafe unsafeBitCast($0, to: Int.self) == 1 } ?? false
  }
}
