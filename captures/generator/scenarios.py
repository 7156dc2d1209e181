"""The scenarios: what phone and accessory do, and what of it a decoder must find."""
import asyncio

from bumble.core import PhysicalTransport
from bumble.l2cap import LeCreditBasedChannelSpec

import channels
import clip
import lens
import notifbridge
import pebble
import services
from hpke import Generation, Strings, TO_ACCESSORY, TO_HOST, encapsulate, public_key, test_key
from lab import Lab, advertising, test_uuid, timestamp
from swift import as_json, png, swift_date, swift_notification

WATCH, OTHER = "Acme Watch", "Someone else's watch"
TEST_KEYS = "TEST KEYS of a sample capture: they protect nothing and are published on purpose"
scenarios = {}


def scenario(alternative):
    """Registers a scenario with the format of its second file."""
    def register(function):
        scenarios[function.__name__.replace("_", "-")] = function, alternative
        return function
    return register


class Result:
    """A finished run: the lab, its key files by name, what the accessory opened (None where it
    could not), what else belongs in truth.json. `deaf` is how many messages the accessory could
    not open although an analyser can."""

    def __init__(self, lab, keys, opened, deaf=0, **more):
        self.lab, self.keys, self.more = lab, keys, more
        readable = [e["plaintext"] for e in lab.events if e["kind"] == "message"
                    and e["direction"] == TO_ACCESSORY and "locked" not in e]
        assert len(readable) - deaf == sum(x is not None for x in opened)
        assert all(x[1].hex() in readable for x in opened if x)


def watch_keys(identifier=None, name=WATCH):
    key = test_key(name)
    entry = {"name": name, "cipherSuite": "p256", "privateKey": key.hex(),
             "publicKey": public_key("p256", key).hex()}
    if identifier:
        entry["identifiers"] = [identifier]
    return key_file(accessoryKeys=[entry])


def key_file(**keys):
    return {"format": "hark-keys", "version": 1, "note": TEST_KEYS, "test": True, **keys}


def exported(generations, session):
    return key_file(sessionKeys=[
        {"name": f"{WATCH}, generation {g.number}", "direction": direction, "sessionID": session,
         "key": g.key(direction, session).hex()}
        for g in generations for direction in (TO_ACCESSORY, TO_HOST)])


# --- Pebble ------------------------------------------------------------------------------------

@scenario("pklg")
async def pebble_session():
    """An afternoon in forty seconds: messages, a calendar event, a delivery and the doorbell on a
    watch. One is answered from the wrist, and one is too long for a single write."""
    name = "pebble-session"
    identifier, session = test_uuid(f"{name}/peripheral"), test_uuid(f"{name}/feature")
    async with Lab(name, "2026-11-20T16:41:00", "Acme Watch 4F2A",
                   numeric_comparison=True) as lab:
        watch, phone, here, there = await pebble.meet(lab, test_key(WATCH), identifier)
        await lab.pause(3.2)
        await phone.send(session, pebble.present(
            "Mara Lindqvist", None, "The 17:10 is on time. Shall I keep you a seat by the window? 🚆",
            "Messages", "msg-7141", True,
            [("reply", "Reply", True), ("like", "Like", False), ("mute", "Mute", False)]))
        await lab.pause(6.1)
        await watch.respond(there, session, *pebble.reply(
            "msg-7141", "reply", "Yes please! I’ll bring the coffee ☕"),
            note="answered on the watch with the text-input action")
        await lab.pause(1.4)
        await phone.send(session, pebble.remove("msg-7141"),
                         note="answered, so the phone takes it away")
        await lab.pause(4.4)
        await phone.send(session, pebble.present(
            "Design review", "Room Linnaeus · 16:55 – 17:40",
            "Agenda: 1) the new charging cradle, with the samples from Tuesday. 2) Battery figures "
            "of firmware 4.2, three weeks on the wrist. 3) Which of the two straps goes into the "
            "box. Please look at the drawings before; Ines brings prints.",
            "Calendar", "cal-20261120-1655", True,
            [("join", "Join by telephone", False), ("snooze", "Remind me in 5 minutes", False),
             ("decline", "Decline with a message", True), ("open", "Show on iPhone", False)]),
            note="several MORE/FIRST fragments")
        await lab.pause(5.0)
        await phone.send(session, pebble.present(
            "Parcel 3 stops away", "Nordpost", "Your parcel arrives between 16:50 and 17:05.",
            "Nordpost", "parcel-JD0140", True, [("leave", "Leave at the door", False)]))
        await lab.pause(2.9)
        await phone.send(session, pebble.present(
            "Rain in 20 minutes", "Light until 18:00", "Take the umbrella; 7 °C this evening.",
            "Weather", "wx-1630", False))
        await lab.pause(3.3)
        await phone.send(session, pebble.present(
            "Parcel delivered", "Nordpost", "Handed to your neighbour, Mr. Okafor (2nd floor).",
            "Nordpost", "parcel-JD0140", False),
            note="update: same identifier, and it must not alert again")
        await lab.pause(3.8)
        await phone.send(session, pebble.present(
            "Front door", None, "Someone is at the door.", "Doorbell", "bell-2217", True,
            [("open", "Open the door", False), ("talk", "Answer", False)]))
        await lab.pause(3.4)
        await watch.respond(there, session, *pebble.reply("bell-2217", "open", ""),
                            note="an action without text")
        await lab.pause(1.9)
        await phone.send(session, pebble.present(
            "Tomás", "Climbing club", "Hall 2 is free at 20:00. Who is in?", "Messages",
            "msg-7142", True, [("reply", "Reply", True), ("like", "Like", False)]))
        await lab.pause(1.6)
        await phone.send(session, pebble.remove_all(), note="Clear All on the phone")
        await lab.pause(1.4)
        await lab.disconnect(here, "phone")
    return Result(lab, {"accessory.harkkeys": watch_keys(identifier)}, opened=watch.opened)


