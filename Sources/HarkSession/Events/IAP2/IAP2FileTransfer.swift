extension IAP2Event {
  /// A step of a file transfer.
  public struct FileTransfer: Described {
    public let identifier: UInt8
    public let step: Step

    public enum Step: Sendable {
      case setup(size: UInt64)
      /// With the bytes received so far, like the next ones.
      case succeeded(bytes: UInt64)
      case failed(bytes: UInt64)
      case cancelled(bytes: UInt64)
    }

    public var kind: EventKind {
      switch step {
      case .setup: IAP2Event.kind("iap2-file-setup")
      case .succeeded: IAP2Event.kind("iap2-file-succeeded")
      case .failed: IAP2Event.kind("iap2-file-failed")
      case .cancelled: IAP2Event.kind("iap2-file-cancelled")
      }
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("transfer", identifier)
      switch step {
      case .setup(let size): sink.number("size", size, .incidental)
      case .succeeded(let bytes), .failed(let bytes), .cancelled(let bytes):
        sink.number("bytes", bytes, .incidental)
      }
      sink.sentence("file transfer \(identifier) \(words)")
    }

    private var words: String {
      switch step {
      case .setup(let size): "set up: \(Self.words(size))"
      case .succeeded(let bytes): "succeeded after \(Self.words(bytes))"
      case .failed(let bytes): "failed after \(Self.words(bytes))"
      case .cancelled(let bytes): "cancelled after \(Self.words(bytes))"
      }
    }

    private static func words(_ bytes: UInt64) -> String {
      Names.count(Int(clamping: bytes), "byte")
    }
  }
}
