import HarkCore
import HarkCrypto
import HarkDissection

// Broadcasts, volume, media, keys.
extension LEAudioEvent {
  /// Requests of the client to a device that receives broadcasts. BASS 1.0.1, 3.1
  public struct BroadcastOperation: Described {
    public let opcode: UInt8
    public let source: UInt8?
    public let broadcast: UInt32?
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("broadcast-operation") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "bass.opcode", .identity)
      sink.number("source", source)
      sink.number("broadcast", broadcast)
      let parts = [
        source.map { ", source \($0)" }, broadcast.map { ", broadcast \(Names.hex24($0))" },
      ]
      sink.request(
        isLocal, event, session,
        code(opcode, "bass.opcode"), "\(parts.compactMap { $0 }.joined())")
    }
  }

  /// A broadcast that a device receives. BASS 1.0.1, 3.2
  public struct BroadcastSource: Described {
    public let id: UInt8
    public let broadcast: UInt32
    public let synchronization: UInt8
    public let encryption: UInt8
    /// The BIS_Sync_State of each subgroup.
    public let streams: [UInt32]
    public let isLocal: Bool

    /// Whether the device failed to synchronize to the streams of a subgroup: its BIS_Sync_State has all bits set.
    public var hasFailedStreams: Bool { streams.contains(.max) }

    public var kind: EventKind { LEAudioEvent.control("broadcast-source") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("source", id)
      sink.number("broadcast", broadcast)
      sink.code("state", synchronization, "state_name", "bass.state")
      sink.code("encryption", encryption, "encryption_name", "bass.encryption")
      sink.numbers("streams", streams)
      sink.statement(
        isLocal, event, session,
        """
        broadcast source \(id), broadcast \(Names.hex24(broadcast)): \(code(synchronization, "bass.state")), \
        \(code(encryption, "bass.encryption"))\(streams.contains { $0 != 0 } ? ", \(streamWords)" : "")
        """)
    }

    /// `BIS 1, 2`; bit n stands for the BIS_index n + 1.
    private var streamWords: String {
      let bits = streams.reduce(0) { $1 == .max ? $0 : $0 | $1 }
      if bits == 0 { return streams.contains(.max) ? "failed to synchronize to BISes" : "no BIS" }
      return "BIS "
        + (0..<UInt32(32)).filter { bits >> $0 & 1 == 1 }.map { "\($0 + 1)" }
        .joined(separator: ", ")
    }
  }

  /// A Broadcast Receive State without a source. BASS 1.0.1, 3.2
  public struct NoBroadcastSource: Described {
    /// The Source_ID of the source that was there before; nil if there was none, as far as is known.
    public let removed: UInt8?
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("broadcast-source-none") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("removed_source", removed)
      sink.statement(
        isLocal, event, session,
        removed.map { "broadcast source \($0) removed" } ?? "no broadcast source")
    }
  }

  /// VCS 1.0, 3.2
  public struct VolumeOperation: Described {
    public let opcode: UInt8
    public let setting: UInt8?
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("volume-operation") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "volume.opcode", .identity)
      sink.number("setting", setting)
      let field = Catalog.shared.fields(at: "volume.opcode").first
      let name = field?.definition.name(of: UInt64(opcode)) ?? Names.hex(opcode)
      sink.request(
        isLocal, event, session, "\(name)", "\(setting.map { ": \(volume($0))" } ?? "")")
    }
  }

  /// VCS 1.0, 3.1
  public struct Volume: Described {
    public let setting: UInt8
    public let mute: UInt8
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("volume-state") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("setting", setting)
      sink.number("mute", mute)
      sink.word("mute_name", ["Not Muted", "Muted"].dropFirst(Int(mute)).first)
      let muted = mute == 0 ? "" : mute == 1 ? ", Muted" : ", Mute \(mute)"
      sink.statement(isLocal, event, session, "volume \(volume(setting))\(muted)")
    }
  }

  /// MICS 1.0, 3.1
  public struct Microphone: Described {
    public let mute: UInt8
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("microphone") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("mute", mute, "mute_name", "volume.mute")
      sink.statement(isLocal, event, session, "microphone: \(code(mute, "volume.mute"))")
    }
  }

  /// MCS 1.0.1, 3.17
  public struct MediaOperation: Described {
    public let opcode: UInt8
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("media-operation") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "mcs.opcode", .identity)
      sink.request(
        isLocal, event, session, code(opcode, "mcs.opcode"), " from the player")
    }
  }

  public struct MediaResult: Described {
    public let opcode: UInt8
    public let result: UInt8
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("media-result") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "mcs.opcode", .identity)
      sink.code("result", result, "result_name", "mcs.result")
      sink.statement(
        isLocal, event, session,
        """
        \(code(opcode, "mcs.opcode")) \
        \(outcome(result == LEAudioValue.mediaSuccess, code(result, "mcs.result")))
        """)
    }
  }

  public struct MediaState: Described {
    public let state: UInt8
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("media-state") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("state", state, "state_name", "mcs.state")
      sink.statement(isLocal, event, session, "player is \(code(state, "mcs.state"))")
    }
  }

  public struct TrackTitle: Described {
    public let title: String
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("track-title") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.text("title", title, .parameter)
      sink.statement(
        isLocal, event, session, title.isEmpty ? "no track" : "track “\(personal: title)”")
    }
  }

  /// A coordinated set identifies itself by a key. CSIS 1.0.1, 5.1
  public struct SetKey: Described {
    public let key: Fingerprint
    public let isEncrypted: Bool
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("set-identity-resolving-key") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.fingerprint(key)
      sink.flag("encrypted", isEncrypted)
      sink.statement(
        isLocal, event, session,
        "belongs to the coordinated set with the \(isEncrypted ? "encrypted " : "")SIRK \(key.description)"
      )
    }
  }

  /// Another characteristic that is a key. Core Specification, Vol 3, Part C, 12.6
  public struct KeyMaterial: Described {
    public let type: BluetoothUUID
    public let key: Fingerprint
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.control("key-material") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.uuid("uuid", type)
      sink.fingerprint(key)
      sink.statement(isLocal, event, session, "\(Names.attributeType(type)) \(key.description)")
    }
  }

  private static func outcome(_ isSuccess: Bool, _ result: String) -> String {
    isSuccess ? "succeeded" : "failed: \(result)"
  }

  /// Out of 255. VCS 1.0, 2.3.1
  private static func volume(_ setting: UInt8) -> String {
    "\((Int(setting) * 200 + 255) / 510) % (\(setting))"
  }
}

