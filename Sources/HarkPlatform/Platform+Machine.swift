extension Platform {
  /// How many processors run at once; at least 1.
  public static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The program that opens a file with the user's usual program for it.
  public static var opener: String {
    #if canImport(Darwin)
      "open"
    #else
      "xdg-open"
    #endif
  }

  /// Why the system has no Bluetooth sockets: an `errno` value; nil if it has them.
  public static var bluetoothProblem: Int32? {
    #if canImport(Darwin)
      return EAFNOSUPPORT
    #else
      // The protocol of HCI sockets. Kernel, include/net/bluetooth/bluetooth.h.
      let hci: Int32 = 1
      let descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), hci)
      guard descriptor >= 0 else {
        // A process that may not open one gets another error than a system without any.
        return errno == EPERM || errno == EACCES ? nil : errno
      }
      close(descriptor)
      return nil
    #endif
  }
}
