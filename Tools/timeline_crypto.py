"""What opens encrypted packets from the air: LE legacy pairing and the Link Layer's encryption.

Core Specification, Vol 3, Part H, 2.2 and 2.3.5; Vol 6, Part B, 5.1.3, and Part E. Needs the Python
package cryptography; without it no facts are derived from encrypted packets.
"""
try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.ciphers.aead import AESCCM
except ImportError:
    AESCCM = None

# How many PDUs may be missing before one that opens.
WIDEST = 64


def e(key, text):
    """Vol 3, Part H, 2.2.1: most significant octet first."""
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(text)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def c1(k, r, preq, pres, iat, rat, ia, ra):
    """Vol 3, Part H, 2.2.3. All most significant octet first."""
    p1 = pres + preq + bytes([rat, iat])
    return e(k, xor(e(k, xor(r, p1)), bytes(4) + ia + ra))


def s1(k, r1, r2):
    """2.2.4: of each random value the least significant 64 bits."""
    return e(k, r1[8:] + r2[8:])


class Pairing:
    """The PDUs of one LE legacy pairing, as they are sent: least significant octet first."""

    def __init__(self, iat, rat, ia, ra):
        self.addresses = iat, rat, ia, ra
        self.request = self.response = None
        self.confirms, self.randoms = [], []

    def take(self, pdu):
        if pdu[0] == 0x01:
            self.request, self.response, self.confirms, self.randoms = pdu, None, [], []
        elif pdu[0] == 0x02:
            self.response = pdu
        elif pdu[0] == 0x03:
            self.confirms.append(pdu[1:17])
        elif pdu[0] == 0x04:
            self.randoms.append(pdu[1:17])

    def key(self, passkeys):
        """The short term key. The temporary key is 0 with Just Works, else one of so many passkeys.
        2.3.5."""
        if AESCCM is None or not (self.request and self.response and self.confirms
                                  and len(self.randoms) == 2):
            return None
        first, second = (one[::-1] for one in self.randoms)
        preq, pres, confirm = self.request[::-1], self.response[::-1], self.confirms[0][::-1]
        for passkey in range(passkeys):
            k = passkey.to_bytes(16, "big")
            if c1(k, first, preq, pres, *self.addresses) == confirm:
                size = min(self.request[4], self.response[4], 16)
                return bytes(16 - size) + s1(k, second, first)[16 - size:]
        return None


class Session:
    """Encryption of one connection, from LL_ENC_REQ and LL_ENC_RSP on."""

    def __init__(self, request):
        self.skd, self.iv = request[11:19], request[19:23]
        self.short = not any(request[1:11])
        self.cipher, self.counters = None, [0, 0]

    def respond(self, response):
        self.skd, self.iv = self.skd + response[1:9], self.iv + response[9:13]

    def open(self, keys, header, payload, side):
        """Plaintext and side of a PDU; the side is tried where it is not known."""
        if AESCCM is None or len(self.skd) != 16 or len(payload) < 5:
            return None
        ciphers = [self.cipher] if self.cipher else [
            AESCCM(e(key, self.skd[::-1]), tag_length=4) for key in keys]
        for cipher in ciphers:
            for one in ((0, 1) if side is None else (side,)):
                for counter in range(self.counters[one], self.counters[one] + WIDEST):
                    direction = 0x80 if one == 0 else 0
                    nonce = (counter.to_bytes(5, "little")[:4]
                             + bytes([counter >> 32 & 0x7F | direction]) + self.iv)
                    try:
                        text = cipher.decrypt(nonce, payload, bytes([header & 0xE3]))
                    except InvalidTag:
                        continue
                    self.cipher, self.counters[one] = cipher, counter + 1
                    return text, one
        return None