@scenario("monitor")
async def pebble_rekey():
    """The phone agrees on new keys while a message encrypted with the old ones is still in
    transit."""
    identifier, session = test_uuid("pebble-rekey/peripheral"), test_uuid("pebble-rekey/feature")
    async with Lab("pebble-rekey", "2026-11-20T08:12:00", "Acme Watch 4F2A", acl_length=27,
                   extended=False) as lab:
        watch, phone, here, there = await pebble.meet(lab, test_key(WATCH), identifier)
        await lab.pause(2)
        await phone.send(session, pebble.present(
            "Good morning", None, "Rain until ten, then sun.", "Weather", "wx-1"))
        await lab.pause(3)
        old = phone.generations[-1]
        await phone.exchange_keys(identifier, note="re-key: same identifier, new encapsulated key")
        await phone.send(session, pebble.present(
            "Tram 12", None, "Next one in 4 minutes.", "Transit", "tram-12"), generation=old,
            note="in flight: sealed with the previous generation, sent after the new session")
        await lab.pause(1)
        await phone.send(session, pebble.present(
            "Tram 12", None, "Next one in 3 minutes.", "Transit", "tram-12", False))
        await lab.pause(1)
        await watch.respond(there, session, *pebble.reply("tram-12", "dismiss", ""))
        await phone.send(session, pebble.remove("tram-12"))
        await lab.pause(1)
        await lab.disconnect(there, "accessory")
    return Result(lab, {
        "accessory.harkkeys": watch_keys(identifier),
        "session.harkkeys": exported(phone.generations, session)}, opened=watch.opened)


async def spelled(name, start, strings, note):
    identifier, session = test_uuid(f"{name}/peripheral"), test_uuid(f"{name}/feature")
    async with Lab(name, start, "Acme Watch 4F2A") as lab:
        watch, phone, here, there = await pebble.meet(lab, test_key(WATCH), identifier, strings)
        await lab.pause(2)
        await phone.send(session, pebble.present(
            "Lunch?", None, "Noodles at noon, table for three.", "Messages", "msg-1", True,
            [("reply", "Reply", True)]), note=note)
        await lab.pause(2)
        await watch.respond(there, session, *pebble.reply("msg-1", "reply", "Count me in"),
                            note=note)
        await lab.pause(1)
        await phone.send(session, pebble.remove("msg-1"), note=note)
        await lab.pause(1)
        await lab.disconnect(here, "phone")
    derivation = {"info": strings.info(identifier).decode(),
                  "context": strings.context(identifier, TO_ACCESSORY, session).decode()}
    return Result(lab, {"accessory.harkkeys": watch_keys(identifier)}, opened=watch.opened,
                  derivation=derivation)


@scenario("pklg-le")
async def pebble_wrong_derivation():
    """Both sides spell the version `version1`: only this spelling decrypts the messages."""
    return await spelled("pebble-wrong-derivation", "2026-11-20T11:31:00",
                         Strings(version="version1"), "opens only with the spelling version1")


@scenario("pcapng")
async def pebble_bytes_trap():
    """Both sides build the context from the description of the info bytes, as a literal reading of
    the documented sample code does: `50 bytes-HostToAccessory-<session>`."""
    return await spelled("pebble-bytes-trap", "2026-11-20T11:47:00", Strings(bytes_trap=True),
                         "opens only with the context '50 bytes-<direction>-<session>'")


