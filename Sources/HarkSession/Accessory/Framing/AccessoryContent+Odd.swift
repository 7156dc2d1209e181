extension AccessoryContent {
  var isConfiguration: Bool { if case .configuration = self { true } else { false } }

  /// Whether a person should look at it: a refusal, an error, a configuration with a remark.
  var isOdd: Bool {
    switch self {
    case .refused, .failure: true
    case .configuration(let report):
      if case .failed = report.event { true } else { !report.remarks.isEmpty }
    case .externalAccessory(_, .status(isAccepted: false)): true
    case .transport(let event, _):
      switch event {
      case .decision(.reject), .completed(.failure), .cancel(error: _?), .sessionInvalidated: true
      default: false
      }
    case .security(let event, _):
      switch event {
      case .decision(.reject), .completed(.failure), .cancel(error: _?), .sessionInvalidated: true
      default: false
      }
    case .networkSharing(.failed): true
    default: false
    }
  }
}
