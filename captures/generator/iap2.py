"""iAP2 over RFCOMM: link, control session, External Accessory. Written from public descriptions of
the protocol alone; it shares nothing with hark.

One object of `Link` is one side. A link packet is

    FF 5A | length 2 | control | sequence | acknowledgement | session | checksum | payload | checksum
"""
import asyncio
import hashlib

DETECT = bytes.fromhex("FF550200EE10")
SYN, ACK, EAK, RST = 0x80, 0x40, 0x20, 0x10
CONTROL, EXTERNAL_ACCESSORY = 10, 11                # the sessions this accessory declares
TYPES = {CONTROL: 0, EXTERNAL_ACCESSORY: 2}
NAMES = {
    0x1D00: "StartIdentification", 0x1D01: "IdentificationInformation",
    0x1D02: "IdentificationAccepted", 0x1D03: "IdentificationRejected",
    0xAA00: "RequestAuthenticationCertificate", 0xAA01: "AuthenticationCertificate",
    0xAA02: "RequestAuthenticationChallengeResponse", 0xAA03: "AuthenticationResponse",
    0xAA05: "AuthenticationSucceeded", 0xAE00: "StartPowerUpdates", 0xAE01: "PowerUpdate",
    0x4E09: "DeviceInformationUpdate", 0xEA00: "StartExternalAccessoryProtocolSession",
    0xEA01: "StopExternalAccessoryProtocolSession",
    0xEA03: "StatusExternalAccessoryProtocolSession"}


def checksum(data):
    return bytes([-sum(data) & 0xFF])


def u16(value):
    return value.to_bytes(2, "big")


def packet(control, sequence, acknowledgement, session=0, payload=b""):
    length = 9 + (len(payload) + 1 if payload else 0)
    header = b"\xff\x5a" + u16(length) + bytes([control, sequence, acknowledgement, session])
    return header + checksum(header) + (payload + checksum(payload) if payload else b"")


def parameter(identifier, data=b""):
    return u16(len(data) + 4) + u16(identifier) + data


def text(value):
    return value.encode() + b"\0"


def message(identifier, *parameters):
    body = b"".join(parameters)
    return b"\x40\x40" + u16(len(body) + 6) + u16(identifier) + body


def parameters(body):
    """The parameters of a message or group, as a list of pairs."""
    found = []
    while body:
        length = int.from_bytes(body[:2], "big")
        found.append((int.from_bytes(body[2:4], "big"), body[4:length]))
        body = body[length:]
    return found


class Link:
    """One side of an iAP2 link over an RFCOMM data link connection."""

    def __init__(self, lab, dlc, direction, sequence, chunk=None):
        self.lab, self.dlc, self.direction = lab, dlc, direction
        self.sequence, self.acknowledgement = sequence, 0
        self.chunk = chunk                          # bytes an RFCOMM frame takes; None: no limit
        self.buffer, self.assembled = b"", b""
        self.detected, self.synchronized = asyncio.Event(), asyncio.Event()
        self.messages, self.data = asyncio.Queue(), {}
        self.peer = None
        self.last = None
        self.is_slow = False                        # whether packets are left unacknowledged
        dlc.sink = self.received

    # --- sending -------------------------------------------------------------------------------

    def write(self, data):
        """RFCOMM frames and link packets begin and end where they like."""
        size = self.chunk or len(data)
        for at in range(0, len(data), size):
            self.dlc.write(data[at:at + size])

    def detect(self):
        self.note("detection")
        self.write(DETECT)

    def synchronize(self, answer=False):
        self.note("synchronization", answer=answer, sequence=self.sequence)
        sessions = b"".join(bytes([s, t, 1]) for s, t in TYPES.items())
        payload = bytes([1, 5]) + u16(1024) + u16(1500) + u16(73) + bytes([30, 3]) + sessions
        self.write(packet(SYN | (ACK if answer else 0), self.sequence, self.acknowledgement, 0,
                          payload))

    def acknowledge(self):
        self.write(packet(ACK, self.sequence, self.acknowledgement))

    def send_payload(self, session, payload):
        self.sequence = self.sequence + 1 & 0xFF
        self.last = packet(ACK, self.sequence, self.acknowledgement, session, payload)
        self.write(self.last)

    def send_again(self):
        """The last packet with a payload, as after a retransmission timeout."""
        self.note("retransmission", sequence=self.sequence)
        self.write(self.last)

    async def send(self, identifier, *params, split=None):
        """A control session message, in link packets of `split` bytes of it at most."""
        whole = message(identifier, *params)
        self.note("message", message=f"{identifier:04X}", name=NAMES[identifier],
                  length=len(whole), sha256=hashlib.sha256(whole).hexdigest())
        for at in range(0, len(whole), split or len(whole)):
            self.send_payload(CONTROL, whole[at:at + (split or len(whole))])
            await asyncio.sleep(0.03)

    def send_data(self, session, data):
        self.note("data", session=session, length=len(data),
                  sha256=hashlib.sha256(data).hexdigest())
        self.send_payload(EXTERNAL_ACCESSORY, u16(session) + data)

    def note(self, kind, **fields):
        self.lab.sent(kind, self.direction, **fields)

    # --- receiving -----------------------------------------------------------------------------

    def received(self, data):
        self.buffer += data
        while self.buffer:
            if self.buffer.startswith(DETECT):
                self.buffer = self.buffer[6:]
                self.detected.set()
                continue
            if len(self.buffer) < 9:
                return
            assert self.buffer[:2] == b"\xff\x5a" and sum(self.buffer[:9]) & 0xFF == 0
            length = int.from_bytes(self.buffer[2:4], "big")
            if len(self.buffer) < length:
                return
            whole, self.buffer = self.buffer[:length], self.buffer[length:]
            self.take(whole)

    def take(self, whole):
        control, sequence, _, session = whole[4:8]
        payload = whole[9:-1]
        assert sum(whole[9:]) & 0xFF == 0
        if control & SYN:
            self.peer, self.acknowledgement = payload, sequence
            self.synchronized.set()
            return
        if not payload:
            return
        if sequence == self.acknowledgement + 1 & 0xFF:
            self.acknowledgement = sequence
            self.deliver(session, payload)
        if not self.is_slow:
            self.acknowledge()

    def deliver(self, session, payload):
        if session == EXTERNAL_ACCESSORY:
            stream = int.from_bytes(payload[:2], "big")
            self.data[stream] = self.data.get(stream, b"") + payload[2:]
            return
        self.assembled += payload
        while len(self.assembled) >= 6:
            length = int.from_bytes(self.assembled[2:4], "big")
            if len(self.assembled) < length:
                return
            whole, self.assembled = self.assembled[:length], self.assembled[length:]
            self.messages.put_nowait((int.from_bytes(whole[4:6], "big"), parameters(whole[6:])))

    async def expect(self, identifier):
        found, params = await asyncio.wait_for(self.messages.get(), 5)
        assert found == identifier, f"{found:04X} came, not {identifier:04X}"
        return params


