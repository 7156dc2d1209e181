#!/usr/bin/env python3
"""Make the captures of mistakes: mistakes.py OUTDIR [NAME...]

OUTDIR/mistakes/ with a btsnoop file for each scenario and truth.json: which rule of `hark findings`
each mistake is for, and the packets between which it was made. Two emulated devices (Bumble) do what
the scenarios say; the phone's HCI is recorded. The accessory's framing is an invented vendor's, read by
the profile beside the captures; of External Accessory it is iAP2 (iap2.py).
"""
import asyncio
import base64
import contextlib
import hashlib
import json
import pathlib
import sys
import uuid

from bumble import core, gatt, l2cap

import formats
import generate_iap2
import iap2
from generate import dump, versions
from hpke import (Generation, Strings, TO_ACCESSORY, TO_HOST, encapsulate, public_key, test_key)
from lab import Lab, advertising, test_uuid
from scenarios import watch_keys

SERVICE, OUT, IN, NETWORKS = (f"1A95E00{n}-6F0B-4C7D-8E23-54C0A1B9D7F2" for n in (0, 1, 2, 3))
NAME = "Acme Lapse"
scenarios = {}


def scenario(function):
    scenarios[function.__name__.replace("_", "-")] = function
    return function


class Mistakes:
    """What was done wrong in a capture, and between which packets."""

    def __init__(self, recorder):
        self.recorder, self.all = recorder, []

    @contextlib.asynccontextmanager
    async def __call__(self, *rules):
        first = len(self.recorder.packets) + 1
        yield
        await asyncio.sleep(0.05)
        last = len(self.recorder.packets)
        assert last >= first
        self.all += [{"rule": rule, "first": first, "last": last} for rule in rules]

    def also(self, rule, first, last):
        self.all.append({"rule": rule, "first": first, "last": last})


class Lapse:
    """Both sides: the accessory is GATT server, the phone client."""

    def __init__(self, lab, shares=False):
        self.lab, self.mistakes, self.shares = lab, Mistakes(lab.recorder), shares
        P, A = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
        self.notified = gatt.Characteristic(OUT, P.NOTIFY, A.READABLE, b"")
        lab.accessory.add_service(gatt.Service(SERVICE, [self.notified, *(gatt.Characteristic(
            it, P.WRITE, A.WRITEABLE, gatt.CharacteristicValue(write=lambda connection, value: None))
            for it in ((IN, NETWORKS) if shares else (IN,)))]))

    async def meet(self, pairs=True):
        lab = self.lab
        self.here, self.there = await lab.connect(*advertising(NAME, uuid128=SERVICE))
        await lab.pause(0.3)
        peer = await lab.tune(self.here, 247)
        if pairs:
            await self.here.pair()
            await lab.pause(0.4)
        await lab.discover(peer)
        out, self.written = (
            peer.get_characteristics_by_uuid(core.UUID(u))[0] for u in (OUT, IN))
        if self.shares:
            self.networks = peer.get_characteristics_by_uuid(core.UUID(NETWORKS))[0]
        self.client = peer.gatt_client
        await out.subscribe(lambda value: None)

    @staticmethod
    def parts(message):
        data = json.dumps(message, separators=(",", ":")).encode()
        return [b"<", *(data[at:at + 200] for at in range(0, len(data), 200)), b">"]

    async def phone(self, **message):
        for part in self.parts(message):
            await self.client.write_value(self.written.handle, part, with_response=True)

    async def share(self, **network):
        data = json.dumps(network, separators=(",", ":")).encode()
        await self.client.write_value(self.networks.handle, data, with_response=True)

    async def accessory(self, **message):
        for part in self.parts(message):
            await self.lab.accessory.notify_subscriber(self.there, self.notified, part)
            await asyncio.sleep(0.02)

    async def sealed(self, side, session, **more):
        blob = hashlib.sha512(repr((session, more, side)).encode()).digest()
        send = self.phone if side == "phone" else self.accessory
        await send(type="sealed", session=session, data=text(blob), **more)


def text(data):
    return base64.b64encode(data).decode()


@contextlib.asynccontextmanager
async def lapse(name, start, pairs=True, shares=False):
    async with Lab(name, start, NAME) as lab:
        it = Lapse(lab, shares)
        await it.meet(pairs)
        await lab.pause(1)
        yield it, lab.pause, it.mistakes
        await lab.pause(1)
        await lab.disconnect(it.here, "phone")


# --- what goes wrong ---------------------------------------------------------------------------

