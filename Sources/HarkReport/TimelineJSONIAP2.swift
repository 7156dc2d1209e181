import HarkCore
import HarkDissection
import HarkSession

// The values of events of iAP2.
extension TimelineJSON {
  static func iap2(_ event: IAP2Event, to json: inout JSONText) -> StaticString {
    switch event {
    case .detection(let isAnswer):
      json.flag("answer", isAnswer)
      return "iap2-detection"
    case .iap1(let lingo, let command):
      json.number("lingo", lingo)
      json.number("command", command)
      return "iap1"
    case .synchronization(let parameters, let isAnswer):
      json.flag("answer", isAnswer)
      synchronization(parameters, to: &json)
      return "iap2-link"
    case .reset: return "iap2-reset"
    case .sleep: return "iap2-sleep"
    case .message(let identifier, let size, let values):
      json.code("message", identifier, "message_name", "iap2.csm.message")
      json.number("size", size)
      if !values.isEmpty {
        json.objects("values", values) { value, json in
          json.string("name", EventText.name(of: value, in: identifier, isShort: false))
          json.string("value", value.text)
        }
      }
      return "iap2-message"
    case .identification(let identification, let isUpdate):
      json.flag("update", isUpdate)
      self.identification(identification, to: &json)
      return "iap2-identification"
    case .identificationAccepted: return "iap2-identification-accepted"
    case .identificationRejected(let parameters):
      json.array("parameters") { json in
        for parameter in parameters {
          json.element(
            Catalog.parameterName(iAP2: 0x1D03, parameter.path)
              ?? parameter.path.map { "\($0)" }.joined(separator: "."))
        }
      }
      return "iap2-identification-rejected"
    case .authentication(let step): return authentication(step, to: &json)
    case .externalAccessory(let event): return externalAccessory(event, to: &json)
    case .fileTransfer(let identifier, let step):
      json.number("transfer", identifier)
      return fileTransfer(step, to: &json)
    case .unanswered(let question):
      json.string("question", question.rawValue)
      return "iap2-unanswered"
    default: return trouble(event, to: &json)
    }
  }

  private static func synchronization(
    _ parameters: IAP2LinkParameters, to json: inout JSONText
  ) {
    json.number("max_outstanding", parameters.maxOutstanding)
    json.number("max_length", parameters.maxLength)
    json.seconds("retransmission_timeout", Int64(parameters.retransmissionTimeout) * 1_000_000)
    json.seconds(
      "acknowledgement_timeout", Int64(parameters.acknowledgementTimeout) * 1_000_000)
    json.number("max_retransmissions", parameters.maxRetransmissions)
    json.number("max_acknowledgements", parameters.maxAcknowledgements)
    json.objects("sessions", parameters.sessions) { session, json in
      json.number("identifier", session.identifier)
      json.code("type", session.type, "type_name", "iap2.sessionType")
      json.number("version", session.version)
    }
  }

  private static func trouble(_ event: IAP2Event, to json: inout JSONText) -> StaticString {
    switch event {
    case .retransmitted(let sequence):
      json.number("sequence", sequence)
      return "iap2-retransmitted"
    case .missing(let first, let count):
      json.number("sequence", first)
      json.number("count", count)
      return "iap2-missing"
    case .wanted(let numbers):
      json.array("sequences") { json in
        for number in numbers { json.element(UInt32(number)) }
      }
      return "iap2-wanted"
    case .windowExceeded(let outstanding, let allowed):
      json.number("outstanding", outstanding)
      json.number("allowed", allowed)
      return "iap2-window-exceeded"
    case .windowStalled(let allowed, let nanoseconds):
      json.number("allowed", allowed)
      json.seconds("waited", nanoseconds)
      return "iap2-window-stalled"
    case .unacknowledged(let count):
      json.number("count", count)
      return "iap2-unacknowledged"
    case .garbage(let count):
      json.number("count", count)
      return "iap2-garbage"
    case .cut(let sequence, let count):
      json.number("sequence", sequence)
      json.number("count", count)
      return "iap2-cut"
    case .wrongChecksum(let sequence):
      json.number("sequence", sequence)
      return "iap2-wrong-checksum"
    case .undeclaredSession(let identifier):
      json.number("session_identifier", identifier)
      return "iap2-undeclared-session"
    case .incompleteMessage(let identifier, let have):
      json.number("message", identifier)
      json.number("present", have)
      return "iap2-message-incomplete"
    default: return "unknown"
    }
  }

