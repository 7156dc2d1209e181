/// Events of audio over BR/EDR: its streams (AVDTP 1.3, A2DP 1.4), and the remote control (AVRCP 1.6).
public indirect enum AudioEvent: Sendable {
  // Streams
  case endpoints(Endpoints)
  case configured(Configured)
  case reconfigured(Reconfigured)
  case opened(Opened)
  case started(Started)
  case suspended(Suspended)
  case closed(Closed)
  case aborted(Aborted)
  case ended(Ended)
  case delay(Delay)
  case recognized(Recognized)
  case signalsRecognized(SignalsRecognized)
  case gap(Gap)
  case signalRejected(SignalRejected)
  case signalUnanswered(SignalUnanswered)
  case idleMedia(IdleMedia)

  // Remote control
  case controlRecognized(ControlRecognized)
  case notifications(Notifications)
  case track(Track)
  case playStatus(PlayStatus)
  case position(Position)
  case volume(Volume)
  case operation(Operation)
  case operationRefused(OperationRefused)
  case changed(Changed)
  case battery(Battery)
  case system(System)
  case settings(Settings)
  case addressedPlayer(AddressedPlayer)
  case items(Items)
  case remoteRejected(RemoteRejected)
  case profileUnknown(ProfileUnknown)

  var described: any Described {
    switch self {
    case .endpoints(let event): event
    case .configured(let event): event
    case .reconfigured(let event): event
    case .opened(let event): event
    case .started(let event): event
    case .suspended(let event): event
    case .closed(let event): event
    case .aborted(let event): event
    case .ended(let event): event
    case .delay(let event): event
    case .recognized(let event): event
    case .signalsRecognized(let event): event
    case .gap(let event): event
    case .signalRejected(let event): event
    case .signalUnanswered(let event): event
    case .idleMedia(let event): event
    case .controlRecognized(let event): event
    case .notifications(let event): event
    case .track(let event): event
    case .playStatus(let event): event
    case .position(let event): event
    case .volume(let event): event
    case .operation(let event): event
    case .operationRefused(let event): event
    case .changed(let event): event
    case .battery(let event): event
    case .system(let event): event
    case .settings(let event): event
    case .addressedPlayer(let event): event
    case .items(let event): event
    case .remoteRejected(let event): event
    case .profileUnknown(let event): event
    }
  }

  static func kind(_ name: StaticString, isStep: Bool = true) -> EventKind {
    EventKind(name, .audio, .media, isStep: isStep)
  }
}
