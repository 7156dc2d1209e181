// Copyright 2026 the hark authors. Licensed under the Apache License, Version 2.0.
//
// Add this file to an app or an extension to export its session keys during development, as browsers do with
// SSLKEYLOGFILE. `hark live capture.pklg --key-log FILE` reads the keys as they arrive. docs/key-file.md
// describes the format.
//
//   #if DEBUG
//     HarkKeyLog.shared?.write(direction: "HostToAccessory", session: id, key: key)
//   #endif
//
// Anyone who has the file can read what the accessory receives: release builds do not have this class.
#if DEBUG
  import Foundation

  public final class HarkKeyLog: Sendable {
    /// The file named by the process's variable `HARK_KEY_LOG`; nil without it. Set the variable in Xcode's
    /// scheme, or with `devicectl device process launch --environment-variables`.
    public static let shared = ProcessInfo.processInfo.environment["HARK_KEY_LOG"]
      .flatMap { HarkKeyLog(file: URL(fileURLWithPath: $0)) }

    private let descriptor: Int32

    /// Opens a file that only its owner can read, and appends to it; nil if access is denied.
    public init?(file: URL) {
      descriptor = open(file.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Writes the key of one session and direction, in one piece. Call it as soon as the key is known, before
    /// sending anything that is encrypted with it.
    /// - Parameters:
    ///   - direction: `HostToAccessory` or `AccessoryToHost`.
    ///   - session: The identifier of the session.
    ///   - key: The 32 bytes that HPKE exported.
    public func write(direction: String, session: UUID, key: Data) {
      let text = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let line =
        #"{"direction":"\#(direction)","sessionID":"\#(session.uuidString)","key":"\#(text)"}"#
        + "\n"
      let bytes = Data(line.utf8)
      try? FileHandle(fileDescriptor: descriptor).write(contentsOf: bytes)
    }
  }
#endif
