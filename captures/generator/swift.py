"""What a Swift application puts into its messages: JSON as JSONEncoder writes it."""
import base64
import json
import zlib


def swift_json(value):
    """As JSONEncoder writes by default: no spaces, slashes escaped, absent values left out."""
    def clean(x):
        if isinstance(x, dict):
            return {k: clean(v) for k, v in x.items() if v is not None}
        if isinstance(x, (list, tuple)):
            return [clean(v) for v in x]
        return base64.b64encode(x).decode() if isinstance(x, bytes) else x
    text = json.dumps(clean(value), separators=(",", ":"), ensure_ascii=False)
    return text.replace("/", "\\/").encode()


def as_json(value):
    """A plaintext in JSON and what it says (data fields as base64 text)."""
    plain = swift_json(value)
    return plain, json.loads(plain)


def png(size, color):
    """A square of one colour."""
    def chunk(kind, data):
        body = kind + data
        return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    rows = (b"\0" + bytes(color) * size) * size
    header = size.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + \
        chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def swift_date(lab):
    """Seconds since 2001, as JSONEncoder writes a Date."""
    return round(lab.recorder.now() / 1_000_000 - 978_307_200, 6)


def swift_notification(lab, title, body, source, name, identifier, **fields):
    """NotifBridge's notification with all the properties its encoder writes."""
    now = swift_date(lab)
    return {
        "title": title, "subtitle": "", "body": body, "sourceName": name,
        "sourceIdentifier": source, "notificationIdentifier": identifier, "threadIdentifier": "",
        "hasSound": True, "attributes": 0, "actions": [], "sourceIcon": b"", "contextIcon": b"",
        "attachments": [], "receivedAt": now, "deliveryDate": now, "displayDate": now,
        "displayDateIsAllDay": False, "summary": "", "shouldAlert": True,
        "isSuppressedByFocus": False, "ignoreSilentMode": False, "alertKind": "notification",
        "isCleared": False, **fields}
