import HarkCore

extension Session {
  /// Whether a framing that is none of Apple's own carries messages over a characteristic.
  public borrowing func isOfVendor(_ characteristic: BluetoothUUID) -> Bool {
    let apple = Set(VendorFramings.builtIn.all.map(\.name))
    return tables.framings.all.contains {
      $0.channels.contains(.characteristic(characteristic)) && !apple.contains($0.name)
    }
  }
}
