"""Facts of calls and of remote control: AT commands (HFP 1.9, 4) and AVRCP (AVRCP 1.6.2, 6)."""
import re

from timeline_records import TO_CONTROLLER

CODECS = {1: "CVSD", 2: "mSBC", 3: "LC3-SWB"}
CALL_SETUP = {1: "incoming", 2: "outgoing", 3: "alerting"}
# AVRCP 1.6.2, Appendix H.
EVENTS = [None, "PLAYBACK_STATUS_CHANGED", "TRACK_CHANGED", "TRACK_REACHED_END",
          "TRACK_REACHED_START", "PLAYBACK_POS_CHANGED", "BATT_STATUS_CHANGED",
          "SYSTEM_STATUS_CHANGED", "PLAYER_APPLICATION_SETTING_CHANGED",
          "NOW_PLAYING_CONTENT_CHANGED", "AVAILABLE_PLAYERS_CHANGED", "ADDRESSED_PLAYER_CHANGED",
          "UIDS_CHANGED", "VOLUME_CHANGED"]


def integer(text):
    return int(text) if text and re.fullmatch(r"\d+", text.strip()) else None


class HandsFree:
    """One service level connection. Commands end with CR, results are between CR and LF. 4.34."""

    def __init__(self, hci, link):
        self.hci, self.link = hci, link
        self.rest = {}
        self.features = {"hf": None, "ag": None}
        self.codecs, self.indicators, self.values = [], [], {}
        self.pending = self.asked = self.caller = None
        self.done, self.refused = set(), set()
        self.is_ringing = self.is_connected = False

    def say(self, kind, *value, may=None):
        self.hci.say(kind, self.link.handle, *value, may=may)

    def take(self, side, data):
        text = self.rest.pop(side, "") + data.decode("utf-8", "replace")
        if text.lstrip("\r\n").upper().startswith("AT"):
            *lines, rest = text.split("\r")
            for line in lines:
                if line.strip().upper().startswith("AT"):
                    self.command(line.strip()[2:])
        else:
            *lines, rest = re.split(r"\r\n", text)
            for line in lines:
                if line.strip():
                    self.result(line.strip())
        if rest.strip():
            self.rest[side] = rest

    def command(self, line):
        match = re.fullmatch(r"(\+?[A-Za-z]+)(=\?|\?|=)?(.*)", line)
        if line[:1] in "Dd":
            name, sign, rest = "D", "", line[1:].rstrip(";")
        elif match:
            name, sign, rest = match.group(1).upper(), match.group(2), match.group(3)
        else:
            return
        self.pending, self.asked = name, name + (sign or "")
        first = integer(rest.split(",")[0])
        if name == "+BRSF":
            self.features["hf"] = first
        elif name == "+BAC":
            self.codecs = [CODECS.get(integer(one)) for one in rest.split(",")]
        elif name == "D":
            self.say("call-command", "dial", rest, None)
        elif name in ("A", "+BLDN", "+CHUP", "+BCC", "+CKPD"):
            names = {"A": "answer", "+BLDN": "redial", "+CHUP": "hang-up", "+BCC": "audio",
                     "+CKPD": "button"}
            self.say("call-command", names[name], None, None)
        elif sign != "=":
            return
        elif name == "+CHLD" and first is not None:
            self.say("call-command", "hold", None, first)
        elif name == "+BVRA" and first is not None:
            self.say("voice-recognition", first != 0, True)
        elif name == "+BCS" and first is not None:
            self.say("codec-confirmed", CODECS.get(first))
        elif name in ("+VGS", "+VGM") and first is not None:
            self.say("gain", "speaker" if name == "+VGS" else "microphone", first)
        elif name == "+BIEV":
            self.say("hands-free-indicator", first, integer(rest.split(",")[-1]))
        elif name == "+XAPL":
            self.say("apple-accessory", rest.split(",")[0], integer(rest.split(",")[-1]))
        elif name == "+IPHONEACCEV":
            self.apple(rest)

    def required(self):
        """What a service level connection sets up by the features of both sides. 4.2.1, 4.34."""
        unit, gateway = self.features["hf"] or 0, self.features["ag"] or 0
        lacks = {"+CMER="}
        if unit & 1 << 1 and gateway & 1:
            lacks.add("+CHLD=?")
        if unit & 1 << 8 and gateway & 1 << 10:
            lacks.add("+BIND?")
        return lacks

    def apple(self, rest):
        """Pairs of key and value after their count. Accessory Design Guidelines for Apple Devices."""
        numbers = [integer(one) for one in rest.split(",")]
        pairs = dict(zip(numbers[1::2], numbers[2::2]))
        battery, dock = pairs.get(1), pairs.get(2)
        self.say("apple-accessory-state", None if battery is None else (battery + 1) * 10,
                 None if dock is None else dock == 1)

    def result(self, line):
        name, _, rest = line.partition(":")
        name, rest = name.strip().upper(), rest.strip()
        numbers = [integer(one) for one in rest.split(",")]
        if name == "OK":
            self.done.add(self.asked)
            lacks = self.required() - self.done
            goes_on = "+CMER=" in self.done and self.pending not in (
                None, "+BRSF", "+BAC", "+CIND", "+CMER", "+CHLD", "+BIND")
            if not self.is_connected and (not lacks or goes_on) and not lacks & self.refused:
                self.is_connected = True
                self.say("hands-free-connected", self.features["hf"], self.features["ag"],
                         tuple(self.codecs))
            self.pending = self.asked = None
        elif name in ("ERROR", "+CME ERROR"):
            self.say("hands-free-refused", self.pending, numbers[0] if rest else None)
            self.refused.add(self.asked)
            self.pending = self.asked = None
        elif name == "+BRSF":
            self.features["ag"] = numbers[0]
        elif name == "+CIND":
            names = re.findall(r'\(\s*"([^"]*)"', rest)
            if names:
                self.indicators = names
            else:
                self.values = dict(zip(self.indicators, numbers))
        elif name == "+CIEV" and len(numbers) == 2 and None not in numbers:
            self.indicator(*numbers)
        elif name == "RING" and not self.is_ringing:
            self.is_ringing = True
            self.say("call-ringing")
        elif name == "+CLIP":
            number = rest.split(",")[0].strip('"')
            if self.caller != number:
                self.caller = number
                self.say("call-number", number)
        elif name == "+BCS" and numbers[0] is not None:
            self.say("codec-proposed", CODECS.get(numbers[0]))
        elif name == "+BVRA" and numbers[0] is not None:
            self.say("voice-recognition", numbers[0] != 0, False)
        elif name in ("+VGS", "+VGM") and numbers[0] is not None:
            self.say("gain", "speaker" if name == "+VGS" else "microphone", numbers[0])

    def indicator(self, index, value):
        """4.4 to 4.7, 4.34.2: what is reported again without a change says nothing new."""
        name = self.indicators[index - 1] if 1 <= index <= len(self.indicators) else None
        before = self.values.get(name) if name else None
        if name:
            self.values[name] = value
        if before == value:
            return
        if name == "call":
            self.is_ringing = False
            self.say("call", "active" if value else "ended",
                     may=None if value or before is not None else "state-before-capture")
            if not value:
                self.caller = None
        elif name == "callsetup":
            if value in CALL_SETUP:
                self.say("call", CALL_SETUP[value])
            else:
                self.is_ringing = False
                if self.values.get("call") == 0:
                    self.caller = None
                    self.say("call", "abandoned")
        elif name == "callheld":
            self.say("call", "held" if value else "unheld")
        else:
            self.say("call-indicator", name, index, value)