@scenario("monitor")
async def pebble_reboot():
    """The watch restarts and has lost its session keys; the phone continues sending until a new
    session is agreed on. The second connection uses the bond: LE Start Encryption with the LTK,
    no pairing, no discovery, the handles of the first connection."""
    identifier, session = test_uuid("pebble-reboot/peripheral"), test_uuid("pebble-reboot/feature")
    async with Lab("pebble-reboot", "2026-11-20T21:05:00", "Acme Watch 4F2A") as lab:
        watch, phone, here, there = await pebble.meet(lab, test_key(WATCH), identifier)
        await lab.pause(2)
        await phone.send(session, pebble.present(
            "Timer", None, "Bread: 20 minutes left.", "Clock", "timer-1"))
        await lab.pause(6.1)                         # the supervision timeout is 6 s
        lab.lose_link(here)
        watch.reboot()
        await lab.pause(4)
        here, there = await lab.connect(*pebble.advertise(lab))
        peer = await lab.tune(here, 185)
        await here.encrypt()
        await asyncio.sleep(0.05)
        old = phone.generations[-1]
        await phone.attach_bonded(here, peer)
        phone.encapsulate(identifier)                # its SESSION never went out
        await phone.send(session, pebble.present(
            "Timer", None, "Bread: 10 minutes left.", "Clock", "timer-1", False), generation=old,
            note="before any SESSION of this connection: an analyser that kept generation 1 can "
                 "open it, the restarted accessory cannot")
        await phone.send(
            session, pebble.present("Timer", None, "Bread: 9 minutes left.", "Clock", "timer-1"),
            locked={"reason": "noKey", "text": "sealed under an encapsulated key that was never "
                    "sent: no SESSION of this capture gives its key"})
        await lab.pause(3)
        await phone.exchange_keys(identifier)
        await phone.send(session, pebble.present(
            "Timer", None, "The bread is ready!", "Clock", "timer-1", True,
            [("stop", "Stop", False)]))
        await lab.pause(2)
        await phone.send(session, pebble.remove("timer-1"))
        await lab.pause(1)
        await lab.disconnect(here, "phone")
        assert watch.opened[1:3] == [None, None] and None not in watch.opened[3:]
    return Result(lab, {"accessory.harkkeys": watch_keys(identifier)}, opened=watch.opened,
                  deaf=1)


@scenario("pcapng")
async def pebble_faults():
    """A retry, a nonce used twice, a second session id, a damaged byte and a foreign key."""
    identifier, session = test_uuid("pebble-faults/peripheral"), test_uuid("pebble-faults/feature")
    second = test_uuid("pebble-faults/second feature")
    async with Lab("pebble-faults", "2026-11-20T14:02:00", "Acme Watch 4F2A") as lab:
        watch, phone, here, there = await pebble.meet(lab, test_key(WATCH), identifier)
        await lab.pause(2)
        once = pebble.present("Invoice 2201", None, "Paid, thank you.", "Bank", "inv-2201")
        blob = await phone.send(session, once)
        await lab.pause(1)
        await phone.send(session, once, blob=blob, note="retry: the same blob once more")
        await lab.pause(1)
        await phone.send(
            session, pebble.present("Gate B22", None, "Boarding now.", "Airline", "gate"),
            iv=blob[:12],
            note="nonce reuse: another plaintext under the same key and IV as the first message")
        await lab.pause(1)
        await phone.send(
            second, pebble.present("Camera", None, "Motion in the garden.", "Home", "cam"),
            note="a session UUID not seen before; the key follows from it")
        await lab.pause(1)
        sealed = phone.generations[-1].seal(TO_ACCESSORY, session, b"\2lost in a bit flip")
        damaged = sealed[:20] + bytes([sealed[20] ^ 0x40]) + sealed[21:]
        await phone.send(session, (b"", {}), blob=damaged, locked={
            "reason": "tagMismatch", "text": "byte 20 of the blob (ciphertext) is damaged; "
            "the key is the right one"})
        await lab.pause(1)
        info = Strings().info(identifier)
        _, export = encapsulate("p256", public_key("p256", test_key(OTHER)), info)
        foreign = Generation(0, identifier, Strings(), export)
        sealed = foreign.seal(TO_ACCESSORY, session, b"\3")
        await phone.send(session, (b"", {}), blob=sealed, locked={
            "reason": "tagMismatch", "text": "sealed for another accessory's public key"})
        await lab.pause(1)
        await phone.send(session, pebble.remove("inv-2201"))
        await lab.pause(1)
        await lab.disconnect(there, "accessory")
        assert [x is None for x in watch.opened] == [False] * 4 + [True] * 2 + [False]
    return Result(lab, {"accessory.harkkeys": watch_keys(identifier)}, opened=watch.opened)


# --- NotifBridge -------------------------------------------------------------------------------

