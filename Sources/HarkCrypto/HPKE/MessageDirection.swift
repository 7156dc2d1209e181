/// Which way a message of an accessory's transport goes; raw values as the derivation strings spell
/// them.
public enum MessageDirection: String, Sendable, CaseIterable {
  case hostToAccessory = "HostToAccessory"
  case accessoryToHost = "AccessoryToHost"

  public var opposite: MessageDirection {
    self == .hostToAccessory ? .accessoryToHost : .hostToAccessory
  }

  /// Whose code chose the derivation of a message's key.
  var sender: String { self == .hostToAccessory ? "the phone" : "the firmware" }
}