# --- what both sides say -----------------------------------------------------------------------

TEST_CERTIFICATE = (b"TEST CERTIFICATE of a sample capture: no certificate authority signed it. "
                    + b"".join(hashlib.sha256(bytes([i])).digest() for i in range(18)))
PROTOCOLS = [(1, "com.acme.speaker.control"), (2, "com.acme.speaker.firmware")]


def identification(address):
    """What the accessory says of itself; `address` as it is written."""
    return [
        parameter(0, text("Acme Speaker")), parameter(1, text("Speaker 2")),
        parameter(2, text("Acme Audio")), parameter(3, text("TEST-0001")),
        parameter(4, text("2.4.1")), parameter(5, text("1.0")),
        parameter(6, u16(0xEA03) + u16(0xAE00)),
        parameter(7, u16(0xEA00) + u16(0xEA01) + u16(0xAE01) + u16(0x4E09)),
        parameter(8, b"\0"), parameter(9, u16(0)),
        *(parameter(10, parameter(0, bytes([i])) + parameter(1, text(name))
                    + parameter(2, b"\1")) for i, name in PROTOCOLS),
        parameter(12, text("en")), parameter(13, text("en")), parameter(13, text("de")),
        parameter(17, parameter(0, u16(1)) + parameter(1, text("Bluetooth")) + parameter(2)
                  + parameter(3, bytes.fromhex(address.replace(":", ""))))]


async def link_up(phone, accessory):
    """Detection, then the accessory's SYN, its answer and the acknowledgement of that."""
    accessory.detect()
    await asyncio.wait_for(phone.detected.wait(), 5)
    phone.detect()
    await asyncio.wait_for(accessory.detected.wait(), 5)
    accessory.synchronize()
    await asyncio.wait_for(phone.synchronized.wait(), 5)
    phone.synchronize(answer=True)
    await asyncio.wait_for(accessory.synchronized.wait(), 5)
    accessory.acknowledge()
    await asyncio.sleep(0.05)


async def authenticate(phone, accessory):
    await phone.send(0xAA00)
    await accessory.expect(0xAA00)
    await accessory.send(0xAA01, parameter(0, TEST_CERTIFICATE), split=400)
    assert dict(await phone.expect(0xAA01))[0] == TEST_CERTIFICATE
    challenge = hashlib.sha256(b"TEST CHALLENGE").digest()
    await phone.send(0xAA02, parameter(0, challenge))
    await accessory.expect(0xAA02)
    await accessory.send(0xAA03, parameter(0, hashlib.sha512(challenge).digest()))
    await phone.expect(0xAA03)
    await phone.send(0xAA05)
    await accessory.expect(0xAA05)


async def identify(phone, accessory, information, rejected=()):
    await phone.send(0x1D00)
    await accessory.expect(0x1D00)
    await accessory.send(0x1D01, *information, split=300)
    await phone.expect(0x1D01)
    if rejected:
        await phone.send(0x1D03, *(parameter(i) for i in rejected))
        await accessory.expect(0x1D03)
    else:
        await phone.send(0x1D02)
        await accessory.expect(0x1D02)


async def open_session(phone, accessory, protocol, session, taken=True):
    await phone.send(0xEA00, parameter(0, bytes([protocol])), parameter(1, u16(session)))
    await accessory.expect(0xEA00)
    if taken:
        await accessory.send(0xEA03, parameter(0, u16(session)), parameter(1, b"\0"))
        await phone.expect(0xEA03)


async def close_session(phone, accessory, session):
    await phone.send(0xEA01, parameter(0, u16(session)))
    await accessory.expect(0xEA01)