@scenario("pcapng")
async def notifbridge_v1():
    """X-Wing keys in two phases, wrapped and acknowledged chunks, JSON events, and the commands
    that come back."""
    name = "notifbridge-v1"
    count = iter(range(1000))

    def new():
        return test_uuid(f"{name}/{next(count)}")

    identifier, session = new(), new()
    async with Lab(name, "2026-11-20T18:20:00", "Acme NotifBdg") as lab:
        relay, phone, here, there = await notifbridge.meet(lab, test_key(name), wrapped=True)
        await phone.exchange_keys(identifier, new(), (new(), new()))
        await lab.pause(3)

        def event(kind, **fields):
            return {"version": 3, "id": new(), "kind": kind, **fields, "sentAt": swift_date(lab)}

        def command(kind, **fields):
            return {"version": 3, "id": new(), "kind": kind, "identity": identity, **fields}

        identity = {"sourceIdentifier": "com.example.messages", "notificationIdentifier": "m-88"}
        text = swift_notification(
            lab, "Ines Okafor", "Dinner at eight? The place by the canal has a table left.",
            **{"source": identity["sourceIdentifier"], "name": "Messages",
               "identifier": identity["notificationIdentifier"]},
            subtitle="Friday people", threadIdentifier="chat-5", attributes=2,
            actions=[{"id": "reply", "title": "Reply",
                      "type": {"textInput": {"placeholder": "Message"}}},
                     {"id": "read", "title": "Mark as Read", "type": {"background": {}}},
                     {"id": "dismiss", "title": "Close", "type": {"dismiss": {}}}],
            contextIcon=png(48, (255, 149, 0)))
        added = event("add", notification=text)
        await phone.send(session, as_json(added), receipt=new(),
                         note="several chunks, three actions")
        await lab.pause(0.4)
        await relay.command(session, as_json(
            command("displayed", replyTo=added["id"], didAlert=True)))
        await lab.pause(2)
        changed = dict(text, hasSound=False, shouldAlert=False,
                       body="Dinner at half past eight? The place by the canal has a table left.")
        await phone.send(session, as_json(event("update", notification=changed)),
                         receipt=new())
        await lab.pause(5)
        response = command("respond", actionIdentifier="reply",
                           userText="With pleasure — see you there!")
        await relay.command(session, as_json(response))
        await lab.pause(0.6)
        await phone.send(session, as_json(event("commandResult", result={
            "commandID": response["id"], "success": True,
            "message": "Response accepted by iPhone"})), receipt=new())
        await lab.pause(2)
        await phone.send(session, as_json(event("remove", identity=identity)),
                         receipt=new())
        await lab.pause(1)
        await relay.queue.join()
        await lab.disconnect(here, "phone")
    return Result(lab, {}, opened=relay.opened,
                  flowControl={"wrapped": phone.wraps, "acknowledged": phone.wraps})


ACTIONS = [("reply", "Reply", 1, "Message"), ("done", "Done", 0, None), ("x", "Close", 2, None)]


@scenario("pklg-le")
async def notifbridge_v0():
    """The first version: one ShareKeyEvent in long writes, plain chunks without response, binary
    plaintext."""
    name = "notifbridge-v0"
    identifier, session = test_uuid(f"{name}/peripheral"), test_uuid(f"{name}/feature")
    async with Lab(name, "2026-11-20T18:02:00", "Acme NotifBdg") as lab:
        relay, phone, here, there = await notifbridge.meet(lab, test_key(name), False, mtu=185)
        await phone.share_keys(identifier, 512)
        await lab.pause(2)
        await phone.send(session, notifbridge.binary(
            "Library", "Two books", "“The Sea” and “Maps” are due on Monday.", "Reminders",
            "com.example.reminders", "r-12", "library", True, 2, ACTIONS,
            png(16, (0, 122, 255)), b"", [("public.png", png(32, (52, 199, 89)))]))
        await lab.pause(2)
        await phone.send(session, notifbridge.binary(
            "Ferry", "", "Crossing at 18:40 is running.", "Ports", "com.example.ports", "f-3"))
        await lab.pause(1)
        await lab.disconnect(there, "accessory")
    return Result(lab, {}, opened=relay.opened)


@scenario("monitor")
async def notifbridge_lost_chunk():
    """Values that never arrived: one chunk from the middle of a message, and the last
    chunk and END of another."""
    name = "notifbridge-lost-chunk"
    identifier, session = test_uuid(f"{name}/peripheral"), test_uuid(f"{name}/feature")

    def note(number, title, body):
        return notifbridge.binary(title, "", body, "Notes", "com.example.notes", f"n-{number}", "",
                                  False, 0, ACTIONS)

    async with Lab(name, "2026-11-20T19:15:00", "Acme NotifBdg") as lab:
        relay, phone, here, there = await notifbridge.meet(lab, test_key(name), False, mtu=185)
        await phone.share_keys(identifier, 512)
        await lab.pause(2)
        await phone.send(session, note(1, "Shopping", "Bread, lemons, batteries, a birthday card."))
        await lab.pause(2)
        await phone.send(
            session,
            note(2, "Packing", "Tent, stove, two lamps, rope, rain coat, map of the ridge; the "
                 "large bag stays here, Jonas brings the second one on Saturday."),
            leave_out=1, locked={
                "reason": "incomplete", "text": "the second chunk is missing: between START and "
                "END stands JSON whose base64 is too short by one chunk"})
        await lab.pause(2)
        await phone.send(session, note(3, "Call", "Dentist, before noon."), cut=2, locked={
            "reason": "incomplete",
            "text": "the last chunk and END never came; the next START discards it"})
        await lab.pause(1)
        await phone.send(session, note(4, "Garden", "Water the tomatoes."))
        await lab.pause(1)
        await phone.send(session, note(5, "Bike", "Front tyre is slow again."))
        await lab.pause(1)
        await lab.disconnect(here, "phone")
        assert [x is None for x in relay.opened] == [False, True, False, False]
    return Result(lab, {}, opened=relay.opened)


