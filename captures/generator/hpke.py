"""The key agreement of AccessoryTransportSecurity: HPKE as an exporter, then AES-256-GCM.

P-256 is pyhpke's. X-Wing has no exporter in any Python package, so its KEM is put together from
the primitives of `cryptography` (draft-connolly-cfrg-xwing-kem), with the key schedule of RFC
9180, section 5.1, base mode.
"""
import hashlib
import hmac
import os

from cryptography.hazmat.primitives.asymmetric import ec, mlkem, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pyhpke import AEADId, CipherSuite, KDFId, KEMId, KEMKey

P256 = CipherSuite.new(KEMId.DHKEM_P256_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.AES256_GCM)
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
XWING_SUITE_ID = b"HPKE" + bytes.fromhex("647a00010002")
XWING_LABEL = bytes.fromhex("5c2e2f2f5e5c")
TO_ACCESSORY, TO_HOST = "HostToAccessory", "AccessoryToHost"


def test_key(name):
    """A private key that everyone may know: the SHA-256 of a sentence."""
    key = hashlib.sha256(f"hark TEST KEY, not a secret: {name}".encode()).digest()
    assert 0 < int.from_bytes(key, "big") < P256_ORDER
    return key


def _p256_keys(private):
    key = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1())
    return KEMKey.from_pyca_cryptography_key(key), key.public_key().public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint)


def _xwing_keys(seed):
    expanded = hashlib.shake_256(seed).digest(96)
    return (mlkem.MLKEM768PrivateKey.from_seed_bytes(expanded[:64]),
            x25519.X25519PrivateKey.from_private_bytes(expanded[64:]))


def _xwing_secret(mlkem_secret, x25519_secret, x25519_ephemeral, x25519_public):
    return hashlib.sha3_256(mlkem_secret + x25519_secret + x25519_ephemeral + x25519_public
                            + XWING_LABEL).digest()


def _labeled_extract(salt, label, ikm):
    return hmac.digest(salt, b"HPKE-v1" + XWING_SUITE_ID + label + ikm, "sha256")


def _labeled_expand(prk, label, info, length):
    assert length <= 32                             # one block of HKDF-Expand
    labeled = length.to_bytes(2, "big") + b"HPKE-v1" + XWING_SUITE_ID + label + info
    return hmac.digest(prk, labeled + b"\1", "sha256")[:length]


def xwing_exporter(shared_secret, info):
    context = b"\0" + _labeled_extract(b"", b"psk_id_hash", b"") + \
        _labeled_extract(b"", b"info_hash", info)
    secret = _labeled_extract(shared_secret, b"secret", b"")
    exporter_secret = _labeled_expand(secret, b"exp", context, 32)
    return lambda text, length: _labeled_expand(exporter_secret, b"sec", text, length)


def public_key(suite, private):
    """As it travels: 64 bytes X||Y for P-256, 1216 bytes for X-Wing."""
    if suite == "p256":
        return _p256_keys(private)[1][1:]
    ml, x = _xwing_keys(private)
    return ml.public_key().public_bytes_raw() + x.public_key().public_bytes_raw()


def encapsulate(suite, public, info):
    """The phone's side: the encapsulated key and the exporter."""
    if suite == "p256":
        key = KEMKey.from_pyca_cryptography_key(_p256_public(public))
        enc, context = P256.create_sender_context(key, info)
        return enc, context.export
    ml_secret, ml_ciphertext = mlkem.MLKEM768PublicKey.from_public_bytes(
        public[:1184]).encapsulate()
    ephemeral = x25519.X25519PrivateKey.generate()
    ours = ephemeral.public_key().public_bytes_raw()
    x_secret = ephemeral.exchange(x25519.X25519PublicKey.from_public_bytes(public[1184:]))
    secret = _xwing_secret(ml_secret, x_secret, ours, public[1184:])
    return ml_ciphertext + ours, xwing_exporter(secret, info)


def decapsulate(suite, private, enc, info):
    """The accessory's side: the exporter."""
    if suite == "p256":
        return P256.create_recipient_context(enc, _p256_keys(private)[0], info).export
    ml, x = _xwing_keys(private)
    x_secret = x.exchange(x25519.X25519PublicKey.from_public_bytes(enc[1088:]))
    secret = _xwing_secret(ml.decapsulate(enc[:1088]), x_secret, enc[1088:],
                           x.public_key().public_bytes_raw())
    return xwing_exporter(secret, info)


def _p256_public(raw):
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\4" + raw)


class Strings:
    """How the two sides spell what goes into the key schedule.

    `bytes_trap`: the context string is built from the *description* of the info bytes, as a
    literal reading of the documented sample code does ("50 bytes-HostToAccessory-...").
    """

    def __init__(self, suite="P256", version="Version1", bytes_trap=False):
        self.suite, self.version, self.bytes_trap = suite, version, bytes_trap

    def info(self, identifier):
        return f"{self.suite}-{self.version}-{identifier}".encode()

    def context(self, identifier, direction, session):
        info = self.info(identifier)
        prefix = f"{len(info)} bytes" if self.bytes_trap else info.decode()
        return f"{prefix}-{direction}-{session}".encode()


class Generation:
    """The keys of one encapsulation, as one of the two sides has them."""

    def __init__(self, number, identifier, strings, export):
        self.number, self.identifier, self.strings = number, identifier, strings
        self.export = export

    def key(self, direction, session):
        return self.export(self.strings.context(self.identifier, direction, session), 32)

    def seal(self, direction, session, plaintext, iv=None):
        """IV (12) || ciphertext || tag (16), no additional data."""
        iv = iv or os.urandom(12)
        return iv + AESGCM(self.key(direction, session)).encrypt(iv, plaintext, None)

    def open(self, direction, session, blob):
        return AESGCM(self.key(direction, session)).decrypt(blob[:12], blob[12:], None)
