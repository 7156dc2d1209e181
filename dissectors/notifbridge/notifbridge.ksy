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