@scenario
async def sessions():
    """Transport sessions and receipts."""
    async with lapse("sessions", "2026-11-22T09:00:00") as (it, pause, mistake):
        async with mistake("transport.session-undecided"):
            await it.phone(type="request", session="A")
        await pause(31)
        await it.phone(type="request", session="B")
        async with mistake("transport.session-failed"):
            await it.accessory(type="decision", session="B", accepted=False, error="unsupported")
        await it.phone(type="request", session="C")
        await it.accessory(type="decision", session="C", accepted=True)
        for number in range(6):
            await it.sealed("phone", "C", receipt=f"r{number}")
            await it.accessory(type="receipt", id=f"r{number}")
            await pause(0.5)
        await it.sealed("phone", "C", receipt="late")
        await pause(3)
        async with mistake("transport.slow-receipt"):
            await it.accessory(type="receipt", id="late")
        async with mistake("transport.unknown-session"):
            await it.sealed("accessory", "Z")
        async with mistake("transport.message-failed"):
            await it.accessory(type="result", session="C", error="transportUnavailable")
        await it.sealed("phone", "C", receipt="twice", attempt=1)
        await pause(2)
        async with mistake("transport.sent-again"):
            await it.sealed("phone", "C", receipt="twice", attempt=2)
        await it.accessory(type="receipt", id="twice")
        async with mistake("transport.missing-receipt"):
            await it.sealed("phone", "C", receipt="never")
        await pause(31)
        async with mistake("transport.session-failed"):
            await it.accessory(type="invalidated", session="C", error="invalidated")
        async with mistake("transport.send-after-invalidation"):
            await it.sealed("phone", "C")
    return it, {}


@scenario
async def keys():
    """Key exchanges."""
    key, identifier, session = test_key(NAME), test_uuid("lapse/peripheral"), test_uuid("lapse/feature")
    p256 = public_key("p256", key)
    async with lapse("keys", "2026-11-22T09:10:00") as (it, pause, mistake):
        async with mistake("keys.wrong-size"):
            await it.accessory(type="key", suite="P256", key=text(p256[:40]))
        await pause(1)
        async with mistake("keys.transport-needs-xwing"):
            await it.accessory(type="key", suite="P256", key=text(p256),
                               transports=["bluetooth", "internet"])
        await pause(1)
        await it.accessory(type="key", suite="XWing", key=text(public_key("xwing", key)))
        await pause(1)
        strings = Strings()
        enc, export = encapsulate("p256", p256, strings.info(identifier))
        async with mistake("keys.suite-downgrade", "keys.exchange-unconfirmed"):
            await it.phone(type="agreed", suite="P256", key=text(enc), identifier=identifier,
                           receipt="k")
        await pause(16)
        generation = Generation(1, identifier, strings, export)
        await it.phone(type="sealed", session=session,
                       data=text(generation.seal(TO_ACCESSORY, session, b'{"from":"phone"}')))
        await pause(1)
        async with mistake("keys.wrong-direction"):
            await it.accessory(
                type="sealed", session=session,
                data=text(generation.seal(TO_ACCESSORY, session, b'{"from":"accessory"}')))
        await pause(1)
        async with mistake("keys.exchange-failed"):
            await it.accessory(type="exchange", error="transportFailed")
    return it, {"keys.harkkeys": watch_keys(identifier, NAME)}


@scenario
async def unanswered():
    """A public key that the phone does not answer."""
    async with lapse("unanswered", "2026-11-22T09:15:00") as (it, pause, mistake):
        async with mistake("keys.public-key-unanswered"):
            await it.accessory(type="key", suite="P256", key=text(public_key("p256", test_key(NAME))))
        await pause(31)
        await it.accessory(type="receipt", id="none")
    return it, {}


@scenario
async def notifications():
    """Notifications shown to the user, and a refused request to share Wi-Fi."""
    async with lapse("notifications", "2026-11-22T09:20:00") as (it, pause, mistake):
        await it.phone(type="new", id="bell", title="Front door", alert=True)
        await it.accessory(type="shown", id="bell", alerted=True)
        await pause(2)
        await it.phone(type="changed", id="bell", title="Front door, again", alert=True)
        async with mistake("notifications.alert-twice"):
            await it.accessory(type="shown", id="bell", alerted=True)
        async with mistake("notifications.never-shown"):
            await it.phone(type="new", id="tram", title="Tram 4", alert=True)
        await pause(12)
        async with mistake("wifi.not-secured"):
            await it.accessory(type="wifi", error="accessoryTransportNotSecured")
    return it, {}


