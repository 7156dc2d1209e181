"""Facts of Apple's services of a phone: ANCS and AMS, by Apple's specifications of both."""

NOTIFICATION_SOURCE = "9FBF120D-6301-42D9-8C58-25E699A21DBD"
CONTROL_POINT = "69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9"
DATA_SOURCE = "22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB"
REMOTE_COMMAND = "9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2"
ENTITY_UPDATE = "2F7CABCE-808D-411F-9A0C-BB92BA96C102"
ENTITY_ATTRIBUTE = "C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7"
# ANCS specification, Appendix A.
EVENTS = ["add", "update", "remove"]
CATEGORIES = ["Other", "IncomingCall", "MissedCall", "Voicemail", "Social", "Schedule", "Email",
              "News", "HealthAndFitness", "BusinessAndFinance", "Location", "Entertainment"]
ATTRIBUTES = ["AppIdentifier", "Title", "Subtitle", "Message", "MessageSize", "Date",
              "PositiveActionLabel", "NegativeActionLabel"]
WITH_LENGTH = (1, 2, 3)
# AMS specification, Appendix A.
COMMANDS = ["Play", "Pause", "TogglePlayPause", "NextTrack", "PreviousTrack", "VolumeUp",
            "VolumeDown", "AdvanceRepeatMode", "AdvanceShuffleMode", "SkipForward", "SkipBackward",
            "LikeTrack", "DislikeTrack", "BookmarkTrack"]
ENTITIES = {"Player": ["Name", "PlaybackInfo", "Volume"],
            "Queue": ["Index", "Count", "ShuffleMode", "RepeatMode"],
            "Track": ["Artist", "Album", "Title", "Duration"]}


class Phone:
    """The phone's services on one link."""

    def __init__(self, hci, link):
        self.hci, self.link = hci, link
        self.wanted, self.data, self.started = None, b"", None
        self.frame = self.chosen = None

    def say(self, *value, first=None):
        self.hci.say("message-plain", self.link.handle, *value, first=first or self.frame,
                     frame=self.frame)

    def take(self, uuid, value, is_write, frame):
        """`frame`: that of the value, which a write counts as of."""
        self.frame = frame
        if uuid == NOTIFICATION_SOURCE and not is_write and len(value) >= 8:
            self.notified(value)
        elif uuid == CONTROL_POINT and is_write:
            self.asked(value)
        elif uuid == DATA_SOURCE and not is_write:
            self.answered(value)
        elif uuid == REMOTE_COMMAND and value:
            if is_write:
                self.say("media-command", value[0])
            else:
                self.say("media-commands", tuple(name(COMMANDS, one) for one in value))
        elif uuid == ENTITY_ATTRIBUTE and is_write and len(value) == 2 and value[0] < 3:
            self.chosen = value
        elif uuid == ENTITY_ATTRIBUTE and not is_write and self.chosen:
            entity, names = list(ENTITIES.items())[self.chosen[0]]
            self.say("media-update", entity, name(names, self.chosen[1]),
                     value.decode("utf-8", "replace"), False)
        elif uuid == ENTITY_UPDATE and value and value[0] < 3:
            self.media(value, is_write)

    def notified(self, value):
        event, flags, category, count = value[:4]
        identifier = str(int.from_bytes(value[4:8], "little"))
        if event == 2:
            self.say("remove", identifier)
        elif event < 2:
            self.say(EVENTS[event], identifier, name(CATEGORIES, category), count,
                     bool(flags & 1), bool(flags & 2), bool(flags & 4))

    def asked(self, value):
        """Get Notification Attributes, Get App Attributes, Perform Notification Action."""
        if value[:1] == b"\0" and len(value) >= 5:
            at, attributes = 5, []
            while at < len(value):
                attributes.append(value[at])
                at += 3 if value[at] in WITH_LENGTH else 1
            self.wanted, self.data = (value[:5], attributes), b""
            self.say("request", str(int.from_bytes(value[1:5], "little")),
                     tuple(name(ATTRIBUTES, one) for one in attributes))
        elif value[:1] == b"\1":
            self.wanted, self.data = None, b""

    def answered(self, value):
        """The response may come in several values. It has the command and the UID again."""
        if self.wanted is None:
            return
        if not self.data:
            self.started = self.frame
        self.data += value
        head, attributes = self.wanted
        at, texts = 5, {}
        while at + 3 <= len(self.data):
            length = int.from_bytes(self.data[at + 1:at + 3], "little")
            if at + 3 + length > len(self.data):
                return
            texts[self.data[at]] = self.data[at + 3:at + 3 + length].decode("utf-8", "replace")
            at += 3 + length
        if self.data[:5] != head or len(texts) < len(set(attributes)):
            return
        self.wanted, self.data = None, b""
        self.say("present", str(int.from_bytes(head[1:], "little")), texts.get(0) or None,
                 texts.get(1) or None, texts.get(2) or None, texts.get(3) or None,
                 first=self.started)

    def media(self, value, is_write):
        entity, names = list(ENTITIES.items())[value[0]]
        if is_write:
            self.say("media-watch", entity, tuple(name(names, one) for one in value[1:]))
        elif len(value) >= 3:
            self.say("media-update", entity, name(names, value[1]),
                     value[3:].decode("utf-8", "replace"), bool(value[2] & 1))


def name(names, index):
    return names[index] if index < len(names) else str(index)