# --- Apple's own services ----------------------------------------------------------------------

@scenario("pklg")
async def ancs_session():
    """A watch that supports only ANCS: an earlier voicemail, a message with all its attributes in
    several values, the name of its application, a change, an accepted call, a notification that is
    removed before its attributes are requested, an action that fails, a command that does not
    exist, and an answer cut in half by the end of the link."""
    name = "ancs-session"
    async with Lab(name, "2026-11-21T09:14:00", "Acme Watch 4F2A") as lab:
        center = services.NotificationCenter(lab)
        services.current_time(lab, (2026, 11, 21, 10, 14, 1))
        here, there, _ = await lab.first_meeting(
            *services.soliciting(lab.accessory_name, services.ANCS), mtu=100)
        watch = await services.NotificationConsumer.start(lab, there)
        await services.read_clock(there)
        await lab.pause(0.4)
        S = services
        await center.announce(
            here, "added", 11, 3, 1, S.PRE_EXISTING | S.NEGATIVE, a0="com.apple.mobilephone",
            a1="Dr. Adeyemi", a2="", a3="Voicemail, 0:42", a4="15", a5="20261121T084205",
            a7="Clear")
        await lab.pause(1.2)
        await watch.attributes(11, [0, (1, 32), 5])
        await lab.pause(6.0)
        message = ("The ferry is late, so there is time for a coffee. I am at the second table by "
                   "the harbour window, the one with the lamp. Bring the map with the new pier! ⛴")
        texts = {"a0": "com.apple.MobileSMS", "a1": "Ines Carvalho", "a2": "Harbour, 10:30",
                 "a3": message, "a4": str(len(message.encode())), "a5": "20261121T101408",
                 "a6": "Reply", "a7": "Clear"}
        await center.announce(here, "added", 12, 4, 1, S.IMPORTANT | S.POSITIVE | S.NEGATIVE,
                              **texts)
        center.apps["com.apple.MobileSMS"] = "Messages"
        await lab.pause(0.2)
        await watch.app("com.apple.MobileSMS")
        await watch.attributes(12)
        await lab.pause(9.1)
        texts |= {"a3": "It comes at 10:50.", "a4": "18"}
        await center.announce(here, "modified", 12, 4, 1, S.POSITIVE | S.NEGATIVE, **texts)
        await lab.pause(0.1)
        await watch.attributes(12, [0, (1, 32), (3, 64)])
        await lab.pause(12.0)
        await center.announce(
            here, "added", 13, 1, 1, S.IMPORTANT | S.POSITIVE | S.NEGATIVE,
            a0="com.apple.mobilephone", a1="Tomás", a2="", a3="Incoming Call", a4="13",
            a5="20261121T101430", a6="Answer", a7="Decline")
        await lab.pause(0.1)
        await watch.attributes(13, [0, (1, 32), 6, 7])
        await lab.pause(2.4)
        await watch.act(13, 0)
        await center.announce(here, "removed", 13, 1, 0, 0)
        await lab.pause(20.0)
        center.failing.add(12)
        await watch.act(12, 0, error=0xA3)
        await center.announce(here, "removed", 12, 4, 0, 0)
        await lab.pause(0.3)
        await watch.attributes(12, error=0xA2)
        await watch.raw(bytes([9, 1]), error=0xA0)
        await lab.pause(5.0)
        await center.announce(
            here, "added", 14, 6, 3, S.SILENT | S.NEGATIVE, a0="com.apple.mobilemail",
            a1="Norte Ferries", a2="Your booking NF-7731", a3="Thank you for travelling with us. "
            "Your ticket is in the attachment; keep it until you are on board.", a4="99",
            a5="20261121T101512", a7="Trash")
        await lab.pause(0.1)
        center.cut_after = 1
        left = asyncio.ensure_future(watch.attributes(14))
        await lab.pause(1.0)
        left.cancel()
        await lab.disconnect(here, "phone")
    return Result(lab, {}, [])


