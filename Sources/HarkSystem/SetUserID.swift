import HarkPlatform

/// Programs that run as another user than who started them.
public enum SetUserID {
  /// Whether this is one: its user or group came with its file.
  public static var isInForce: Bool { Platform.isSetUserID }

  public static let problem = "this program does not run set-user-ID or set-group-ID"
}
