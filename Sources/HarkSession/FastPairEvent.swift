/// What an accessory tells over Google Fast Pair's message stream.
public enum FastPairEvent: Sendable {
  /// Its Model ID, of 24 bits.
  case model(UInt32)
  /// All its batteries, when one of them changed.
  case battery([Battery])
  /// Which components are to ring, as bits, and for how many seconds where that is said.
  case ring(components: UInt8, timeout: UInt8?)

  public struct Battery: Equatable, Sendable {
    public enum Component: String, Sendable {
      case left, right, whole
      case box = "case"
    }

    public let component: Component
    /// In percent; nil where the accessory does not know it.
    public let level: UInt8?
    public let isCharging: Bool
  }
}

/// What was told of a link last.
struct FastPairState: Sendable {
  var model: UInt32?
  var batteries: [FastPairEvent.Battery] = []
}