@scenario
async def wifi():
    """Wi-Fi networks shared correctly; nothing is wrong. The password is for tests only."""
    async with lapse("wifi", "2026-11-22T09:25:00", shares=True) as (it, pause, mistake):
        await it.share(ssid="Test Harbour", policy=["wpa3"], password="TEST-PASSWORD-4711")
        await pause(1)
        await it.share(ssid="Test Guests", policy=["open"], password="")
    return it, {}


@scenario
async def audio():
    """The configuration of an audio accessory."""
    async with lapse("audio", "2026-11-22T09:30:00", pairs=False) as (it, pause, mistake):
        capabilities = ["placement"]
        async with mistake("audio.registered-before-pairing"):
            await it.accessory(type="register", capabilities=capabilities, placement="offHead")
        await pause(1)
        await it.here.pair()
        await pause(1)
        await it.accessory(type="register", capabilities=capabilities, placement="offHead")
        await pause(1)
        await it.accessory(type="update", placement="inEar")
        await pause(7)
        async with mistake("audio.late-update"):
            await it.phone(type="update", placement="inEar")
        await it.accessory(type="update", placement="onHead")
        await pause(1)
        async with mistake("audio.disagreement"):
            await it.phone(type="update", placement="offHead")
        await pause(1)
        async with mistake("audio.invalid-value"):
            await it.accessory(type="update", placement="pocket")
        await pause(1)
        async with mistake("audio.configuration-refused"):
            await it.phone(type="refused", error="accessoryNotCapable")
        async with mistake("audio.configuration-refused"):
            await it.phone(type="refused", error="invalidated")
        async with mistake("audio.update-after-invalidated"):
            await it.accessory(type="update", placement="inEar")
    return it, {}


@scenario
async def pace():
    """A long connection interval, and a message of several values over it."""
    async with lapse("pace", "2026-11-22T09:40:00") as (it, pause, mistake):
        await it.there.update_parameters(300, 300, 0, 6000, use_l2cap=True)
        await pause(1)
        async with mistake("link.slow-interval"):
            for part in it.parts({"type": "new", "id": "long", "title": "word " * 120}):
                await it.client.write_value(it.written.handle, part, with_response=True)
                await pause(0.3)
    return it, {}


class Speaker(generate_iap2.Lab):
    def __init__(self, name, start):
        super().__init__(name, start)
        self.mistakes = Mistakes(self.recorder)


def identification(*names):
    """With other protocols: parameter 10 of each."""
    whole = iap2.identification(generate_iap2.ADDRESSES["accessory"])
    others = [p for p in whole if p[2:4] != iap2.u16(10)]
    mine = [iap2.parameter(10, iap2.parameter(0, bytes([i + 1])) + iap2.parameter(1, iap2.text(name))
                           + iap2.parameter(2, b"\1")) for i, name in enumerate(names)]
    return others[:10] + mine + others[10:]


@scenario
async def ea_sessions():
    """External Accessory: protocols and sessions."""
    lab = Speaker("ea-sessions", "2026-11-22T10:00:00")
    mistake = lab.mistakes
    phone, accessory = await lab.connect()
    await iap2.link_up(phone, accessory)
    await iap2.authenticate(phone, accessory)
    async with mistake("ea.protocol-name"):
        await iap2.identify(phone, accessory, identification("com.acme.speaker", "acme control"))
    await lab.pause(1)
    async with mistake("ea.protocol-undeclared"):
        await iap2.open_session(phone, accessory, 9, 1)
    phone.send_data(1, b"?")
    await lab.pause(1)
    await iap2.open_session(phone, accessory, 1, 2, taken=False)
    async with mistake("ea.data-before-status"):
        accessory.send_data(2, b"early")
    async with mistake("ea.session-refused"):
        await accessory.send(0xEA03, iap2.parameter(0, iap2.u16(2)), iap2.parameter(1, b"\1"))
        await phone.expect(0xEA03)
    await lab.pause(1)
    async with mistake("ea.link-fault"):
        wrong = iap2.packet(iap2.ACK, phone.sequence + 1 & 0xFF, phone.acknowledgement,
                            iap2.EXTERNAL_ACCESSORY, iap2.u16(1) + b"damaged")
        accessory.dlc.sink = lambda data: None
        phone.write(wrong[:-1] + bytes([wrong[-1] ^ 0x55]))
    await lab.end()
    return lab, {}


