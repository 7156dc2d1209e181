import HarkCore
import HarkDissection

/// Which nodes of a tree are looked at: by the number of their field, the checks of their values.
struct FilterScan: Sendable {
  /// By the field's number, where its checks begin in `checks`, and one after the last.
  var starts: [UInt32] = [0]
  /// Numbers of checks.
  var checks: [Int] = []
  /// By the field's number: the number of the path of the layer it stands for, or `.max`.
  var layers: [UInt16] = []
  /// The layers that declare a field, where several paths share it.
  var declaring: [UInt16: Set<UInt16>] = [:]
  /// The checks of the PSM: the packets of a dynamic channel have that of their channel.
  var psm: [Int] = []

  /// Whether a field counts for the path it is asked by only in that path's layer.
  var dependsOnLayer: Bool { !declaring.isEmpty }

  var isEmpty: Bool { checks.isEmpty }
}
