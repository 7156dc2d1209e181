import HarkCore
import HarkDissection

extension Event {
  /// A value that was read, written or notified.
  public struct GATTValue: Sendable {
    public var opcode: UInt8
    public var handle: UInt16
    public var uuid: BluetoothUUID?
    /// Whether the server is on the side the capture was made.
    public var isLocal: Bool
    /// How many bytes the value has.
    public var count: Int
    /// How many of them are missing at its end, as the recorder did not keep them.
    public var cut: Int
    /// Which report it is, of a HID device.
    public internal(set) var report = HIDReportContext()
    /// Tells apart values with the same beginning; of the first where several are counted.
    public let digest: UInt64
    // Its beginning, in place: telling of a value must not allocate.
    private var words: (UInt64, UInt64, UInt64, UInt64)

    /// Whether it is a write that no server can take.
    public var isWriteToDeclaration: Bool {
      ![0x0B, 0x1B, 0x1D].contains(opcode) && uuid?.isDeclaration == true
    }

    /// The longest beginning that is kept.
    public static let keptBytes = 32

    init(
      opcode: UInt8, handle: UInt16, uuid: BluetoothUUID?, isLocal: Bool, _ value: RawSpan,
      cut: Int = 0
    ) {
      self.opcode = opcode
      self.handle = handle
      self.uuid = uuid
      self.isLocal = isLocal
      count = value.byteCount + cut
      self.cut = cut
      digest = Self.digest(value)
      words = Self.words(value)
    }

    /// Takes a later value of the same attribute.
    mutating func replace(_ value: RawSpan, cut: Int) {
      count = value.byteCount + cut
      self.cut = cut
      words = Self.words(value)
    }

    private static func words(_ value: RawSpan) -> (UInt64, UInt64, UInt64, UInt64) {
      (
        value.unsigned(at: 0, 8), value.unsigned(at: 8, 8), value.unsigned(at: 16, 8),
        value.unsigned(at: 24, 8)
      )
    }

    /// The first bytes of the value.
    public var bytes: [UInt8] {
      let words = [words.0, words.1, words.2, words.3]
      return (0..<min(count - cut, Self.keptBytes)).map {
        UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64($0 % 8 * 8))
      }
    }

    /// FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv
    private static func digest(_ value: RawSpan) -> UInt64 {
      var digest: UInt64 = 0xCBF2_9CE4_8422_2325
      for index in 0..<value.byteCount {
        digest = (digest ^ UInt64(value.byte(at: index))) &* 0x0100_0000_01B3
      }
      return digest
    }
  }
}