class Remote:
    """One AVCTP control channel. AVCTP 1.4, 6; AVRCP 1.6.2, 6."""

    def __init__(self, hci, link, may=None):
        self.hci, self.link, self.may = hci, link, may
        self.messages, self.parts = {}, {}
        self.status = self.length = self.volume = self.track = None

    def say(self, kind, *value, may=None):
        self.hci.say(kind, self.link.handle, *value, may=may or self.may)

    def take(self, side, data):
        if len(data) < 1:
            return
        kind = data[0] >> 2 & 3
        if kind == 0:
            message = data[3:] if data[1:3] == b"\x11\x0e" else None
        elif kind == 1:
            self.messages[side] = (data[2:4], data[4:])
            return
        else:
            before = self.messages.get(side)
            if before is None:
                return
            self.messages[side] = (before[0], before[1] + data[1:])
            if kind == 2:
                return
            profile, message = self.messages.pop(side)
            message = message if profile == b"\x11\x0e" else None
        if message and len(message) >= 3:
            self.message(side, data[0] >> 1 & 1, message)

    def message(self, side, is_response, data):
        ctype, opcode = data[0] & 0xF, data[2]
        if opcode == 0x7C:
            if not is_response and len(data) > 3 and not data[3] & 0x80:
                self.say("remote-operation", data[3] & 0x7F)
        elif opcode == 0x00 and data[3:6] == b"\x00\x19\x58" and len(data) >= 10:
            pdu, fragment = data[6], data[7] & 3
            body = data[10:10 + int.from_bytes(data[8:10], "big")]
            # Start, continue, end. 4.4.7.
            if fragment in (1, 2, 3):
                body = (self.parts.pop((side, pdu), b"") if fragment != 1 else b"") + body
                if fragment in (1, 2):
                    self.parts[side, pdu] = body
                    return
            if is_response:
                self.response(side, ctype, pdu, body)
            elif pdu == 0x50 and body:
                self.volume = body[0] & 0x7F
                self.say("volume", self.volume, True)

    def response(self, side, ctype, pdu, body):
        if ctype == 0xA:
            return self.say("remote-rejected", pdu, body[0] if body else None)
        if ctype == 0x8:
            return None
        if pdu == 0x10 and len(body) >= 2 and body[0] == 3:
            return self.say("remote-notifications", side == TO_CONTROLLER,
                            tuple("EVENT_" + EVENTS[one] for one in body[2:2 + body[1]]
                                  if 0 < one < len(EVENTS)))
        if pdu == 0x20:
            return self.attributes(body)
        if pdu == 0x30 and len(body) >= 9:
            return self.playing(body[8], int.from_bytes(body[4:8], "big"),
                                int.from_bytes(body[:4], "big"))
        if pdu == 0x50 and body:
            return self.level(body[0] & 0x7F)
        if pdu == 0x31 and body:
            return self.notified(ctype, body)
        return None

    def notified(self, ctype, body):
        """6.7.2: an interim response says how it is, a changed one how it has become."""
        event, rest = body[0], body[1:]
        if event == 0x01 and rest:
            self.playing(rest[0], None, None)
        elif event == 0x05 and len(rest) >= 4:
            position = int.from_bytes(rest[:4], "big")
            self.say("play-position", None if position == 0xFFFFFFFF else position)
        elif event == 0x0D and rest:
            self.level(rest[0] & 0x7F)
        elif event in (0x02, 0x03, 0x04, 0x09, 0x0A, 0x0C) and ctype == 0xD:
            self.say("remote-event", event)

    def playing(self, status, position, length):
        """Controllers poll: what has not changed need not be reported. 0xFFFFFFFF: not supported."""
        position, length = (None if one == 0xFFFFFFFF else one for one in (position, length))
        is_new = status != self.status or length is not None and length != self.length
        self.status, self.length = status, length if length is not None else self.length
        self.say("play-status", status, position, length, may=None if is_new else "unchanged")

    def level(self, volume):
        is_new, self.volume = volume != self.volume, volume
        self.say("volume", volume, False, may=None if is_new else "unchanged")

    def attributes(self, body):
        """Attribute ID, character set, length, value. 6.6.1."""
        found, at = [], 1
        for _ in range(body[0] if body else 0):
            length = int.from_bytes(body[at + 6:at + 8], "big")
            text = body[at + 8:at + 8 + length].decode("utf-8", "replace")
            if text:
                found.append((int.from_bytes(body[at:at + 4], "big"), text))
            at += 8 + length
        if found:
            is_new, self.track = found != self.track, found
            self.say("track", tuple(found), may=None if is_new else "unchanged")