// Calls.
extension LEAudioEvent {
  /// TBS 1.0, 3.13
  public struct CallOperation: Described {
    public let opcode: UInt8
    public let calls: [UInt8]
    public let uri: String?
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.call("call-operation") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "tbs.opcode", .identity)
      sink.numbers("calls", calls)
      sink.text("uri", uri, .parameter)
      let which =
        calls.isEmpty ? "" : ", call \(calls.map { "\($0)" }.joined(separator: ", "))"
      let to: EventSentence = uri.map { " to \(personal: $0)" } ?? ""
      sink.request(isLocal, event, session, code(opcode, "tbs.opcode"), "\(which)\(to)")
    }
  }

  public struct CallResult: Described {
    public let opcode: UInt8
    public let call: UInt8
    public let result: UInt8
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.call("call-result") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", opcode, "operation_name", "tbs.opcode", .identity)
      sink.number("call", call, .identity)
      sink.code("result", result, "result_name", "tbs.result")
      sink.statement(
        isLocal, event, session,
        """
        \(code(opcode, "tbs.opcode")) of call \(call) \
        \(outcome(result == LEAudioValue.callSuccess, code(result, "tbs.result")))
        """)
    }
  }

  /// TBS 1.0, 3.11
  public struct Calls: Described {
    package let all: [LEAudioValue.Call]
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.call("call-states") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.objects("calls", all) { call, sink in
        sink.number("call", call.index)
        sink.code("state", call.state, "state_name", "tbs.state")
        sink.number("flags", call.flags)
      }
      let list = Names.few(all.map { "call \($0.index) \(code($0.state, "tbs.state"))" })
      sink.statement(isLocal, event, session, "\(list.isEmpty ? "no call" : list)")
    }
  }

  /// TBS 1.0, 3.14
  public struct CallEnded: Described {
    public let call: UInt8
    public let reason: UInt8
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.call("call-terminated") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("call", call, .identity)
      sink.code("reason", reason, "reason_name", "tbs.reason", .viewpoint)
      sink.statement(isLocal, event, session, "call \(call) ended: \(code(reason, "tbs.reason"))")
    }
  }

  /// TBS 1.0, 3.15
  public struct IncomingCall: Described {
    public let call: UInt8
    public let uri: String
    public let isLocal: Bool

    public var kind: EventKind { LEAudioEvent.call("call-incoming") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("call", call, .identity)
      sink.text("uri", uri, .parameter)
      sink.statement(isLocal, event, session, "incoming call \(call) from \(personal: uri)")
    }
  }
}
