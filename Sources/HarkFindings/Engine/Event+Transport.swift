import HarkCrypto
import HarkSession

// What happens in transport sessions, from either source: the framing that carries it, or the app's side.
extension Event {
  var transportSteps: [(step: AccessoryTransportSession.Event, session: String?)] {
    if let app { return app.transportStep.map { [($0, app[.session] ?? app[.feature])] } ?? [] }
    return accessoryContents.compactMap { content in
      if case .transport(let step, let id) = content { (step, id) } else { nil }
    }
  }

  /// A log may only be taken to say so.
  var confidence: Finding.Confidence { app?.confidence ?? .certain }
}

extension AppEvent {
  fileprivate var transportStep: AccessoryTransportSession.Event? {
    switch kind {
    case .sessionRequested: .sessionRequest
    case .sessionAccepted: .decision(.accept)
    case .sessionRejected: .decision(.reject(error: sessionError))
    case .sessionCancelled: .cancel(error: sessionError)
    case .sessionInvalidated: .sessionInvalidated(error: sessionError)
    case .messageResult:
      if self[.error] == nil, self[.result].map({ $0.lowercased() == "success" }) ?? true {
        .completed(.success)
      } else {
        .completed(
          .failure(
            (self[.error] ?? self[.result]).flatMap(AccessoryMessage.Error.init)
              ?? .transportFailed))
      }
    case .transportMessage:
      self[.direction] == MessageDirection.accessoryToHost.rawValue
        ? .sendMessageToDataProvider(TransportMessage(sessionID: self[.session] ?? "", data: []))
        : .messageReceived(TransportMessage(sessionID: self[.session] ?? "", data: []))
    case .dataEvent:
      .dataEvent(
        self[.dataKind] == "plaintext"
          ? .plaintext(data: [], featureID: self[.feature] ?? "")
          : .ciphertext(data: [], featureID: self[.feature] ?? ""))
    default: nil
    }
  }

  /// Apple's errors by their names; another is not known, and an error all the same.
  private var sessionError: AccessoryTransportSession.Error? {
    self[.error].map { AccessoryTransportSession.Error(rawValue: $0) ?? .unknown }
  }
}