class Signaling:
    """AVDTP signaling of one link. AVDTP 1.3, 8."""

    COMMAND, ACCEPT, REJECT = 0, 2, 3

    def __init__(self, hci, link):
        self.hci, self.link = hci, link
        self.asked, self.pairs, self.parts = {}, {}, {}
        self.delay = None

    def take(self, side, data):
        if len(data) < 2:
            return
        label, packet, message = data[0] >> 4, data[0] >> 2 & 3, data[0] & 3
        # Single, start, continue, end. 8.4.
        if packet == 0:
            signal, body = data[1] & 0x3F, data[2:]
        elif packet == 1:
            self.parts[side, label] = (data[2] & 0x3F, data[3:]) if len(data) > 2 else (0, b"")
            return
        else:
            before = self.parts.pop((side, label), None)
            if before is None:
                return
            signal, body = before[0], before[1] + data[1:]
            if packet == 2:
                self.parts[side, label] = (signal, body)
                return
        if message == self.COMMAND:
            self.asked[side, label] = (signal, body)
            return
        signal_asked, sent = self.asked.pop((1 - side, label), (None, b""))
        if signal_asked == signal and message == self.ACCEPT:
            self.accepted(1 - side, signal, sent, body)
        elif message == self.REJECT:
            self.say("signal-rejected", signal, body[-1] if body else None)

    def say(self, kind, *value):
        self.hci.say(kind, self.link.handle, *value)

    def accepted(self, asker, signal, sent, body):
        """Stream end points are named by the side that has them: of a command the other side's."""
        def ends(seid):
            acceptor, initiator = seid, self.pairs.get((asker, seid))
            if initiator is None:
                other = [key[1] for key, value in self.pairs.items()
                         if key[0] != asker and value == seid]
                initiator = other[0] if other else None
            return (initiator, acceptor) if asker == TO_CONTROLLER else (acceptor, initiator)

        if signal == 0x01:
            # Their capabilities follow, and are told with them.
            self.hci.say("stream-endpoints", self.link.handle, asker != TO_CONTROLLER,
                         tuple((body[at] >> 2, "SNK" if body[at + 1] & 8 else "SRC")
                               for at in range(0, len(body) - 1, 2)),
                         first=self.hci.number, frame=len(self.hci.rows))
        elif signal == 0x03 and len(sent) >= 2:
            self.pairs[asker, sent[0] >> 2] = sent[1] >> 2
            self.say("stream-configured", *ends(sent[0] >> 2))
        elif signal in (0x06, 0x08, 0x0A) and sent:
            kind = {0x06: "stream-opened", 0x08: "stream-closed", 0x0A: "stream-aborted"}[signal]
            self.say(kind, *ends(sent[0] >> 2))
        elif signal in (0x07, 0x09):
            for octet in sent:
                self.say("stream-started" if signal == 0x07 else "stream-suspended",
                         *ends(octet >> 2))
        elif signal == 0x0D and len(sent) >= 3:
            value = (*ends(sent[0] >> 2), int.from_bytes(sent[1:3], "big"))
            is_new, self.delay = value != self.delay, value
            self.hci.say("stream-delay", self.link.handle, *value,
                         may=None if is_new else "unchanged")
