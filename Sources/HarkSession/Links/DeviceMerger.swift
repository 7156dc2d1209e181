import HarkCore

/// Two devices that turned out to be one, for who keeps something by device.
struct DeviceMerger {
  let gone: DeviceID
  let kept: DeviceID
  /// The live links of the one that is gone.
  let links: [LinkID]
}