@scenario("pcapng")
async def ams_session():
    """A remote control for music: the commands that the phone accepts; changes of player, queue and
    track; a title too long for one value, which is then read in full; accepted commands and a
    refused one; and a missing attribute."""
    name = "ams-session"
    async with Lab(name, "2026-11-21T20:05:00", "Acme Remote") as lab:
        player = services.MediaPlayer(lab)
        here, there, _ = await lab.first_meeting(
            *services.soliciting(lab.accessory_name, services.AMS), mtu=64)
        remote = await services.MediaRemote.start(lab, there)
        await player.supports(here, 0, 1, 2, 3, 4, 5, 6)
        await remote.watch(0, 0, 1, 2)
        await remote.watch(1, 0, 1, 2, 3)
        await remote.watch(2, 0, 1, 2, 3)
        await player.tell(here, 0, 0, "Music")
        await player.tell(here, 0, 1, "0,0.0,0.0")
        await player.tell(here, 0, 2, "0.4375")
        await player.tell(here, 1, 0, "2")
        await player.tell(here, 1, 1, "11")
        await player.tell(here, 1, 2, "0")
        await player.tell(here, 1, 3, "2")
        await lab.pause(3.0)
        await player.tell(here, 2, 0, "Orquesta del Faro")
        await player.tell(here, 2, 1, "Noches en el muelle")
        await player.tell(
            here, 2, 2, "Vals para una lámpara encendida en la ventana del puerto (en vivo)")
        await lab.pause(0.2)
        await player.tell(here, 2, 3, "314.506")
        await lab.pause(1.0)
        await remote.command(0)
        await player.tell(here, 0, 1, "1,1.0,0.118")
        await lab.pause(40.0)
        await remote.command(5)
        await player.tell(here, 0, 2, "0.5")
        await lab.pause(12.0)
        await remote.command(3)
        await player.tell(here, 1, 0, "3")
        await player.tell(here, 2, 2, "Marea baja")
        await player.tell(here, 2, 3, "201.0")
        await player.tell(here, 0, 1, "1,1.0,0.0")
        await player.supports(here, 0, 1, 2, 3, 4, 5, 6, 11)
        await lab.pause(2.0)
        player.refused[11] = 0xA0
        await remote.command(11, error=0xA0)
        await remote.absent(0, 3)
        await lab.pause(30.0)
        await player.tell(here, 0, 1, "0,0.0,30.4")
        await lab.pause(1.0)
        await lab.disconnect(here, "phone")
    return Result(lab, {}, [])


# --- L2CAP channels ----------------------------------------------------------------------------

@scenario("monitor")
async def coc_session():
    """A firmware image and its receipt over an LE credit-based channel: SDUs longer than the MPS in
    both directions, some that fit into one frame, and credits that run out and are returned. The
    capture lacks one K-frame from the accessory, as if the recorder had lost it: the accessory's
    second SDU is incomplete there, although the phone received all of it."""
    name = "coc-session"
    async with Lab(name, "2026-11-21T13:02:00", "Acme Recorder", acl_length=64) as lab:
        here, there, _ = await lab.first_meeting(*advertising(lab.accessory_name, 0x180F), mtu=100)
        phone, accessory = await channels.credit_based(
            lab, here,
            LeCreditBasedChannelSpec(channels.PRIVATE_SPSM, mtu=600, mps=60, max_credits=6),
            LeCreditBasedChannelSpec(channels.PRIVATE_SPSM, mtu=1000, mps=100, max_credits=3))
        await lab.pause(0.5)
        await phone.deliver(b"PUT firmware.bin 2400\n", note="one frame")
        await accessory.deliver(b"OK\n")
        for part in range(3):
            await phone.deliver(channels.blob(f"part {part}", 800))
        await phone.deliver(channels.blob("exactly one frame", 98), note="as long as the MPS allows")
        await phone.deliver(channels.blob("one byte more", 99), note="the second frame has one byte")
        await lab.pause(1.0)
        await accessory.deliver(channels.blob("receipt", 600), note="as long as the MTU")
        await lab.pause(1.0)
        log = channels.blob("log", 400)
        await accessory.deliver(log, locked={
            "reason": "incomplete", "text": "the third of its seven K-frames is not in the capture"})
        lab.recorder.forget(lambda packet: packet[0] == 2 and packet[9:] == log[118:178])
        await lab.pause(1.0)
        await accessory.deliver(channels.blob("another log", 250))
        await phone.deliver(b"BYE\n")
        both = channels.blob("at once", 330)
        phone.send(both)
        await accessory.deliver(both[::-1], note="at the same time as the phone")
        await phone.channel.drain()
        await lab.pause(0.5)
        await phone.channel.disconnect()
        await lab.disconnect(here, "phone")
    return Result(lab, {}, [])


@scenario("pcapng")
async def eatt_session():
    """Two Enhanced ATT bearers, which are Bumble's own on both sides. On one, the client reads a
    log from a slow server, while it reads and writes settings on the other. Both carry
    notifications, and one value has several segments."""
    name = "eatt-session"
    async with Lab(name, "2026-11-21T13:31:00", "Acme Recorder") as lab:
        recorder = channels.Recorder(lab)
        here, _, peer = await lab.first_meeting(
            *advertising(lab.accessory_name, 0x180F), mtu=100)
        one, two = await channels.bearers(lab, here, 2)
        await lab.pause(0.5)
        status, log, settings = (
            peer.get_characteristics_by_uuid(channels.uuid(u))[0].handle
            for u in (channels.STATUS, channels.LOG, channels.SETTINGS))
        for client in (one, two):
            await client.write_value(status + 1, b"\1\0", with_response=True)
        await lab.pause(0.5)
        slow = asyncio.ensure_future(one.read_value(log, no_long_read=True))
        assert await two.read_value(settings) == b"quiet"
        await two.write_value(settings, b"loud", with_response=True)
        assert await two.read_value(settings) == b"loud"
        assert await slow == recorder.log
        await lab.pause(0.5)
        await recorder.become(0, b"recording")
        await recorder.become(1, b"recording")
        await recorder.become(1, channels.blob("full:", 130))
        await lab.pause(0.5)
        first, second = await asyncio.gather(
            one.read_value(log, no_long_read=True), two.read_value(log, no_long_read=True))
        assert first == second == recorder.log
        await two.write_value(settings, channels.blob("settings", 160), with_response=True)
        await lab.pause(0.5)
        await two.bearer.disconnect()
        assert await one.read_value(settings) == channels.blob("settings", 160)
        await lab.disconnect(here, "phone")
    return Result(lab, {}, [])


