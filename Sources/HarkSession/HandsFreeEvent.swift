import HarkCore

/// What the Hands-Free and Headset Profiles tell.
public enum HandsFreeEvent: Sendable {
  /// The service level connection stands; features as AT+BRSF and +BRSF say, codecs as AT+BAC.
  case connected(handsFree: UInt32?, gateway: UInt32?, codecs: [UInt8])
  case call(Call)
  /// An indicator of the Audio Gateway; its name is nil where the capture does not show the list.
  case indicator(name: String?, index: UInt32, value: UInt32)
  case ringing
  case caller(String)
  case command(Command)
  case codecProposed(UInt8)
  case codecConfirmed(UInt8)
  case voiceRecognition(isOn: Bool, byHandsFree: Bool)
  case gain(isSpeaker: Bool, UInt32)
  /// A command that was not carried out; `error` is that of +CME ERROR.
  case refused(command: String?, error: UInt32?)
  /// AT+XAPL: who the accessory is and what it can.
  case appleAccessory(identifier: String, features: UInt32)
  /// AT+IPHONEACCEV: the battery level from 0 to 9, and whether it is docked.
  case appleState(battery: UInt32?, isDocked: Bool?)
  /// AT+BIEV: an indicator of the Hands-Free unit.
  case handsFreeIndicator(id: UInt32, value: UInt32)
  /// A synchronous link carries the sound of the connection, or does no longer.
  case audio(Audio)

  public enum Call: String, Sendable {
    case incoming, outgoing, alerting, active, ended, abandoned, held, unheld
  }

  /// What the Hands-Free unit asks for.
  public enum Command: Sendable {
    case answer, hangUp, redial, audio, button
    case dial(String)
    case hold(UInt32)
  }

  public struct Audio: Sendable {
    public let isOn: Bool
    public let codec: UInt8
    /// Of the synchronous link, and whether it can carry what the codec makes.
    public let airMode: UInt8?
    public let fits: Bool
    /// How many packets of it the capture has.
    public let packets: Int
  }
}
