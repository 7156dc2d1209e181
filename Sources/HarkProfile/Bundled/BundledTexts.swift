// Made by Tools/generate-bundled.py from dissectors/. Do not edit.
// swift-format-ignore-file

extension BundledFiles {
  static let texts: [String: String] = [
"aria/aria.ksy": ##"""
meta:
  id: aria
  title: Acme Aria
  license: CC0-1.0
  endian: le
doc: |
  Frames between Aria headphones and their vendor's app, over RFCOMM.
-hark-attach:
  - rfcomm-service: 8E4B7A10-35C2-4D0F-9C61-0B5F2A94D7E3
-hark-stream:
  header: 5
  total: len_body + 7
seq:
  - id: magic
    contents: [0xac]
    -hark-severity: error
  - id: kind
    type: u1
    enum: kind
  - id: sequence
    type: u1
    doc: Counts the sender's frames.
  - id: len_body
    type: u2
  - id: body
    size: len_body
    type:
      switch-on: kind
      cases:
        kind::hello: hello
        kind::watch: watch
        kind::set: change
        kind::ack: ack
        kind::identity: identity
        kind::capabilities: capabilities
        kind::placement: placement
        kind::sources: sources
        kind::battery: battery
        kind::changed: change
        kind::acked: ack
  - id: crc
    type: u2
    -hark-format: hex
    -hark-checksum:
      algorithm: crc16-ccitt-false
      over: covered
instances:
  covered:
    pos: 1
    size: len_body + 4
enums:
  kind:
    0x01:
      id: hello
      doc: From the app, once it has opened the channel.
    0x02:
      id: watch
      doc: From the app. The values that it subscribes to.
    0x20: set
    0x7e: ack
    0x81: identity
    0x82:
      id: capabilities
      doc: Sent before any report about them.
    0x84: placement
    0x85: sources
    0x86: battery
    0xa0: changed
    0xfe: acked
  place:
    0: in_case
    1: off_head
    2: in_ear
    3: on_head
    4: over_the_ear
  role:
    1: primary
    2: secondary
  audio:
    0: none
    1: media
    2: call
  setting:
    0x0d: listening_mode
types:
  hello:
    seq:
      - id: version
        type: u1
      - id: name
        type: name
  watch:
    seq:
      - id: mask
        type: u2
        -hark-format: hex
  change:
    seq:
      - id: setting
        type: u1
        enum: setting
      - id: value
        type: u1
  ack:
    seq:
      - id: of_sequence
        type: u1
      - id: status
        type: u1
  identity:
    seq:
      - id: version
        type: u1
      - id: model
        type: model
      - id: firmware
        type: text
      - id: serial
        type: serial
  capabilities:
    seq:
      - id: bits
        type: u2
        -hark-format: hex
        doc: 0x0001 audio switching, 0x0002 placement, 0x0100 battery, 0x0200 listening modes.
  placement:
    seq:
      - id: place
        type: u1
        enum: place
  sources:
    seq:
      - id: num_sources
        type: u1
      - id: sources
        type: source
        repeat: expr
        repeat-expr: num_sources
    instances:
      primary:
        value: sources[0].address
        if: num_sources > 0 and sources[0].role == role::primary
      secondary:
        value: sources[num_sources - 1].address
        if: num_sources > 0 and sources[num_sources - 1].role == role::secondary
  source:
    seq:
      - id: role
        type: u1
        enum: role
      - id: audio
        type: u1
        enum: audio
      - id: address
        size: 6
        -hark-format: address-be
        doc: Most significant octet first.
  battery:
    seq:
      - id: level
        type: u1
        -hark-unit: percent
      - id: is_charging
        type: u1
        -hark-format: flag
  name:
    seq:
      - id: len_text
        type: u1
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
        -hark-personal: name
  model:
    seq:
      - id: len_text
        type: u1
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
        -hark-personal: model
  serial:
    seq:
      - id: len_text
        type: u1
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
        -hark-personal: serial-number
  text:
    seq:
      - id: len_text
        type: u1
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
"""## + "\n",
"aria/profile.yaml": ##"""
profile:
  id: aria
  name: Acme Aria
  doc: |
    Headphones of an invented vendor: the values that its app passes to AudioAccessoryKit.

tables:
  capabilities: {0: audioSwitching, 1: placement}
  placements: {0: offHead, 1: offHead, 2: inEar, 3: onHead, 4: overTheEar}

channels:
  - rfcomm-service: 8E4B7A10-35C2-4D0F-9C61-0B5F2A94D7E3
    assembly:
      length:
        header: 5
        encoding: aria.ksy
        total: len_body + 7
    encoding: aria.ksy
    messages:
      - when: kind == kind::capabilities
        is: configuration.register
        device-capabilities: (body.bits & 3).flags("capabilities")
      - when: kind == kind::placement
        is: configuration.update
        device-placement: body.place.named("placements")
      - when: kind == kind::sources
        is: configuration.update
        address-order: big-endian
        primary-audio-source-device-identifier: body.primary
        secondary-audio-source-device-identifier: body.secondary
        cleared:
          primary-audio-source-device-identifier: not body.primary.exists
          secondary-audio-source-device-identifier: not body.secondary.exists
      - is: nothing
"""## + "\n",
"helmet/helmet.ksy": ##"""
meta:
  id: helmet
  title: Acme Helmet
  license: CC0-1.0
  endian: be
doc: The envelope of a message between the helmet and its app, in the bytes of an External Accessory session.
seq:
  - id: magic
    contents: HL
    -hark-severity: error
  - id: len_body
    type: u2
  - id: body
    size: len_body
    doc: An Envelope of helmet.proto.
"""## + "\n",
"helmet/profile.yaml": ##"""
profile:
  id: helmet
  name: Acme Helmet
  doc: |
    A helmet with a headset, by an invented vendor: protobuf over External Accessory, P-256.
    helmet.desc is helmet.proto as protoc writes it.

tables:
  capabilities: {1: audioSwitching, 2: placement}
  placements: {1: onHead, 2: offHead}

channels:
  - ea-protocol: com.acme.helmet.link
    assembly:
      length:
        header: 4
        encoding: helmet.ksy
        total: len_body + 4
    encoding: helmet.ksy
    messages:
      - is: envelope
        body: body
        encoding: helmet.desc::acme.helmet.Envelope
        messages:
          - when: public_key.exists
            is: security.public-key
            cipher-suite: P256
            exact-size: true
            key: public_key.key
          - when: encapsulated_key.exists
            is: security.encapsulated-key
            cipher-suite: P256
            key: encapsulated_key.key
            identifier: encapsulated_key.identifier
          - when: sealed.exists
            is: transport.message
            session-id: sealed.session
            data: sealed.box
            receipt-id: sequence
          - when: acknowledgement.exists
            is: accepted
            id: acknowledgement.sequence

          # The first state of a session is complete; in later ones, a missing source has ended.
          - when: audio_state.complete
            is: configuration.register
            device-capabilities: audio_state.capabilities.named("capabilities")
            device-placement: audio_state.placement.named("placements")
            address-order: big-endian
            primary-audio-source-device-identifier: audio_state.primary_source
            secondary-audio-source-device-identifier: audio_state.secondary_source
          - when: audio_state.exists
            is: configuration.update
            device-placement: audio_state.placement.named("placements")
            address-order: big-endian
            primary-audio-source-device-identifier: audio_state.primary_source
            secondary-audio-source-device-identifier: audio_state.secondary_source
            cleared:
              primary-audio-source-device-identifier: not audio_state.primary_source.exists
              secondary-audio-source-device-identifier: not audio_state.secondary_source.exists

          - when: command_result.exists
            is: command-result
            command-id: command_result.id
            success: command_result.success
            message: command_result.message
          - when: hello.exists or command.exists or telemetry.exists
            is: nothing

plaintext:
  - from: phone
    encoding: helmet.desc::acme.helmet.Event
    messages:
      - when: posted.exists
        is: notification.add
        notification-identifier: posted.reference.identifier
        source-identifier: posted.reference.source
        source-name: posted.source_name
        title: posted.title
        subtitle: posted.subtitle.non_empty
        body: posted.body
        should-alert: not posted.silent
        actions:
          each: posted.actions
          identifier: identifier
          title: title
          text-input: takes_text
      - when: changed.exists
        is: notification.update
        notification-identifier: changed.reference.identifier
        source-identifier: changed.reference.source
        source-name: changed.source_name
        title: changed.title
        subtitle: changed.subtitle.non_empty
        body: changed.body
        should-alert: not changed.silent
        actions:
          each: changed.actions
          identifier: identifier
          title: title
          text-input: takes_text
      - when: removed.exists
        is: notification.remove
        notification-identifier: removed.identifier
        source-identifier: removed.source
      - when: cleared
        is: notification.remove-all

  - from: accessory
    encoding: helmet.desc::acme.helmet.Answer
    messages:
      - when: chosen.exists
        is: notification.response
        notification-identifier: reference.identifier
        source-identifier: reference.source
        action-identifier: chosen.action
        user-text: chosen.text
      - when: announced.exists
        is: notification.displayed
        notification-identifier: reference.identifier
        source-identifier: reference.source
        did-alert: announced
"""## + "\n",
"lens/lens.ksy": ##"""
meta:
  id: lens
  title: Acme Lens link
  license: CC0-1.0
doc: |
  An SDU between Lens glasses and the phone: a part of a message. All parts together are one CBOR item,
  a map whose `op` is its type.
seq:
  - id: message
    type: u1
    doc: Counts the sender's messages.
  - id: part
    type: u1
    doc: Starts at 0.
  - id: num_parts
    type: u1
    valid:
      min: 1
    -hark-severity: error
  - id: bytes
    size-eos: true
"""## + "\n",
"lens/profile.yaml": ##"""
profile:
  id: lens
  name: Acme Lens
  doc: |
    Glasses of an invented vendor: CBOR over an LE credit-based channel, X-Wing, messages in parts.
    The phone reads the SPSM from the second characteristic of the service. On a local network, TCP
    carries the same items, undivided.
  service: 3D9C0001-7A54-4E0B-8E21-6F0A5B4C9D12

forms:
  item:
    encoding: cbor
    messages:
      - when: op == "offer"
        is: security.public-key
        suite: suite
        version: version
        key: key
      - when: op == "agree"
        is: security.encapsulated-key
        suite: suite
        version: version
        key: enc
        identifier: peer
      - when: op == "sealed"
        is: transport.message
        session-id: feature.uuid
        data: box
        receipt-id: id
      - when: op == "taken"
        is: accepted
        id: id
      - when: op == "hello" or op == "status"
        is: nothing

channels:
  - l2cap-psm: 0x00A3
    longest: 1024
    encoding: lens.ksy
    messages:
      - is: fragment
        key: message
        first: part == 0
        more: part + 1 < num_parts
        body: bytes
        form: item
  - service: _acme-lens._tcp
    assembly:
      length:
        header: 4
        total: _[0] * 0x1000000 + _[1] * 0x10000 + _[2] * 0x100 + _[3] + 4
    encoding: raw
    messages:
      - is: envelope
        body: _.slice(4, _.size)
        form: item

plaintext:
  - from: phone
    encoding: cbor
    messages:
      - when: ev == "add"
        is: notification.add
        message-version: v
        notification-identifier: note.id
        source-identifier: note.app
        source-name: note.source
        title: note.title
        subtitle: note.subtitle
        body: note.text
        thread-identifier: note.thread
        should-alert: alert
        source-icon-size: note.icon.size
        actions:
          each: note.actions
          identifier: id
          title: title
          text-input: input
      - when: ev == "update"
        is: notification.update
        message-version: v
        notification-identifier: note.id
        source-identifier: note.app
        source-name: note.source
        title: note.title
        subtitle: note.subtitle
        body: note.text
        thread-identifier: note.thread
        should-alert: alert
        source-icon-size: note.icon.size
        actions:
          each: note.actions
          identifier: id
          title: title
          text-input: input
      - when: ev == "remove"
        is: notification.remove
        message-version: v
        notification-identifier: id
        source-identifier: app
      - when: ev == "clear"
        is: notification.remove-all
        message-version: v

      - when: ev == "activity" and do == "start"
        is: live-activity.start
        message-version: v
        identifier: id
        source-identifier: app
        source-name: name
        state: state
        relevance: score
        title: title
        body: text
      - when: ev == "activity" and do == "update"
        is: live-activity.update
        message-version: v
        identifier: id
        source-identifier: app
        source-name: name
        state: state
        relevance: score
        title: title
        body: text
      - when: ev == "activity" and do == "alert"
        is: live-activity.alert
        message-version: v
        identifier: id
        source-identifier: app
        source-name: name
        state: state
        relevance: score
        title: title
        body: text
      - when: ev == "activity" and do == "end"
        is: live-activity.end
        message-version: v
        identifier: id
        source-identifier: app
        source-name: name
        state: state
        title: title

  - from: accessory
    encoding: cbor
    messages:
      - when: ev == "act"
        is: notification.response
        message-version: v
        notification-identifier: id
        source-identifier: app
        action-identifier: action
        user-text: text
      - when: ev == "shown"
        is: notification.displayed
        message-version: v
        notification-identifier: id
        source-identifier: app
        did-alert: alerted
"""## + "\n",
"notifbridge/notifbridge.ksy": ##"""
meta:
  id: notifbridge
  title: NotifBridge's first plaintext
  license: CC0-1.0
  endian: be
doc: |
  The plaintext of NotifBridge before it used JSON: a notification for the accessory, and the commands
  that it returns. Lengths are in octets.
seq:
  - id: kind
    type: u1
    enum: kind
  - id: body
    type:
      switch-on: kind
      cases:
        kind::notification: notification
        kind::remove: identity
        kind::respond: response
enums:
  kind:
    0x02: notification
    0x10: remove
    0x11: respond
  action_type:
    0: background
    1: text_input
    2: dismiss
types:
  notification:
    seq:
      - id: len_title
        type: u2
        -hark-with-next: true
      - id: title
        type: str
        size: len_title
        encoding: UTF-8
      - id: len_subtitle
        type: u2
        -hark-with-next: true
      - id: subtitle
        type: str
        size: len_subtitle
        encoding: UTF-8
      - id: len_body
        type: u2
        -hark-with-next: true
      - id: body
        type: str
        size: len_body
        encoding: UTF-8
      - id: len_source_name
        type: u1
        -hark-with-next: true
      - id: source_name
        type: str
        size: len_source_name
        encoding: UTF-8
      - id: len_source_identifier
        type: u1
        -hark-with-next: true
      - id: source_identifier
        type: str
        size: len_source_identifier
        encoding: UTF-8
      - id: len_notification_identifier
        type: u1
        -hark-with-next: true
      - id: notification_identifier
        type: str
        size: len_notification_identifier
        encoding: UTF-8
      - id: len_thread_identifier
        type: u1
        -hark-with-next: true
      - id: thread_identifier
        type: str
        size: len_thread_identifier
        encoding: UTF-8
      - id: has_sound
        type: u1
      - id: attributes
        type: u1
        doc: 1 critical, 2 time sensitive, 4 priority.
      - id: action_count
        type: u1
      - id: actions
        type: action
        repeat: expr
        repeat-expr: action_count
      - id: len_source_icon
        type: u4
        -hark-with-next: true
      - id: source_icon
        size: len_source_icon
      - id: len_context_icon
        type: u4
        -hark-with-next: true
      - id: context_icon
        size: len_context_icon
      - id: attachment_count
        type: u1
      - id: attachments
        type: attachment
        repeat: expr
        repeat-expr: attachment_count
  action:
    seq:
      - id: len_action_identifier
        type: u1
        -hark-with-next: true
      - id: action_identifier
        type: str
        size: len_action_identifier
        encoding: UTF-8
      - id: len_action_title
        type: u1
        -hark-with-next: true
      - id: action_title
        type: str
        size: len_action_title
        encoding: UTF-8
      - id: action_type
        type: u1
        enum: action_type
      - id: len_action_placeholder
        type: u1
        if: action_type == action_type::text_input
        -hark-with-next: true
      - id: action_placeholder
        type: str
        size: len_action_placeholder
        encoding: UTF-8
        if: action_type == action_type::text_input
  attachment:
    seq:
      - id: len_attachment_type
        type: u1
        -hark-with-next: true
      - id: attachment_type
        type: str
        size: len_attachment_type
        encoding: UTF-8
      - id: len_attachment
        type: u4
        -hark-with-next: true
      - id: attachment
        size: len_attachment
  identity:
    seq:
      - id: len_source_identifier
        type: u1
        -hark-with-next: true
      - id: source_identifier
        type: str
        size: len_source_identifier
        encoding: UTF-8
      - id: len_notification_identifier
        type: u1
        -hark-with-next: true
      - id: notification_identifier
        type: str
        size: len_notification_identifier
        encoding: UTF-8
  response:
    seq:
      - id: len_source_identifier
        type: u1
        -hark-with-next: true
      - id: source_identifier
        type: str
        size: len_source_identifier
        encoding: UTF-8
      - id: len_notification_identifier
        type: u1
        -hark-with-next: true
      - id: notification_identifier
        type: str
        size: len_notification_identifier
        encoding: UTF-8
      - id: len_action_identifier
        type: u1
        -hark-with-next: true
      - id: action_identifier
        type: str
        size: len_action_identifier
        encoding: UTF-8
      - id: reply
        type: reply
        if: not _io.eof
  reply:
    seq:
      - id: len_user_text
        type: u1
        -hark-with-next: true
      - id: user_text
        type: str
        size: len_user_text
        encoding: UTF-8
"""## + "\n",
"notifbridge/profile.yaml": ##"""
profile:
  id: notifbridge
  name: NotifBridge
  doc: |
    A public demonstration of notification forwarding (github.com/shinvou/NotifBridge): X-Wing, JSON
    between sentinel values, in both versions. The accessory is a relay, so it has two sets of
    characteristics: one for the phone and one for the computer that it serves.
  service: D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C44

forms:
  # The text between the sentinels.
  message:
    encoding: raw
    messages:
      # The relay sends this instead of JSON.
      - when: _ == "NB-RECEIVER-READY-1"
        is: receiver-ready
      - is: envelope
        body: _
        form: object

  # Swift's JSONEncoder writes data in base64.
  object:
    encoding: json
    messages:
      - when: kind == "notifbridge.accepted.v1"
        doc: DeliveryReceipt
        is: accepted
        id: id
      - when: sessionID.exists
        doc: NotificationEnvelope
        is: transport.message
        session-id: sessionID
        data: data.base64
        receipt-id: receiptID
      - when: phase.exists or encapsulatedKey.exists or publicKey.exists
        doc: ShareKeyEvent in version 1, KeyExchangePacket in version 2
        is: several
        needs: publicKey.default(encapsulatedKey).default(privateKeySeed)
        messages:
          # The private key first, then its public key, then the key encapsulated for them.
          - when: privateKeySeed.exists
            is: security.private-key
            cipher-suite: XWing
            key: privateKeySeed.base64
            public-key: publicKey.base64
            identifier: identifier
          - when: publicKey.exists
            is: security.public-key
            cipher-suite: XWing
            key: publicKey.base64
            suite: ciphersuite
            version: version
            phase: phase
            exchange-id: exchangeID
            receipt-id: receiptID
          - when: encapsulatedKey.exists
            is: security.encapsulated-key
            cipher-suite: XWing
            key: encapsulatedKey.base64
            suite: ciphersuite
            version: version
            identifier: identifier
            phase: phase
            exchange-id: exchangeID
            receipt-id: receiptID

  # The notification of an Event.
  notification:
    of: notification
    title: title.non_empty
    subtitle: subtitle.non_empty
    body: body.non_empty
    source-name: sourceName.non_empty
    source-identifier: sourceIdentifier
    notification-identifier: notificationIdentifier
    thread-identifier: threadIdentifier.non_empty
    summary: summary.non_empty
    attributes: attributes
    delivery-date: deliveryDate + 978307200
    display-date: displayDate + 978307200
    display-date-is-all-day: displayDateIsAllDay
    should-alert: shouldAlert
    is-suppressed-by-focus: isSuppressedByFocus
    should-ignore-silent-mode: ignoreSilentMode
    has-sound: hasSound
    alert-kind: alertKind
    # Empty if the notification has no icon.
    source-icon-size: sourceIcon.non_empty.base64_size
    context-icon-size: contextIcon.non_empty.base64_size
    actions:
      each: actions
      identifier: id
      title: title.non_empty
      # Swift's form of an enumeration.
      background: type.background.exists
      text-input: type.textInput.exists
      placeholder: type.textInput.placeholder
      dismiss: type.dismiss.exists
      unknown-type: type.unknown._0.default(255)
    attachments:
      each: attachments
      uti: uti.default("")
      size: data.base64_size
      unavailable-reason: unavailableReason.non_empty

  identity:
    of: identity
    needs: sourceIdentifier
    source-identifier: sourceIdentifier
    notification-identifier: notificationIdentifier

channels:
  # The phone's messages, which the relay repeats to the computer.
  - gatt-characteristic: D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C46
    from: phone
    secret: true
    assembly: {sentinels: {start: --START--, end: --END--}}
    form: message
  - gatt-characteristic: D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C47
    from: phone
    wrapper:
      doc: Version 2. The relay returns the id once it has passed on the value.
      prefix: NBW1
      size: 20
      id: _.slice(4, 20)
    assembly: {sentinels: {start: --START--, end: --END--}}
    form: message
  - gatt-characteristic: D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C48
    from: phone
    secret: true
    assembly: {sentinels: {start: --START--, end: --END--}}
    form: message
  - gatt-characteristic: D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C49
    from: phone
    assembly: {sentinels: {start: --START--, end: --END--}}
    form: message

  # The computer's messages, which the relay repeats to the phone.
  - gatt-characteristic: D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C4A
    from: accessory
    assembly: {sentinels: {start: --START--, end: --END--}}
    form: message
  - gatt-characteristic: D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C4B
    from: accessory
    receipts:
      prefix: NBA1
      size: 20
      id: _.slice(4, 20)
    assembly: {sentinels: {start: --START--, end: --END--}}
    form: message

plaintext:
  # Version 1, recognized by its first byte.
  - when: _[0] != 0x7b
    encoding: notifbridge.ksy
    switch-on: kind
    messages:
      # Fields already read are kept if the rest of a notification cannot be read.
      - case: kind::notification
        is: notification.present
        of: body
        partial: true
        title: title.non_empty
        subtitle: subtitle.non_empty
        body: body.non_empty
        source-name: source_name.non_empty
        source-identifier: source_identifier
        notification-identifier: notification_identifier
        thread-identifier: thread_identifier.non_empty
        has-sound: has_sound
        attributes: attributes
        source-icon-size: source_icon.non_empty.size
        context-icon-size: context_icon.non_empty.size
        actions:
          each: actions
          identifier: action_identifier
          title: action_title.non_empty
          background: action_type == action_type::background
          text-input: action_type == action_type::text_input
          placeholder: action_placeholder.non_empty
          dismiss: action_type == action_type::dismiss
          unknown-type: action_type
        attachments:
          each: attachments
          uti: attachment_type
          size: attachment.size
      - case: kind::remove
        is: notification.clear
        of: body
        source-identifier: source_identifier
        notification-identifier: notification_identifier
      - case: kind::respond
        is: notification.response
        of: body
        source-identifier: source_identifier
        notification-identifier: notification_identifier
        action-identifier: action_identifier
        user-text: reply.user_text

  # Event. Swift's JSONEncoder counts dates from 2001-01-01, in seconds.
  - from: phone
    when: _[0] == 0x7b
    encoding: json
    message-id: id
    message-version: version
    versions: [3]
    sent-at: sentAt + 978307200
    switch-on: kind
    messages:
      - case: '"add"'
        is: notification.add
        form: notification
      - case: '"update"'
        is: notification.update
        form: notification
      - case: '"remove"'
        is: notification.remove
        form: identity
      - case: '"removeAll"'
        is: notification.remove-all
      - case: '"commandResult"'
        is: command-result
        of: result
        command-id: commandID
        success: success
        message: message

  # Command
  - from: accessory
    when: _[0] == 0x7b
    encoding: json
    message-id: id
    message-version: version
    versions: [3]
    switch-on: kind
    messages:
      - case: '"clear"'
        is: notification.clear
        form: identity
      - case: '"displayed"'
        is: notification.displayed
        form: identity
        did-alert: _root.didAlert
      - case: '"respond"'
        is: notification.response
        form: identity
        action-identifier: _root.actionIdentifier
        user-text: _root.userText
"""## + "\n",
"pebble/pebble.ksy": ##"""
meta:
  id: pebble
  title: Pebble Accessory Transport
  license: CC0-1.0
  endian: be
doc: |
  Messages between Pebble watches and their phone app over the two characteristics of the Accessory
  Transport service. A value begins with its kind; flags split encrypted messages into several
  values.
-hark-attach:
  - gatt-characteristic: 50000001-328E-0FBB-C642-1AA6699BDADA
  - gatt-characteristic: 50000002-328E-0FBB-C642-1AA6699BDADA
seq:
  - id: kind
    type: u1
    enum: kind
  - id: body
    type:
      switch-on: kind
      cases:
        kind::public_key: public_key
        kind::session: session
        kind::data: fragment
        kind::response: fragment
enums:
  kind:
    0x01:
      id: public_key
      doc: From the watch, each time the phone subscribes.
    0x02:
      id: session
      doc: From the phone. An encapsulated key, and the phone's identifier for the watch.
    0x03:
      id: data
      doc: From the phone. A part of an encrypted message.
    0x82:
      id: response
      doc: From the watch. A part of an encrypted message.
  message_type:
    1: present
    2: remove
    3: remove_all
  tag:
    1: title
    2: subtitle
    3: body
    4: source
    5: identifier
    6: alert
    7: action
types:
  public_key:
    seq:
      - id: public_key
        size-eos: true
        doc: X and Y of a point on P-256.
  session:
    seq:
      - id: encapsulated_key
        size: 65
      - id: len_identifier
        type: u1
      - id: identifier
        type: str
        size: len_identifier
        encoding: UTF-8
  fragment:
    seq:
      - id: flags
        type: u1
        doc: 0x01 if more fragments follow, 0x02 for the first.
      - id: chunk
        size-eos: true
    instances:
      has_more:
        value: flags & 1 != 0
      is_first:
        value: flags & 2 != 0
  sealed:
    doc: A message reassembled from its fragments.
    seq:
      - id: len_session_id
        type: u1
      - id: session_id
        type: str
        size: len_session_id
        encoding: UTF-8
      - id: data
        size-eos: true
        doc: Nonce (12 bytes), ciphertext and tag (16 bytes).
  message:
    doc: The phone's plaintext.
    seq:
      - id: message_type
        type: u1
        enum: message_type
      - id: body
        type:
          switch-on: message_type
          cases:
            message_type::present: notification
            message_type::remove: removed
  removed:
    seq:
      - id: identifier
        type: str
        size-eos: true
        encoding: UTF-8
  notification:
    seq:
      - id: fields
        type: field
        repeat: eos
  field:
    seq:
      - id: tag
        type: u1
        enum: tag
        -hark-with-next: true
      - id: len_field
        type: u1
        -hark-with-next: true
      - id: field
        size: len_field
        -hark-with-next: true
        type:
          switch-on: tag
          cases:
            tag::title: title
            tag::subtitle: subtitle
            tag::body: body
            tag::source: source
            tag::identifier: removed
            tag::alert: alert
            tag::action: actions
            _: unknown
  title:
    seq:
      - id: title
        type: str
        size-eos: true
        encoding: UTF-8
  subtitle:
    seq:
      - id: subtitle
        type: str
        size-eos: true
        encoding: UTF-8
  body:
    seq:
      - id: body
        type: str
        size-eos: true
        encoding: UTF-8
  source:
    seq:
      - id: source
        type: str
        size-eos: true
        encoding: UTF-8
  alert:
    seq:
      - id: alert
        size-eos: true
        -hark-format: flag
  actions:
    seq:
      - id: action
        type: action
  action:
    seq:
      - id: action_flags
        type: u1
        doc: 0x01 if the user can enter text.
      - id: len_action_identifier
        type: u1
        -hark-with-next: true
      - id: action_identifier
        type: str
        size: len_action_identifier
        encoding: UTF-8
      - id: len_action_title
        type: u1
        -hark-with-next: true
      - id: action_title
        type: str
        size: len_action_title
        encoding: UTF-8
  unknown:
    seq:
      - id: unknown
        size-eos: true
  reply:
    doc: The watch's plaintext.
    seq:
      - id: len_notification_identifier
        type: u1
        -hark-with-next: true
      - id: notification_identifier
        type: str
        size: len_notification_identifier
        encoding: UTF-8
      - id: len_action_identifier
        type: u1
        -hark-with-next: true
      - id: action_identifier
        type: str
        size: len_action_identifier
        encoding: UTF-8
      - id: len_text
        type: u2le
        -hark-with-next: true
      - id: text
        type: str
        size: len_text
        encoding: UTF-8
"""## + "\n",
"pebble/profile.yaml": ##"""
profile:
  id: pebble
  name: Pebble
  doc: |
    The framing of Pebble watches (PebbleOS and its phone app): P-256, typed values, fragments with
    flags.
  service: 50000000-328E-0FBB-C642-1AA6699BDADA

channels:
  # RX: the phone writes it.
  - gatt-characteristic: 50000002-328E-0FBB-C642-1AA6699BDADA
    from: phone
    longest: 512
    encoding: pebble.ksy
    messages:
      - when: kind == kind::session
        is: security.encapsulated-key
        cipher-suite: P256
        key: body.encapsulated_key
        identifier: body.identifier
      - when: kind == kind::data
        is: fragment
        first: body.is_first
        more: body.has_more
        body: body.chunk
        encoding: pebble.ksy::sealed
        messages:
          - is: transport.message
            session-id: session_id
            data: data

  # TX: the watch notifies it.
  - gatt-characteristic: 50000001-328E-0FBB-C642-1AA6699BDADA
    from: accessory
    longest: 512
    encoding: pebble.ksy
    messages:
      - when: kind == kind::public_key
        is: security.public-key
        cipher-suite: P256
        exact-size: true
        key: body.public_key
      - when: kind == kind::response
        is: fragment
        first: body.is_first
        more: body.has_more
        body: body.chunk
        encoding: pebble.ksy::sealed
        messages:
          - is: transport.message
            session-id: session_id
            data: data

plaintext:
  - from: phone
    encoding: pebble.ksy::message
    messages:
      # Fields already read are kept if the rest of a notification cannot be read.
      - when: message_type == message_type::present
        is: notification.present
        partial: true
        title: body.fields.field.title.last
        subtitle: body.fields.field.subtitle.last
        body: body.fields.field.body.last
        source-name: body.fields.field.source.last
        notification-identifier: body.fields.field.identifier.last
        should-alert: body.fields.field.alert.last[0]
        actions:
          each: body.fields.field.action
          identifier: action_identifier
          title: action_title.non_empty
          text-input: action_flags & 1 != 0
      - when: message_type == message_type::remove
        is: notification.remove
        notification-identifier: body.identifier
      - when: message_type == message_type::remove_all
        is: notification.remove-all

  - from: accessory
    encoding: pebble.ksy::reply
    messages:
      - is: notification.response
        notification-identifier: notification_identifier
        action-identifier: action_identifier
        user-text: text
"""## + "\n",
  ]

  /// Files that are no text, as hexadecimal digits.
  static let binaries: [String: String] = [
"helmet/helmet.desc": "0ae1140a0c68656c6d65742e70726f746f120b61636d652e68656c6d657422c2040a08456e76656c6f7065121a0a0873657175656e636518012001280d520873657175656e6365122a0a0568656c6c6f18022001280b32122e61636d652e68656c6d65742e48656c6c6f4800520568656c6c6f12370a0a7075626c69635f6b657918032001280b32162e61636d652e68656c6d65742e5075626c69634b6579480052097075626c69634b657912490a10656e63617073756c617465645f6b657918042001280b321c2e61636d652e68656c6d65742e456e63617073756c617465644b65794800520f656e63617073756c617465644b6579122d0a067365616c656418052001280b32132e61636d652e68656c6d65742e5365616c6564480052067365616c656412480a0f61636b6e6f776c656467656d656e7418062001280b321c2e61636d652e68656c6d65742e41636b6e6f776c656467656d656e744800520f61636b6e6f776c656467656d656e74123a0a0b617564696f5f737461746518072001280b32172e61636d652e68656c6d65742e417564696f53746174654800520a617564696f537461746512300a07636f6d6d616e6418082001280b32142e61636d652e68656c6d65742e436f6d6d616e6448005207636f6d6d616e6412430a0e636f6d6d616e645f726573756c7418092001280b321a2e61636d652e68656c6d65742e436f6d6d616e64526573756c744800520d636f6d6d616e64526573756c7412360a0974656c656d65747279180a2001280b32162e61636d652e68656c6d65742e54656c656d657472794800520974656c656d6574727942060a04626f647922350a0548656c6c6f12120a046e616d6518012001280952046e616d6512180a0776657273696f6e180220012809520776657273696f6e221d0a095075626c69634b657912100a036b657918012001280c52036b657922430a0f456e63617073756c617465644b657912100a036b657918012001280c52036b6579121e0a0a6964656e746966696572180220012809520a6964656e74696669657222340a065365616c656412180a0773657373696f6e180120012809520773657373696f6e12100a03626f7818022001280c5203626f78222d0a0f41636b6e6f776c656467656d656e74121a0a0873657175656e636518012001280d520873657175656e63652283040a0a417564696f537461746512460a0c6361706162696c697469657318012003280e32222e61636d652e68656c6d65742e417564696f53746174652e4361706162696c697479520c6361706162696c6974696573123f0a09706c6163656d656e7418022001280e32212e61636d652e68656c6d65742e417564696f53746174652e506c6163656d656e745209706c6163656d656e74122a0a0e7072696d6172795f736f7572636518032001280c4800520d7072696d617279536f75726365880101122e0a107365636f6e646172795f736f7572636518042001280c4801520f7365636f6e64617279536f75726365880101121a0a08636f6d706c6574651805200128085208636f6d706c65746522750a0a4361706162696c697479121a0a164341504142494c4954595f554e535045434946494544100012180a144341504142494c4954595f535749544348494e47100112180a144341504142494c4954595f504c4143454d454e54100212170a134341504142494c4954595f494e544552434f4d101022550a09506c6163656d656e7412190a15504c4143454d454e545f554e535045434946494544100012150a11504c4143454d454e545f4f4e5f48454144100112160a12504c4143454d454e545f4f46465f48454144100242110a0f5f7072696d6172795f736f7572636542130a115f7365636f6e646172795f736f75726365227a0a07436f6d6d616e64120e0a02696418012001280d52026964121c0a08696e746572636f6d18022001280848005208696e746572636f6d12230a0c766f6c756d655f73746570731803200128114800520b766f6c756d65537465707312120a037361791804200128094800520373617942080a06616374696f6e22530a0d436f6d6d616e64526573756c74120e0a02696418012001280d5202696412180a077375636365737318022001280852077375636365737312180a076d65737361676518032001280952076d65737361676522d9010a0954656c656d65747279121a0a08616c7469747564651801200128015208616c74697475646512210a0c6c6f6e6769747564655f653618022001280f520b6c6f6e676974756465453612120a0472737369180320032811520472737369123d0a076261747465727918042003280b32232e61636d652e68656c6d65742e54656c656d657472792e42617474657279456e7472795207626174746572791a3a0a0c42617474657279456e74727912100a036b657918012001280952036b657912140a0576616c756518022001280d520576616c75653a02380122cc010a054576656e7412330a06706f7374656418012001280b32192e61636d652e68656c6d65742e4e6f74696669636174696f6e48005206706f7374656412350a076368616e67656418022001280b32192e61636d652e68656c6d65742e4e6f74696669636174696f6e480052076368616e67656412320a0772656d6f76656418032001280b32162e61636d652e68656c6d65742e5265666572656e63654800520772656d6f766564121a0a07636c656172656418042001280848005207636c656172656442070a056576656e7422f2010a0c4e6f74696669636174696f6e12340a097265666572656e636518012001280b32162e61636d652e68656c6d65742e5265666572656e636552097265666572656e6365121f0a0b736f757263655f6e616d65180220012809520a736f757263654e616d6512140a057469746c6518032001280952057469746c65121a0a087375627469746c6518042001280952087375627469746c6512120a04626f64791805200128095204626f647912160a0673696c656e74180620012808520673696c656e74122d0a07616374696f6e7318072003280b32132e61636d652e68656c6d65742e416374696f6e5207616374696f6e7322430a095265666572656e6365121e0a0a6964656e746966696572180120012809520a6964656e74696669657212160a06736f757263651802200128095206736f75726365225d0a06416374696f6e121e0a0a6964656e746966696572180120012809520a6964656e74696669657212140a057469746c6518022001280952057469746c65121d0a0a74616b65735f74657874180320012808520974616b6573546578742297010a06416e7377657212340a097265666572656e636518012001280b32162e61636d652e68656c6d65742e5265666572656e636552097265666572656e6365122d0a0663686f73656e18022001280b32132e61636d652e68656c6d65742e43686f73656e4800520663686f73656e121e0a09616e6e6f756e63656418032001280848005209616e6e6f756e63656442080a06616e7377657222420a0643686f73656e12160a06616374696f6e1801200128095206616374696f6e12170a0474657874180220012809480052047465787488010142070a055f74657874620670726f746f33",
  ]

  static let heads: [Head] = [
Head(path: "aria/profile.yaml", name: "Acme Aria", service: "", channels: [("rfcomm-service", "8E4B7A10-35C2-4D0F-9C61-0B5F2A94D7E3"), ], sentinels: []),
Head(path: "helmet/profile.yaml", name: "Acme Helmet", service: "", channels: [("ea-protocol", "com.acme.helmet.link"), ], sentinels: []),
Head(path: "lens/profile.yaml", name: "Acme Lens", service: "3D9C0001-7A54-4E0B-8E21-6F0A5B4C9D12", channels: [("l2cap-psm", "0x00A3"), ("service", "_acme-lens._tcp"), ], sentinels: []),
Head(path: "notifbridge/profile.yaml", name: "NotifBridge", service: "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C44", channels: [("gatt-characteristic", "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C46"), ("gatt-characteristic", "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C47"), ("gatt-characteristic", "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C48"), ("gatt-characteristic", "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C49"), ("gatt-characteristic", "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C4A"), ("gatt-characteristic", "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C4B"), ], sentinels: [("--START--", "--END--"), ]),
Head(path: "pebble/profile.yaml", name: "Pebble", service: "50000000-328E-0FBB-C642-1AA6699BDADA", channels: [("gatt-characteristic", "50000002-328E-0FBB-C642-1AA6699BDADA"), ("gatt-characteristic", "50000001-328E-0FBB-C642-1AA6699BDADA"), ], sentinels: []),
  ]

  /// Layouts that hang somewhere by themselves, besides what profiles make of them.
  public static let attached = ["aria/aria.ksy", "pebble/pebble.ksy"]
}