  // MARK: The control session

  private static func identification(
    _ identification: IAP2Identification, to json: inout JSONText
  ) {
    json.string("name", identification.name)
    json.string("model_identifier", identification.modelIdentifier)
    json.string("manufacturer", identification.manufacturer)
    json.string("serial_number", identification.serialNumber)
    json.string("firmware_version", identification.firmwareVersion)
    json.string("hardware_version", identification.hardwareVersion)
    json.objects("protocols", identification.protocols) { it, json in
      json.number("identifier", it.identifier)
      json.string("name", it.name)
      json.number("match_action", it.matchAction)
    }
  }

  private static func authentication(
    _ step: IAP2Event.Authentication, to json: inout JSONText
  ) -> StaticString {
    switch step {
    case .certificateRequested: return "iap2-certificate-requested"
    case .certificate(let size, let fingerprint):
      json.number("size", size)
      json.described("fingerprint", fingerprint)
      return "iap2-certificate"
    case .challenge(let size, let fingerprint):
      json.number("size", size)
      json.described("fingerprint", fingerprint)
      return "iap2-challenge"
    case .response(let size, let fingerprint):
      json.number("size", size)
      json.described("fingerprint", fingerprint)
      return "iap2-response"
    case .serialNumber: return "iap2-authentication-serial-number"
    case .failed: return "iap2-authentication-failed"
    case .succeeded: return "iap2-authentication-succeeded"
    }
  }

  private static func fileTransfer(
    _ step: IAP2Event.FileTransfer, to json: inout JSONText
  ) -> StaticString {
    switch step {
    case .setup(let size):
      json.number("size", size)
      return "iap2-file-setup"
    case .succeeded(let bytes):
      json.number("bytes", bytes)
      return "iap2-file-succeeded"
    case .failed(let bytes):
      json.number("bytes", bytes)
      return "iap2-file-failed"
    case .cancelled(let bytes):
      json.number("bytes", bytes)
      return "iap2-file-cancelled"
    }
  }

  // MARK: External Accessory

  private static func externalAccessory(
    _ event: EASession.Event, to json: inout JSONText
  ) -> StaticString {
    switch event {
    case .open(let session, let isDeclared):
      self.session(session, to: &json)
      json.flag("declared", isDeclared)
      return "ea-session-opened"
    case .status(let session, let isAccepted):
      self.session(session, to: &json)
      json.flag("accepted", isAccepted)
      return "ea-session-status"
    case .data(let session, let traffic, let isEarly):
      self.session(session, to: &json)
      self.traffic(traffic, to: &json)
      json.flag("early", isEarly)
      return "ea-session-data"
    case .close(let session, let traffic, let end, let isTaken):
      self.session(session, to: &json)
      self.traffic(traffic, to: &json)
      json.string("end", end.rawValue)
      json.flag("taken", isTaken)
      return "ea-session-closed"
    }
  }

  private static func session(_ session: EASession, to json: inout JSONText) {
    json.number("session_identifier", session.sessionIdentifier)
    json.number("protocol_identifier", session.protocolIdentifier)
    json.string("protocol", session.protocolString)
  }

  private static func traffic(_ traffic: EASession.Traffic, to json: inout JSONText) {
    json.number("sent", traffic.sent)
    json.number("received", traffic.received)
    if traffic.cut > 0 { json.number("cut", traffic.cut) }
    if let isHostAccessory = traffic.isHostAccessory {
      json.string("host_is", isHostAccessory ? "accessory" : "device")
    }
  }
}
