import HarkFindings

extension Sample {
  /// The rules that find something in each sample: they were made to show certain mistakes, and no others. See
  /// captures/README.md.
  package static let expectedFindings: [String: [String]] = [
    "pebble-session": [],
    // With the session keys that are among its key files no one knows of generations.
    "pebble-rekey": [],
    "pebble-wrong-derivation": ["keys.wrong-derivation"],
    "pebble-bytes-trap": ["keys.wrong-derivation"],
    "pebble-reboot": [
      "keys.cannot-decrypt", "keys.data-before-exchange", "link.supervision-timeout",
    ],
    "pebble-faults": ["keys.cannot-decrypt", "keys.nonce-reuse", "keys.repeated-message"],
    "notifbridge-v1": ["keys.private-key-exposed"],
    // The first version of NotifBridge has no way back, and the accessory offers one.
    "notifbridge-v0": ["keys.private-key-exposed", "link.not-subscribed"],
    "notifbridge-lost-chunk": [
      "keys.private-key-exposed", "link.not-subscribed", "transport.lost-part",
      "transport.unreadable",
    ],
    "lens-session": [],
    // The alert that is not sent is seen with the app's journal alone.
    "lens-activities": [],
    // One session over Bluetooth and the local network.
    "lens-network": ["transport.switched"],
    "ancs-session": [
      "ancs.request-refused", "ancs.service-changed-unwanted", "transport.lost-part",
    ],
    "ams-session": ["ancs.request-refused"],
    "a2dp-session": ["audio.media-gap", "audio.signal-rejected"],
    "leaudio-session": ["audio.endpoint-refused", "link.supervision-timeout"],
    "broadcast-session": [],
    "earbuds-session": ["audio.isochronous-gap"],
    "periodic-session": ["link.periodic-sync-lost"],
    "hands-free": ["audio.call-inaudible", "audio.control-refused"],
    "iap2-session": [],
    "iap2-rejected": ["ea.identification-rejected"],
    "iap2-no-data": ["ea.no-data"],
    "iap2-retransmissions": ["ea.retransmissions"],
    "aap-session": ["audio.disagreement", "audio.source-not-cleared"],
    "aap-middle": ["ea.accessory-protocol-unanswered"],
    "coc-session": ["link.frames-lost"],
    "eatt-session": [],
    "ertm-session": [],
    "aria-session": [],
    "aria-faults": [
      "audio.address-reversed", "audio.not-declared", "audio.placement-never-updated",
      "audio.secondary-without-primary", "audio.source-not-cleared",
      "audio.update-before-register", "link.supervision-timeout", "transport.unreadable",
    ],
    "helmet-session": [],
    "tutorial": ["keys.not-described"],
  ]
}

extension Findings {
  /// The rules that found something.
  package var ids: [String] { Set(all.map(\.rule.id)).sorted() }

  /// Everything that is found, and what could not be judged, to compare.
  package var outcomes: [String] {
    all.map { "\($0.rule.id) \($0.place.frames.map(\.number)) \($0.occurrences): \($0.observed)" }
      + undecided.map {
        "\($0.rule.id) \($0.place.frames.map(\.number)) \($0.occurrences): \($0.reason)"
      }
  }
}