@scenario("pklg")
async def ertm_session():
    """A channel in Enhanced Retransmission mode with FCS between two BR/EDR devices: SDUs in one or
    several I-frames in both directions. One I-frame of each side is lost over the air: the other
    side requests it with a REJ, and the sender retransmits it and the following ones. Bumble does
    neither: the code for both is written by hand, in channels.py. Its I-frames have the Final
    bit."""
    name = "ertm-session"
    async with Lab(name, "2026-11-21T14:10:00", "Acme Recorder", acl_length=64,
                   classic=True) as lab:
        met = asyncio.get_running_loop().create_future()
        lab.accessory.once("connection", met.set_result)
        here = await lab.phone.connect(
            lab.addresses["accessory"]["public"], transport=PhysicalTransport.BR_EDR)
        there = await met
        await lab.phone.request_remote_name(here)
        await lab.pause(0.3)
        phone, accessory = await channels.retransmission(lab, here)
        await lab.pause(0.5)
        await phone.deliver(b"LIST\n", note="one I-frame")
        await accessory.deliver(channels.blob("listing", 350), note="Start, Continuation, End")
        await phone.deliver(channels.blob("upload", 600))
        await lab.pause(1.0)

        def lose(endpoint, tx_seq):
            """Loses the next I-frame with a TxSeq once."""
            cid = endpoint.channel.destination_cid

            def is_lost(data):
                if not channels.i_frame(data, tx_seq % 64, cid):
                    return False
                lab.link.lost = lambda data: False
                return True
            lab.link.lost = is_lost

        lose(phone, phone.channel.processor._next_tx_seq + 1)
        await phone.deliver(channels.blob("lost on the way out", 450),
                            note="its second I-frame is lost on the air and sent again")
        await lab.pause(1.0)
        lose(accessory, accessory.channel.processor._next_tx_seq + 2)
        accessory.send(channels.blob("lost on the way in", 420),
                       note="its third I-frame is lost on the air: the phone asks for it")
        await accessory.deliver(b"DONE\n", note="came before the frame that was lost came")
        await lab.pause(1.0)
        for part in range(9):
            await phone.deliver(channels.blob(f"part {part}", 550))
        await phone.deliver(b"BYE\n", note="TxSeq has begun anew")
        await lab.pause(1.0)
        await phone.channel.disconnect()
        await lab.disconnect(there, "accessory")
    return Result(lab, {}, [])


# --- Invented vendors --------------------------------------------------------------------------

@scenario("pcapng")
async def lens_session():
    """Glasses of an invented vendor that receive notifications over their own channel: X-Wing keys,
    messages longer than one SDU, each confirmed, answers, and reports of what the glasses
    displayed. Then new keys."""
    name = "lens-session"
    identifier, session = test_uuid(f"{name}/peripheral"), test_uuid(f"{name}/feature")
    chat, bike = "com.example.chat", "com.example.cycling"
    async with Lab(name, "2026-11-21T17:05:00", "Acme Lens 7C", numeric_comparison=True) as lab:
        glasses, phone, here, there = await lens.meet(lab, test_key(name))
        await phone.agree(identifier)
        await lab.pause(0.8)
        await glasses.status(battery=81, worn=True)
        await lab.pause(3)
        await phone.seal(session, *lens.event(
            "add", "chat-88", chat, "Chat", "Noor", None, "Are you at the station yet? 🚉",
            thread="noor", actions=[("reply", "Reply", True), ("heart", "❤️", False)]))
        await glasses.seal(session, *lens.shown("chat-88", chat, True))
        await lab.pause(5.5)
        await glasses.seal(session, *lens.reply("chat-88", chat, "reply", "Platform 4, under the clock"),
                           note="dictated")
        await lab.pause(1.2)
        await phone.seal(session, *lens.remove("chat-88", chat))
        await lab.pause(6)
        await phone.seal(session, *lens.event(
            "add", "ride-3", bike, "Cycling", "Ride planned", "Sunday, 08:30",
            "Forty kilometres along the river and back over the hills. Meet at the mill; bring "
            "lights, it is foggy until nine. Coffee at the lock around ten, and whoever has a "
            "second pump takes it along this time.",
            actions=[("join", "I am in", False), ("no", "Not today", False)], icon=png(24, (12, 96, 160))),
            note="with an icon: two SDUs")
        await lab.pause(2)
        await phone.seal(session, *lens.event(
            "update", "ride-3", bike, "Cycling", "Ride planned", "Sunday, 09:00",
            "Half an hour later because of the fog.", alert=False))
        await glasses.seal(session, *lens.shown("ride-3", bike, False))
        await lab.pause(4)
        await glasses.seal(session, *lens.reply("ride-3", bike, "join"))
        await lab.pause(9)
        await glasses.offer()
        await phone.agree(identifier)
        await lab.pause(1)
        await phone.seal(session, *lens.event(
            "add", "chat-89", chat, "Chat", "Noor", None, "Found you!", thread="noor",
            actions=[("reply", "Reply", True)]), note="with the second generation of keys")
        await lab.pause(2)
        await phone.seal(session, *lens.remove_all())
        await glasses.status(battery=80, worn=False)
        await lab.pause(1)
        await phone.channel.disconnect()
        await lab.disconnect(here, "phone")
    return Result(lab, {"accessory.harkkeys": lens_keys(name, identifier)}, opened=glasses.opened)


