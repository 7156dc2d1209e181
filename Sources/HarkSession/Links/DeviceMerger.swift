import HarkCore

/// Two devices that turned out to be one, for code that keeps something per device.
struct DeviceMerger {
  let gone: DeviceID
  let kept: DeviceID
  /// The open links of the device that is removed.
  let links: [LinkID]
}
