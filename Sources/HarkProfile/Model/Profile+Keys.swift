import HarkLayout
import HarkSession

// Which messages contain keys, by the marks (`-hark-personal: key`) of the layouts that read them.
extension Profile.Contents {
  /// Whether its layout marks keys.
  var marksKeys: Bool { encoding.marksKeys }

  /// Whether layouts mark keys in what is inside of its messages.
  var marksKeysInside: Bool {
    rules.contains { $0.inner.contains { $0.marksKeys || $0.marksKeysInside } }
  }
}

extension Encoding {
  var marksKeys: Bool {
    if case .layout(let source, let type) = self {
      source.layout.holdsKeys(type: type)
    } else {
      false
    }
  }

  /// Whether packets show the values of a channel by this encoding.
  func isAttached(to channel: VendorChannel) -> Bool {
    guard isAttached, let layout = source?.layout else { return false }
    if case .externalAccessory(let name) = channel {
      return layout.externalAccessories.contains(name)
    }
    return channel.attachmentPoint.map { layout.places.contains($0) } ?? false
  }
}

extension Assembly {
  var marksKeys: Bool {
    switch self {
    case .length(_, let encoding, _): encoding.marksKeys
    case .sequence(let sequence): sequence.encoding.marksKeys
    case .none, .sentinels, .cobs, .slip, .lines, .terminator: false
    }
  }
}

extension Formula {
  /// Whether it looks at one of the members with these names.
  func uses(_ names: Set<String>) -> Bool {
    guard !names.isEmpty else { return false }
    var paths: [[String]] = []
    addMembers(to: &paths, in: [])
    return paths.contains { path in path.contains { names.contains($0) } }
  }
}
