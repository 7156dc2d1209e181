import HarkCore
import HarkCrypto
import HarkSession
import Synchronization

/// A framing that takes all channels no other framing has, and keeps what passes there: give it to a
/// session as the one that listens.
public final class TrafficListener: VendorFraming {
  /// More channels are not looked at.
  private static let mostChannels = 256

  private let heard = Mutex<[Traffic]>([])

  public init() {}

  /// By channel, in the order of their first values.
  public var traffic: [Traffic] { heard.withLock { $0 } }

  public var name: String { "" }
  public var service: BluetoothUUID? { nil }
  public var channels: [VendorChannel] { [] }
  public func carriesKeys(_ channel: VendorChannel) -> Bool { false }
  public func makeAssembler() -> any VendorAssembler { Assembler(listener: self) }

  public func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    DecodedPlaintext()
  }

  private func take(_ value: VendorValue) {
    guard let frame = value.frames.last, !value.bytes.isEmpty else { return }
    let isStep: Bool
    switch value.operation {
    case .subscribe: return
    case .read, .refused: isStep = false
    case .write, .writeCommand, .notification, .indication, .data: isStep = true
    }
    heard.withLock { heard in
      let server = value.channel.isNumbered ? Traffic.Server(value) : nil
      var index = heard.firstIndex { $0.channel == value.channel && $0.server == server }
      if index == nil, heard.count < Self.mostChannels {
        index = heard.count
        heard.append(Traffic(value.channel, of: server))
      }
      guard let index else { return }
      guard value.missingBytes == 0 else {
        heard[index].leftOut += 1
        return
      }
      heard[index].add(
        TrafficValue(
          value.bytes, frame: frame.number, toServer: value.toServer, isStep: isStep,
          operation: value.operation))
    }
  }

  private struct Assembler: VendorAssembler {
    let listener: TrafficListener

    var keepsValues: Bool { true }

    mutating func receive(_ value: VendorValue) -> [Framed] {
      listener.take(value)
      return []
    }

    mutating func reset(_ reason: Interruption) -> [Framed] { [] }
  }
}
