"""Logs and journals of the app's side, made from what the sample captures are known to hold.

`python3 captures/generator/app_side.py captures` writes the files of captures/app-side. Times and
sizes come from each capture's truth.json, which the emulated devices wrote; the clocks of the logs are
wrong on purpose, each in another way, by what CLOCKS says. No app and no phone was there.
"""
import datetime
import json
import pathlib
import plistlib
import random
import sys

# Seconds that a log is ahead of its capture, and how much more it gets ahead in a second.
CLOCKS = {
    "pebble-journal.ndjson": (2.731, 0.0),
    "pebble-log.ndjson": (0.0, 0.0),
    "activities-journal.ndjson": (-0.84, 0.0),
    "aria-syslog.json": (7200.25, 40e-6),       # local time, and a clock that runs fast
    "iap2-syslog.txt": (-1.5, 0.0),
}


def parse(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def truth(folder, name):
    return json.loads((folder / name / "truth.json").read_text())


class Clock:
    """The clock of one log, with the few milliseconds that an app is behind or ahead."""

    def __init__(self, name, start):
        self.offset, self.drift = CLOCKS[name]
        self.start = start
        self.random = random.Random(name)

    def at(self, time, jitter=0.012):
        passed = (time - self.start).total_seconds()
        late = self.random.uniform(-jitter, 0)
        return time + datetime.timedelta(seconds=self.offset + passed * self.drift + late)


def journal(path, header, rows):
    lines = [json.dumps({"journal": "hark", "version": 1, **header})]
    for time, event, facts in sorted(rows, key=lambda row: row[0]):
        stamp = time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        lines.append(json.dumps({"time": stamp, "event": event, **facts}))
    path.write_text("\n".join(lines) + "\n")


def seconds(count):
    return datetime.timedelta(seconds=count)


def address(digits):
    return ":".join(digits[place:place + 2] for place in range(0, 12, 2)).upper()


def pebble_journal(folder, out):
    facts = truth(folder, "pebble-session")
    start = parse(facts["first"])
    clock = Clock(out.name, start)
    session = next(e["sessionID"] for e in facts["events"] if e["kind"] == "message")
    point = "com.apple.accessory-transport-security"
    rows = [
        (clock.at(start + seconds(0.05)), "extension-launched", {"extension_point": point}),
        (clock.at(start + seconds(0.06)), "connection-accepted", {"service": "security"}),
        (clock.at(start + seconds(0.07)), "central-state", {"state": "poweredOn"}),
        (clock.at(start + seconds(1.0)), "session-requested", {}),
        (clock.at(start + seconds(1.01)), "session-accepted", {}),
    ]
    for event in facts["events"]:
        time = clock.at(parse(event["time"]))
        if event["kind"] in ("publicKey", "encapsulatedKey"):
            said = {"key_type": event["kind"], "cipher_suite": "p256", "size": event["length"]}
            if event["kind"] == "encapsulatedKey":
                said["identifier"] = event["identifier"]
            rows.append((time, "security-message", said))
        elif event["kind"] == "message":
            rows.append((time, "transport-message", {
                "direction": event["direction"], "size": event["sealed"]["length"],
                "session": event["sessionID"]}))
            if event["direction"] == "HostToAccessory":
                rows.append((time + seconds(0.03), "message-result",
                             {"result": "success", "session": event["sessionID"]}))
    rows.append((clock.at(parse(facts["last"]) - seconds(0.01)), "session-invalidated",
                 {"session": session}))
    journal(out, {"process": "AcmeTransport", "pid": 731, "bundle": "com.acme.watch.transport",
                  "extension_point": point}, rows)


def activities_journal(folder, out):
    """What the extension for data says of Live Activities, and the one for transport of messages: two processes."""
    facts = truth(folder, "lens-activities")
    start = parse(facts["first"])
    clock = Clock(out.name, start)
    rows = [(clock.at(start + seconds(0.05)), "extension-launched", {})]
    for event in facts["events"]:
        if event["kind"] == "message" and event["direction"] == "HostToAccessory":
            time = clock.at(parse(event["time"]))
            said = event["decoded"]
            if said["type"] in ("liveActivity.start", "liveActivity.update"):
                rows.append((time - seconds(0.02), "live-activity",
                             {"state": "update", "name": said["sourceName"]}))
            rows.append((time, "transport-message", {
                "process": "AcmeTransport", "pid": 731,
                "extension_point": "com.apple.accessory-transport-extension",
                "direction": event["direction"], "size": event["sealed"]["length"],
                "session": event["sessionID"]}))
    for alert in facts["alerts"]:
        rows.append((clock.at(parse(alert["time"])) - seconds(0.02), "live-activity",
                     {"state": "alert", "result": "true"}))
    rows.append((clock.at(parse(facts["last"]) - seconds(0.01)), "extension-ended", {}))
    journal(out, {"process": "AcmeData", "pid": 733, "bundle": "com.acme.lens.data",
                  "extension_point": "com.apple.accessory-data-provider"}, rows)


def unified(time, process, pid, message, subsystem="", category="", level="Default",
            sender=None, path="/usr/sbin/"):
    zone = datetime.timezone(datetime.timedelta(hours=1))
    stamp = time.astimezone(zone)
    return {
        "timezoneName": "", "messageType": level, "eventType": "logEvent", "source": None,
        "formatString": "%{public}s", "userID": 0, "activityIdentifier": 0,
        "subsystem": subsystem, "category": category, "threadID": 19071,
        "senderImagePath": sender or path + process, "processImagePath": path + process,
        "timestamp": stamp.strftime("%Y-%m-%d %H:%M:%S.%f") + "+0100",
        "machTimestamp": int(stamp.timestamp() * 24_000_000) % (1 << 48),
        "eventMessage": message, "processID": pid,
    }


def pebble_log(folder, out):
    facts = truth(folder, "pebble-session")
    start = parse(facts["first"])
    clock = Clock(out.name, start)
    address = facts["addresses"]["accessory"]["staticRandom"]
    identifier = next(e["identifier"] for e in facts["events"] if e["kind"] == "encapsulatedKey")
    app = "/private/var/containers/Bundle/Application/1B2C/Acme.app/PlugIns/AcmeTransport.appex/"
    library = "/System/Library/Frameworks/AccessoryTransportExtension.framework/AccessoryTransportExtension"
    session = next(e["sessionID"] for e in facts["events"] if e["kind"] == "message")
    body = plistlib.dumps({"session": "first", "retry": 2}, fmt=plistlib.FMT_BINARY).hex()

    def said(time, message, subsystem="com.acme.watch", category="transport", **more):
        return unified(clock.at(time), "AcmeTransport", 731, message, subsystem, category,
                       path=app, **more)

    rows = [
        unified(clock.at(start + seconds(0.004)), "kernel", 0, "unrelated: wlan0 <private>"),
        unified(clock.at(start + seconds(0.05)), "bluetoothd", 91,
                f"Device found: CBDevice {identifier}, BDA {address}, Nm 'Acme Watch 4F2A'",
                "com.apple.bluetooth", "CBStackBLEDevice"),
        unified(clock.at(start + seconds(0.9)), "AcmeTransport", 731,
                "[0x104e08c30] activating connection: mach=false listener=false peer=true name=(anonymous)",
                "com.apple.xpc", "connection", path=app),
        unified(clock.at(start + seconds(0.95)), "bluetoothd", 91, "statedump <private>",
                "com.apple.bluetooth", "Server.LE", level="Debug"),
        unified(clock.at(start + seconds(1.2)), "deviceaccessd", 204,
                "com.acme.watch.transport is missing entitlement "
                "com.apple.developer.accessory-data-provider", "com.apple.DeviceAccess",
                "Extension", level="Error"),
        unified(clock.at(start + seconds(2.0)), "AcmeTransport", 731, f"request {body}",
                "com.acme.watch", "transport", path=app),
        unified(clock.at(start + seconds(30)), "AcmeTransport", 731,
                "The connection to service named com.acme.watch.helper was interrupted, but the "
                "message was sent over an additional proxy", "com.acme.watch", "transport",
                level="Error", path=app),
        unified(clock.at(start + seconds(0.85)), "deviceaccessd", 204,
                "Initialized extension process: com.acme.watch.transport",
                "com.apple.DeviceAccess", "Extension"),
        said(start + seconds(0.92), "### Feature session rejected XPC connection",
             "com.apple.AccessoryTransportExtension", "Session", level="Error", sender=library),
        said(start + seconds(0.98), "accept(sessionRequest:)"),
        said(start + seconds(0.99), "session request accepted"),
        said(parse(facts["last"]) - seconds(0.02), f"sessionInvalidated(error:) sessionID {session}"),
        unified(clock.at(parse(facts["last"]) - seconds(0.015)), "deviceaccessd", 204,
                "XPC invalidated: com.acme.watch.transport", "com.apple.DeviceAccess", "Extension"),
    ]
    # What Swift prints of the values, of which documents tell the members.
    names = "AccessoryTransportExtension.SecurityMessage"
    for event in facts["events"]:
        time = parse(event["time"])
        if event["kind"] in ("publicKey", "encapsulatedKey"):
            peripheral = event.get("identifier")
            rows.append(said(
                time, f"received SecurityMessage(keyType: {names}.KeyType.{event['kind']}, "
                f"cipherSuite: p256, version: {names}.CipherSuite.Version.version1, "
                f"key: {event['length']} bytes, supportedTransports: "
                "[AccessoryTransportExtension.AccessoryTransport.bluetooth], identifier: "
                + (f'Optional("{peripheral}"))' if peripheral else "nil)")))
        elif event["kind"] == "message" and event["direction"] == "HostToAccessory":
            rows.append(said(
                time, f"TransportMessage(sessionID: {event['sessionID']}, "
                f"data: {event['sealed']['length']} bytes)"))
            rows.append(said(time + seconds(0.03), "AccessoryMessage delivered: success"))
    first, rest = rows[0], sorted(rows[1:], key=lambda row: row["timestamp"])
    rows = [first] + rest
    activity = {"timestamp": rows[0]["timestamp"], "eventType": "activityCreateEvent",
                "processID": 91, "processImagePath": "/usr/sbin/bluetoothd",
                "eventMessage": "activity", "activityIdentifier": 77}
    lines = ['Filtering the log data using "subsystem BEGINSWITH \\"com.apple\\""',
             json.dumps(activity)]
    lines += [json.dumps(row) for row in rows]
    lines.insert(5, lines[5][:90])                      # a line that was cut
    out.write_text("\n".join(lines) + "\n" + json.dumps({"count": len(rows), "finished": 1}) + "\n")


def aria_syslog(folder, out):
    facts = truth(folder, "aria-session")
    start = parse(facts["first"])
    clock = Clock(out.name, start)
    app = "/private/var/containers/Bundle/Application/77/Aria.app/"
    lines = []

    def add(time, message, subsystem="com.acme.aria", category="audio", level="NOTICE",
            path=app + "PlugIns/AriaAudio.appex/AriaAudio", pid=512):
        lines.append({
            "pid": pid, "procid": pid, "thread_id": 9001,
            "timestamp": time.replace(tzinfo=None).isoformat(), "level": level,
            "image_name": path, "image_offset": 4096, "image_uuid": None,
            "process_image_uuid": None, "filename": path, "mach_timestamp": 0,
            "message": message,
            "label": {"subsystem": subsystem, "category": category} if subsystem else None})

    point = {"event": "extension-launched",
             "extension_point": "com.apple.accessory-transport-extension"}
    add(clock.at(start + seconds(0.1)), "hark-journal " + json.dumps(point), "hark", "journal")
    is_late = False
    for event in facts["events"]:
        said = event.get("configuration")
        if not said:
            continue
        value = {"event": "configuration-registered" if said["call"] == "register"
                 else "configuration-updated"}
        if said["call"] == "register":
            value["capabilities"] = said["deviceCapabilities"]
        if event["frame"] == "placement":
            value["placement"] = said["devicePlacement"]
        if said.get("primary"):
            value["primary_audio_source"] = address(said["primary"])
        if said.get("secondary"):
            value["secondary_audio_source"] = address(said["secondary"])
        time = parse(event["time"]) + seconds(0.02)
        # One update is late on purpose: the accessory is put on, and the phone hears 8 s later.
        if value.get("placement") == "inEar" and not is_late:
            is_late = True
            time += seconds(8)
        # Only the container app registers, and only the extension updates.
        who = {"path": app + "Aria", "pid": 498} if said["call"] == "register" else {}
        add(clock.at(time), "hark-journal " + json.dumps(value), "hark", "journal", **who)
    add(clock.at(parse(facts["last"])), "the accessory is gone")
    out.write_text("\n".join(json.dumps(line) for line in lines) + "\n")


def iap2_syslog(folder, out):
    facts = truth(folder, "iap2-session")
    start = parse(facts["first"])
    clock = Clock(out.name, start)
    peer = facts["addresses"]["accessory"]
    lines = ["[connected:00008110-000000000000001E]"]

    def add(time, process, library, pid, level, message):
        stamp = time.strftime("%b %d %H:%M:%S.%f")
        lines.append(f"{stamp} iPhone {process}({library})[{pid}] <{level}>: {message}")

    add(clock.at(start), "bluetoothd", "bluetoothd", 91, "Notice",
        f"Connected to device {peer} over BR/EDR")
    add(clock.at(start + seconds(0.4)), "accessoryd", "CoreAccessories", 133, "Notice",
        "endpoint attached\n\twith a second line")
    add(clock.at(start + seconds(2.9)), "Speaker", "ExternalAccessory", 903, "Notice",
        "[#ExternalAccessory] accessoryd sessionResult = 1, useSocketInterace = 1, sessionID = 0x1")
    add(clock.at(start + seconds(3.4)), "Speaker", "ExternalAccessory", 903, "Error",
        "[#ExternalAccessory] ERROR - opening session failed as protocol com.acme.speaker.light is "
        "not declared in Info.plist")
    add(clock.at(start + seconds(6.0)), "Speaker", "ExternalAccessory", 903, "Notice",
        "[#ExternalAccessory] Removing EASession 4E1D from list of sessionUUIDs")
    add(clock.at(parse(facts["last"])), "bluetoothd", "bluetoothd", 91, "Notice",
        f"Disconnected from device {peer}")
    out.write_text("\n".join(lines) + "\n")


def declarations(out):
    info = {
        "CFBundleIdentifier": "com.acme.watch.transport", "CFBundleName": "AcmeTransport",
        "CFBundleExecutable": "AcmeTransport",
        "EXAppExtensionAttributes": {
            "EXExtensionPointIdentifier": "com.apple.accessory-transport-secure"},
        "NSAccessorySetupKitSupports": ["Bluetooth"],
        "NSAccessorySetupBluetoothServices": ["50000009-328E-0FBB-C642-1AA6699BDADA"],
        "NSAccessorySetupBluetoothNames": ["Zenith"],
    }
    (out / "AcmeTransport-Info.plist").write_bytes(plistlib.dumps(info))
    rights = {"com.apple.developer.accessory-transport-extension": True}
    (out / "AcmeTransport.entitlements").write_bytes(
        plistlib.dumps(rights, fmt=plistlib.FMT_BINARY))


def main():
    folder = pathlib.Path(sys.argv[1])
    out = folder / "app-side"
    out.mkdir(exist_ok=True)
    pebble_journal(folder, out / "pebble-journal.ndjson")
    pebble_log(folder, out / "pebble-log.ndjson")
    activities_journal(folder, out / "activities-journal.ndjson")
    aria_syslog(folder, out / "aria-syslog.json")
    iap2_syslog(folder, out / "iap2-syslog.txt")
    declarations(out)


if __name__ == "__main__":
    main()