@scenario("pklg")
async def lens_activities():
    """The same glasses with Live Activities: one starts, is updated, alerts and ends, and one is
    dismissed. The app confirms three alerts, but never sends the last one."""
    name = "lens-activities"
    identifier, session = test_uuid(f"{name}/peripheral"), test_uuid(f"{name}/feature")
    pizza, match = "com.example.pizza", "com.example.scores"
    async with Lab(name, "2026-11-23T18:40:00", "Acme Lens 7C", numeric_comparison=True) as lab:
        glasses, phone, here, there = await lens.meet(lab, test_key(name))
        alerts = []

        def confirms(identifier, is_sent):
            alerts.append({"identifier": identifier, "isSent": is_sent,
                           "time": timestamp(lab.recorder.now())})

        await phone.agree(identifier)
        await lab.pause(1)
        await phone.seal(session, *lens.activity(
            "start", "order-77", pizza, "Pizza", "active", 0.5, "In the oven", "Ready at 19:05"))
        await lab.pause(6)
        await phone.seal(session, *lens.activity(
            "update", "order-77", pizza, "Pizza", "active", 0.75, "On its way", "12 min 🛵"))
        await lab.pause(2)
        await phone.seal(session, *lens.activity(
            "start", "match-3", match, "Scores", "active", 0.25, "Hafen 0 : 0 Mühle"))
        await lab.pause(7)
        confirms("order-77", True)
        await phone.seal(session, *lens.activity(
            "alert", "order-77", pizza, "Pizza", "active", 0.9, "At the door",
            "Frau Lindqvist, third floor"), note="with an alert")
        await lab.pause(5)
        confirms("match-3", True)
        await phone.seal(session, *lens.activity(
            "alert", "match-3", match, "Scores", "stale", 0.3, "Hafen 1 : 0 Mühle"),
            note="with an alert")
        await lab.pause(3)
        await phone.seal(session, *lens.activity(
            "end", "order-77", state="ended", title="Delivered"))
        await lab.pause(8)
        confirms("match-3", False)
        await lab.pause(9)
        await phone.seal(session, *lens.activity("end", "match-3", state="dismissed"))
        await glasses.status(battery=64, worn=True)
        await lab.pause(1)
        await phone.channel.disconnect()
        await lab.disconnect(here, "phone")
    return Result(lab, {"accessory.harkkeys": lens_keys(name, identifier)}, opened=glasses.opened,
                  alerts=alerts)


def lens_keys(name, identifier):
    return key_file(accessoryKeys=[{
        "name": "Acme Lens", "cipherSuite": "xWing", "privateKey": test_key(name).hex(),
        "publicKey": public_key("xwing", test_key(name)).hex(), "identifiers": [identifier]}])


@scenario("pklg")
async def tutorial():
    """A clip with a small display, made by an invented vendor. No profile of hark describes its
    protocol: docs/tutorial.md writes one. Keys, four messages to the clip, two answers, and an
    occasional keep-alive."""
    name = "tutorial"
    identifier, session = test_uuid(f"{name}/peripheral"), test_uuid(f"{name}/feature")
    async with Lab(name, "2026-11-21T08:30:00", "Acme Clip 11") as lab:
        device, phone, here, there = await clip.meet(lab, test_key(name), identifier)
        await lab.pause(1)
        await device.alive(93, 41)
        await phone.show(session, "tram-4", "Transit", "Tram 4", "Leaves in six minutes.",
                         [("next", "Next one")])
        await lab.pause(7)
        await device.answer(session, "tram-4", "next")
        await lab.pause(2)
        await device.alive(93, 52)
        await phone.show(session, "tram-4", "Transit", "Tram 4", "The next one leaves in 18 minutes.")
        await lab.pause(11)
        await phone.show(session, "chat-5", "Chat", "Ilse", "Tea at yours or mine?",
                         [("say", "Answer"), ("later", "Later")])
        await lab.pause(5)
        await device.answer(session, "chat-5", "say", "Yours. I bring cake.")
        await device.alive(92, 71)
        await phone.hide(session, "chat-5")
        await lab.pause(3)
        await device.alive(92, 75)
        await lab.disconnect(here, "phone")
    return Result(lab, {"accessory.harkkeys": watch_keys(identifier, name)}, opened=device.opened)
