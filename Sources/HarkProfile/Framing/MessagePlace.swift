import HarkSession

/// Where the parts of one message pass: one direction of one stream, or of a characteristic.
struct MessagePlace: Hashable, Comparable, Sendable {
  /// The most whose parts are kept at once.
  static let most = 256

  /// The index of the profile's channel.
  let channel: Int
  let isToServer: Bool
  let stream: StreamID?

  init(_ channel: Int, _ value: VendorValue) {
    (self.channel, isToServer, stream) = (channel, value.toServer, value.stream)
  }

  static func < (a: MessagePlace, b: MessagePlace) -> Bool { a.order < b.order }

  private var order: (Int, Int, UInt32) {
    (channel, isToServer ? 0 : 1, stream.map { $0.index } ?? 0)
  }
}