@scenario
async def ea_stalled():
    """External Accessory: the maximum number of packets is outstanding, and the accessory acknowledges
    none for two seconds."""
    lab = Speaker("ea-stalled", "2026-11-22T10:10:00")
    phone, accessory = await lab.connect()
    await iap2.link_up(phone, accessory)
    await iap2.authenticate(phone, accessory)
    await iap2.identify(phone, accessory, identification("com.acme.speaker"))
    await iap2.open_session(phone, accessory, 1, 1)
    accessory.is_slow = True
    first = len(lab.recorder.packets) + 1
    for number in range(5):
        phone.send_data(1, bytes([number]) * 20)
    await lab.pause(2)
    accessory.acknowledge()
    await asyncio.sleep(0.05)
    phone.send_data(1, b"at last")
    await asyncio.sleep(0.05)
    lab.mistakes.also("ea.window-stalled", first, len(lab.recorder.packets))
    accessory.is_slow = False
    accessory.send_data(1, b"all of it\n")
    await lab.pause(1)
    await iap2.close_session(phone, accessory, 1)
    await lab.end()
    return lab, {}


@scenario
async def ea_launch():
    """External Accessory: an accessory without a protocol, which requests an app by its bundle identifier."""
    lab = Speaker("ea-launch", "2026-11-22T10:30:00")
    mistake = lab.mistakes
    iap2.NAMES[0xEA02] = "RequestAppLaunch"
    phone, accessory = await lab.connect()
    await iap2.link_up(phone, accessory)
    await iap2.authenticate(phone, accessory)
    async with mistake("ea.no-protocol"):
        await iap2.identify(phone, accessory, identification())
    await lab.pause(1)
    # AppBundleID. Which app is meant, --app-info tells.
    await accessory.send(0xEA02, iap2.parameter(0, iap2.text("com.acme.lapse.old")))
    await phone.expect(0xEA02)
    await lab.pause(1)
    await lab.end()
    return lab, {}


@scenario
async def ea_authentication():
    """External Accessory: the phone does not accept the authentication, and does not answer the
    identification."""
    lab = Speaker("ea-authentication", "2026-11-22T10:20:00")
    mistake = lab.mistakes
    iap2.NAMES[0xAA04] = "AuthenticationFailed"
    phone, accessory = await lab.connect()
    await iap2.link_up(phone, accessory)
    await phone.send(0x1D00)
    await accessory.expect(0x1D00)
    first = len(lab.recorder.packets) + 1
    await accessory.send(0x1D01, *identification("com.acme.speaker"), split=300)
    await phone.expect(0x1D01)
    await phone.send(0xAA00)
    await accessory.expect(0xAA00)
    await accessory.send(0xAA01, iap2.parameter(0, iap2.TEST_CERTIFICATE), split=400)
    await phone.expect(0xAA01)
    async with mistake("ea.authentication-failed"):
        await phone.send(0xAA04)
        await accessory.expect(0xAA04)
    await lab.pause(5)
    await lab.end()
    mistake.also("ea.unanswered", first, len(lab.recorder.packets))
    return lab, {}


async def main(out, *names):
    folder = pathlib.Path(out) / "mistakes"
    truth = json.loads((folder / "truth.json").read_text()) if names else {}
    lines = []
    for name in names or scenarios:
        it, more = await asyncio.wait_for(scenarios[name](), 90)
        lab = getattr(it, "lab", it)
        packets = lab.recorder.packets
        (folder / f"{name}.btsnoop").write_bytes(formats.btsnoop_h4(packets)[0])
        for file, content in more.items():
            dump(folder / file, content)
        truth[name] = {"packets": len(packets), "keys": sorted(more),
                       "about": " ".join(scenarios[name].__doc__.split()),
                       "mistakes": it.mistakes.all}
        print(f"{name:20} {len(packets):5} packets  {len(it.mistakes.all):3} mistakes", flush=True)
    dump(folder / "truth.json", truth)
    files = "\n".join(f"* `{n}.btsnoop`: {t['packets']} packets. {t['about']}"
                      for n, t in sorted(truth.items()))
    (folder / "ORIGIN.md").write_text(f"""# mistakes

Captures with deliberate mistakes, each for a rule of `hark findings`.

Made by `captures/generator/mistakes.py captures` with {versions()}: two emulated devices, each a full
host stack, on an emulated radio link. Every packet was actually sent; the recording is the phone's HCI.
The generator does not wait: it advances the recording clock instead. The captures contain no real
device, person or place; all keys are TEST KEYS.

{files}
* `profile.yaml`: describes the invented vendor's messages.
* `app.ndjson`, `extensions.ndjson`: journals for `keys.btsnoop`, with mistakes of the app and its
extensions; `engine.ndjson`: a journal for `ea-launch.btsnoop`; `audio-app.ndjson`: one for
aria-session, of an app that uses all of AudioAccessoryKit incorrectly; `Info.plist` and `Lapse.app`:
wrong declarations of extensions and an app. They were written by hand.
* `truth.json`: the rules, and between which packets each mistake was made.
""")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
