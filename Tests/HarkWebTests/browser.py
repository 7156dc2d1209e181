#!/usr/bin/env python3
"""Drives the page in a real browser, headless, over the DevTools protocol.

usage: browser.py HARK [--part reading|working|captures] [--shots FOLDER] [--latency MS]
       browser.py HARK --large EVENTS [--shots FOLDER]    measure with a capture of so many events
       browser.py HARK --picture FILE                     make the picture in docs/web.md

HARK is the program; its answers on the command line are what the page is compared with. With --latency,
every answer reaches the page so much later, which shows what depends on the order of answers. Needs
Chromium and the Python package websocket-client (Debian: chromium, python3-websocket). Exits 1 at the
first thing that is wrong, and 77 where there is no browser.
"""
import argparse
import base64
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

try:
    import websocket
except ImportError:
    print("the Python package websocket-client is missing")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EARBUDS = ROOT / "captures/earbuds-session/earbuds-session.btsnoop"
SESSION = ROOT / "captures/pebble-session/pebble-session.btsnoop"
FAULTS = ROOT / "captures/pebble-faults/pebble-faults.btsnoop"
KEYS = ROOT / "captures/pebble-session/accessory.harkkeys"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def check(condition, message):
    if not condition:
        raise AssertionError(message)


class Hark:
    """The program, as a server."""

    def __init__(self, program, *arguments, sends=b"", **options):
        self.process = subprocess.Popen(
            [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        if sends:
            self.process.stdin.write(sends)
            self.process.stdin.flush()
        self.address = self.process.stdout.readline().decode().strip()
        if not self.address.startswith("http://127.0.0.1:"):
            raise AssertionError(f"no address: {self.process.stderr.read()}")
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.path = "/" + self.address.split("/", 3)[3]

    def get(self, name, headers=None, path=None, method="GET"):
        """The status, the headers and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, (path or self.path) + name, skip_host=True)
        for key, value in {"Host": f"127.0.0.1:{self.port}", **(headers or {})}.items():
            if value is not None:
                connection.putheader(key, value)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def json(self, name):
        return json.loads(self.get(name)[2])

    def wait(self, phase):
        deadline = time.monotonic() + 600
        while self.json("status")["phase"] != phase:
            check(time.monotonic() < deadline, f"never {phase}")
            time.sleep(0.05)

    def end(self):
        """Ends it as Ctrl-C does, and gives its exit code."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


@contextlib.contextmanager
def serving(program, *arguments, **options):
    hark = Hark(program, *arguments, **options)
    try:
        yield hark
    finally:
        if hark.process.poll() is None:
            hark.end()


class Browser:
    def __init__(self, latency=0):
        self.latency = latency
        found = next(filter(None, map(shutil.which, BROWSERS)), None)
        if not found:
            print("there is no Chromium")
            sys.exit(77)
        self.folder = tempfile.mkdtemp(prefix="hark-browser-")
        self.process = subprocess.Popen(
            [found, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-extensions",
             "--remote-debugging-port=0", "--remote-allow-origins=*",
             f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = pathlib.Path(self.folder) / "DevToolsActivePort"
        deadline = time.monotonic() + 60
        while not port_file.exists() or not port_file.read_text().count("\n"):
            check(time.monotonic() < deadline and self.process.poll() is None, "Chromium does not start")
            time.sleep(0.05)
        port, path = port_file.read_text().split("\n")[:2]
        self.socket = websocket.create_connection(
            f"ws://127.0.0.1:{port}{path}", timeout=120, suppress_origin=True)
        self.number = 0
        self.events = []

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                check("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def close(self):
        with contextlib.suppress(Exception):
            self.send("Browser.close")
        self.process.wait(timeout=20)
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    def __init__(self, browser, address, width=1440, height=900, scheme="light", touch=False):
        self.browser, self.address = browser, address
        # A context of its own: nothing is remembered from one page to the next.
        self.context = context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", url="about:blank", browserContextId=context)
        self.target = target["targetId"]
        self.session = browser.send(
            "Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        browser.events.clear()
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        if browser.latency:
            self.send("Network.emulateNetworkConditions", offline=False, latency=browser.latency,
                      downloadThroughput=-1, uploadThroughput=-1)
        self.size(width, height)
        self.scheme(scheme)
        self.send("Page.addScriptToEvaluateOnNewDocument", source="""
            window.violations = [];
            document.addEventListener("securitypolicyviolation",
              (event) => violations.push(event.violatedDirective + " " + event.blockedURI));
            """)
        self.send("Page.navigate", url=address)
        self.until("document.readyState === 'complete'" if address.startswith("file:")
                   else "typeof data !== 'undefined' && data.status.name !== undefined", "the page loads")

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def size(self, width, height, scale=1):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=width < 700)

    def scheme(self, scheme):
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def run(self, script):
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        check("exceptionDetails" not in answer, f"{script}: {answer.get('exceptionDetails')}")
        return answer["result"].get("value")

    def until(self, script, what, seconds=60):
        deadline = time.monotonic() + seconds
        while True:
            with contextlib.suppress(AssertionError):
                if self.run(f"Promise.resolve({script}).then(Boolean)"):
                    return
            check(time.monotonic() < deadline, f"not in time: {what}")
            time.sleep(0.03)

    def key(self, key, text=None, shift=False, alt=False):
        codes = {"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37,
                 "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9, "PageDown": 34, "Delete": 46}
        text = text or ("\r" if key == "Enter" else key if len(key) == 1 else None)
        code = codes.get(key, ord(key[0].upper()))
        down = {"key": key, "windowsVirtualKeyCode": code, "modifiers": (8 if shift else 0) + (1 if alt else 0)}
        if text:
            down["text"] = text
        self.send("Input.dispatchKeyEvent", type="keyDown", **down)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def click(self, script):
        """Clicks the middle of the element that `script` gives."""
        x, y = self.run(f"(() => {{ const e = {script}; e.scrollIntoView({{block: 'nearest'}});"
                        " const b = e.getBoundingClientRect();"
                        " return [b.left + b.width / 2, b.top + b.height / 2]; })()")
        self.click_at(x, y)

    def click_at(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def wheel(self, x, y, delta):
        self.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)

    def shot(self, file):
        time.sleep(0.25)
        data = self.send("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))

    def complaints(self):
        """What the browser complains about, and requests that went elsewhere."""
        found = [str(v) for v in self.run("window.violations")]
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, values = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(str(values["exceptionDetails"]))
            elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
                found.append(values["entry"]["text"] + " " + values["entry"].get("url", ""))
            elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning"):
                found.append(str(values["args"]))
            elif method == "Network.requestWillBeSent":
                if not values["request"]["url"].startswith(self.address):
                    found.append("asks elsewhere: " + values["request"]["url"])
        return found

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)


def lines(program, *arguments):
    out = subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def text_lines(program, *arguments):
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()


# MARK: Checks

def events_are_those_of_the_timeline(hark, page, program, arguments):
    expected = lines(program, "timeline", *arguments, "--findings", "--format", "json")
    answer = hark.json("rows?from=0&count=500")
    check([row["event"] for row in answer["rows"]] == expected, "the rows are not the timeline's")
    check(answer["total"] == len(expected) and len(expected) > 30, "not as many rows")
    page.until(f"data.total === {len(expected)}", "all rows")
    shown = {}
    for start in range(0, len(expected), 10):
        page.run(f"table.scrollTo({start})")
        page.until("!table.isDrawing && table.elements[0].index === Math.floor(table.top) &&"
                   " table.elements.filter((e) => !e.hidden).every((e) => e.cells[4].textContent !== '…')",
                   "the rows in sight")
        for index, device, text in page.run(
                "table.elements.filter((e) => !e.hidden)"
                ".map((e) => [e.index, e.cells[2].textContent, e.cells[4].textContent])"):
            shown[index] = (device, text)
    for index, event in enumerate(expected):
        check(shown[index][1] == event["text"], f"row {index} shows {shown[index]}")
        if "device" in event:
            check(shown[index][0] == event["device"]["label"], f"row {index} shows {shown[index]}")
    page.run("table.scrollTo(0)")
    return expected


def scrolling_is_followed(page):
    """The list goes where the bar goes, also after a jump to where it already was, which causes no scroll event."""
    page.run("table.scrollTo(0); table.scrollTo(0)")
    page.until("!table.isDrawing && $('table').scrollTop === 0", "the top")
    page.run("$('table').scrollTop = 5 * table.rowHeight()")
    page.until("Math.abs(table.top - 5) < 0.1 && table.elements[0].index === 5", "the bar moves five rows")
    page.run("table.scrollTo(0)")


def packets_are_those_of_show(hark, program, arguments, numbers):
    for number in numbers:
        expected = lines(program, "show", arguments[0], str(number), *arguments[1:], "--format", "json")
        check(hark.json(f"packet?number={number}") == expected[0], f"packet {number}")
    check(hark.get("packet?number=4000000000")[0] == 404, "a packet that is not there")


def a_notification_is_a_card(page, expected):
    index = next(i for i, e in enumerate(expected) if e.get("contents", [{}])[0].get("type") == "present")
    content = expected[index]["contents"][0]
    page.run(f"choose({index}, true)")
    page.until("document.querySelector('.card .title')", "the card")
    card = page.run("document.querySelector('.card').innerText")
    for words in (content["title"], content["body"], content["source"], "Decrypted",
                  expected[index]["key"]["fingerprint"], content["actions"][1]["title"]):
        check(words in card, f"the card does not say {words}: {card}")
    return index


def tree_and_bytes_show_each_other(page, hark):
    page.until("document.querySelector('.tree [role=treeitem]')", "the tree")
    number = page.run("document.querySelector('.frame[aria-pressed=true]').number")
    section = hark.json(f"packet?number={number}")["sections"][0]
    for index in (2, len(section["fields"]) - 1):
        field = section["fields"][index]
        page.click(f"document.querySelectorAll('.tree')[0].children[{index}]")
        picked = page.run("[...document.querySelectorAll('.hex')[0].querySelectorAll('.b .picked')]"
                          ".map((e) => [e.index, e.textContent])")
        found = "".join(text for _, text in sorted(picked))
        start = field["offset"]
        bytes_ = section["bytes"][start * 2:(start + field["length"]) * 2]
        check(found == bytes_, f"{field['name']} shows {found}, not {bytes_}")
    page.click("document.querySelectorAll('.hex')[0].querySelector('.b i')")
    chosen = page.run("document.querySelector('.tree [aria-selected=true]').index")
    field = section["fields"][chosen]
    check(field["offset"] == 0 and field["length"] < len(section["bytes"]) // 2, "the first byte's field")
    page.key("ArrowDown")


def searching(page):
    page.run("choose(0, false)")
    page.key("Escape")
    page.key("/")
    check(page.run("document.activeElement.id") == "search", "/ goes to the search")
    page.type("mtu")
    page.until("table.chosen > 0 && events.row(table.chosen, data.total)?.event.text.includes('MTU')", "the first hit")
    page.until("document.querySelector('mark')?.textContent === 'MTU'", "the hit is marked")
    end = page.run("data.status.end")
    page.run(f"show({end} * 0.9, {end})")
    page.key("Enter")
    page.until("lanes.chosen && lanes.chosen.axis >= lanes.from && lanes.chosen.axis <= lanes.to"
               f" && lanes.from < {end} * 0.9", "the lanes move to a hit")
    page.run("showAll()")
    page.run("$('search').value = ''; setSearch('')")
    page.key("Escape")


def filtering(page, program, arguments):
    text = "lane in {pairing, keys} or text contains \"MTU\""
    expected = lines(program, "timeline", *arguments, "--findings", "--format", "json", "-Y", text)
    page.key("f")
    check(page.run("document.activeElement.id") == "filter", "f goes to the filter")
    page.type("lane == paring")
    page.key("Enter")
    page.until("!$('complaint').hidden", "a complaint")
    complaint = page.run("$('complaint').textContent")
    check("^^^^" in complaint and "pairing" in complaint, f"the complaint: {complaint}")
    page.run("$('filter').select()")
    page.type(text)
    page.key("Enter")
    page.until(f"data.total === {len(expected)} && !isFiltering()", "what matches")
    page.until("table.elements[0].cells[4].textContent === " + json.dumps(expected[0]["text"]), "the rows")
    check(0 < len(expected) < 20, "it filters")
    page.until("lanes.answer?.all && !lanes.isAsking", "the lanes with what the filter leaves out")
    dimmed, plain = page.run("""(() => {
        const ratio = devicePixelRatio || 1;
        const copy = Object.assign(document.createElement("canvas"), { width: $("marks").width, height: $("marks").height });
        const context = copy.getContext("2d", { willReadFrequently: true });
        context.drawImage($("marks"), 0, 0);
        const ink = (line, axis) => context.getImageData(
          Math.round(xOf(axis) * ratio), Math.round((line.top + 13) * ratio), 1, 1).data.join();
        let [dimmed, plain] = [null, null];
        for (const line of lanes.layout) {
            const left = lanes.answer.cells.get(line.party + line.lane) || [];
            const all = lanes.answer.all.get(line.party + line.lane) || [];
            const place = all.find((axis, i) => i % 4 === 0 && !left.includes(axis));
            if (place !== undefined) dimmed ??= [ink(line, place), ink(line, lanes.to * 0.97)];
            if (left.length) plain ??= ink(line, left[0]);
        }
        return [dimmed, plain];
    })()""")
    check(dimmed and plain and len({*dimmed, plain}) == 3, f"events that do not match are dimmed: {dimmed}, {plain}")
    page.click("$('unfilter')")
    page.until("data.total > 30 && $('complaint').hidden && app.again < 0", "all again")
    page.key("Escape")


def findings_have_a_lane(browser, program):
    """What rules find is a row, a mark in the lane of findings, and opens with its packets."""
    arguments = [str(FAULTS), "--keys", str(FAULTS.with_name("accessory.harkkeys"))]
    (report,) = lines(program, "findings", *arguments, "--format", "json")
    told = {f["rule"]: f for f in report["findings"]}
    check(len(told) >= 3, "findings to look for")
    with serving(program, "timeline", *arguments, "--web") as hark:
        hark.wait("ended")
        page = Page(browser, hark.address)
        page.until("!$('detail').hidden", "the first error")
        page.run("closeDetail()")
        events = events_are_those_of_the_timeline(hark, page, program, arguments)
        rows = [i for i, event in enumerate(events) if event["lane"] == "finding"]
        check({events[i]["rule"] for i in rows} == set(told), "not the findings of hark findings")
        page.until("lanes.answer && !lanes.isAsking", "the density")
        for index in rows:
            event = events[index]
            finding = told[event["rule"]]
            place = page.run("""((index) => {
                for (const line of lanes.layout.filter((l) => l.lane === "finding")) {
                    const cells = lanes.answer.cells.get(line.party + line.lane) || [];
                    for (let i = 0; i < cells.length; i += 4) {
                        if (cells[i + 3] !== index) continue;
                        const box = $("marks").getBoundingClientRect();
                        return [box.left + xOf(cells[i]), box.top + line.top + 11];
                    }
                }
            })(%d)""" % index)
            check(place, f"no mark for {event['text']}")
            page.click_at(*place)
            page.until(f"table.chosenIndex === {index}", "the click on the finding")
            page.run("openDetail(events.row(table.chosen, data.total))")
            page.until("document.querySelector('.frames-line button')", "its packets")
            shown = page.run("$('detail').innerText")
            for words in (finding["title"], finding["observed"], finding["expected"], finding["rule"]):
                check(words in shown, f"the finding does not say {words}: {shown}")
            frames = page.run("[...document.querySelectorAll('.frames-line button')].map((e) => e.number)")
            check({frames[0], frames[-1]} <= set(finding["frames"]), f"{frames}, not {finding['frames']}")
            page.until("document.querySelector('.hex i')", "the packet")
            page.run("closeDetail()")
        text = "lane == finding"
        check(len(lines(program, "timeline", *arguments, "--format", "json", "-Y", text)) == len(rows), text)
        page.run(f"$('filter').value = '{text}'; setFilter('{text}')")
        page.until(f"data.total === {len(rows)} && !isFiltering()", "the findings alone")
        check(page.complaints() == [], f"{page.complaints()}")
        page.close()


def a_capture_with_errors_opens_on_them(browser, program):
    """The first error is chosen, `e` goes on to the other findings and round."""
    arguments = [str(FAULTS), "--keys", str(FAULTS.with_name("accessory.harkkeys"))]
    with serving(program, "timeline", *arguments, "--web") as hark:
        hark.wait("ended")
        page = Page(browser, hark.address)
        page.until("!$('detail').hidden && events.row(table.chosen, data.total).event.severity === 'error'", "the first error")
        rows = [r for r in hark.json("rows?from=0&count=500")["rows"] if r["event"]["lane"] == "finding"]
        check(page.run("$('findings').textContent").startswith(str(len(rows))), "the number of findings")
        check(page.run("$('findings').classList.contains('bad')"), "an error is marked")
        seen = {page.run("table.chosenIndex")}
        for _ in rows[1:]:
            before = page.run("table.chosenIndex")
            page.key("e")
            page.until(f"table.chosenIndex !== {before}", "the next finding")
            seen.add(page.run("table.chosenIndex"))
        check(seen == {r["index"] for r in rows}, f"e goes to {seen}")
        check(page.complaints() == [], f"{page.complaints()}")
        page.close()


def a_view_has_an_address(browser, hark):
    """The address of a view opens the same view in another page."""
    page = Page(browser, hark.address)
    page.until("data.total > 30", "the rows")
    text = 'lane in {keys, notification}'
    page.run(f"$('filter').value = '{text}'; setFilter('{text}')")
    page.until("data.total > 1 && data.total < 30 && data.looked && !isFiltering()", "what matches")
    page.run("show(1.5e9, 9e9)")
    page.run("(async () => chooseEvent((await events.rowNow(1, data.total)).index))()")
    page.until("!$('detail').hidden", "an event")
    chosen = page.run("table.chosenIndex")
    page.until("location.hash.includes('e=') && location.hash.includes('t=') && location.hash.includes('f=')", "the address")
    address = page.run("location.href")
    page.close()
    other = Page(browser, address)
    other.until(f"table.chosenIndex === {chosen} && !$('detail').hidden", "the same event")
    check(other.run("data.filter") == text, "the same filter")
    check(abs(other.run("lanes.to - lanes.from") - 7.5e9) < 1e9, "the same part of the time")
    bad = hark.address + "#t=9-1&e=99999999&f=lane%20%3D%3D%20nothing"
    other.close()
    page = Page(browser, bad)
    page.until("data.total > 30 && !$('complaint').hidden", "an address of something else")
    page.close()


def events_are_copied(browser, hark, expected):
    page = Page(browser, hark.address)
    browser.send("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
                 browserContextId=page.context)
    page.send("Page.bringToFront")
    page.until("data.total > 30", "the rows")
    page.run("choose(3, false)")
    for _ in range(2):
        page.key("ArrowDown", shift=True)
    page.until("selection()[0] === 3 && selection()[1] === 5", "three events are selected")
    page.until("document.querySelectorAll('.row[aria-selected=true]:not([hidden])').length === 3", "three rows are marked")
    page.key("c")
    page.until("$('notice').textContent.startsWith('3 events copied')", "it says so")
    text = page.run("navigator.clipboard.readText()")
    for event in expected[3:6]:
        check(event["text"].split(" ")[0] in text, f"{event['text']} is not in {text}")
    check(text.count("\n|") == 5, f"not a table of three: {text}")
    page.key("C", "C")
    page.until("navigator.clipboard.readText().then((t) => t.startsWith('['))", "JSON")
    check(json.loads(page.run("navigator.clipboard.readText()")) == expected[3:6], "the JSON is that of the events")
    page.run("window.saved = null; HTMLAnchorElement.prototype.click = function () { saved = [this.getAttribute('href'), this.download]; }; 0")
    page.run("openDetail(events.row(table.chosen, data.total))")
    page.until("[...document.querySelectorAll('.copies button')].some((b) => b.textContent === 'Save packets')", "a button")
    page.run("[...document.querySelectorAll('.copies button')].find((b) => b.textContent === 'Save packets').focus()")
    page.key("Enter")
    page.until("window.saved", "the selection is saved")
    frames = [frame for event in expected[3:6] for frame in event["frames"]]
    check(page.run("saved") == [f"capture?from={min(frames)}&to={max(frames)}",
                                f"{SESSION.stem}-{min(frames)}-{max(frames)}.pcapng"], f"{page.run('saved')}")
    page.run("closeDetail()")
    page.key("Escape")
    page.until("selection()[0] === selection()[1]", "Escape leaves one")
    check(page.complaints() == [], f"{page.complaints()}")
    page.close()


def lanes_fold_hide_and_move(browser, hark):
    page = Page(browser, hark.address)
    page.until("lanes.layout.length > 5", "the lanes")
    before = page.run("lanes.layout.map((l) => l.party + l.lane)")
    party = page.run("lanes.layout.at(-1).party")
    page.run("toggleLanes(lanes.folded, %s)" % json.dumps(party))
    page.until("lanes.layout.every((l) => l.party !== %s)" % json.dumps(party), "folded")
    page.click("document.querySelector('.party[aria-expanded=false]')")
    page.until("lanes.layout.length === %d" % len(before), "unfolded by a click")
    page.run("[...document.querySelectorAll('.labels .party')].at(-1).focus()")
    page.key("Enter")
    page.until("lanes.layout.length < %d" % len(before), "folded by a key")
    check(page.run("document.activeElement.classList.contains('party')"), "the focus stays on the device")
    page.key("Enter")
    page.until("lanes.layout.length === %d" % len(before), "unfolded by a key")
    page.run("[...document.querySelectorAll('.labels .lane')].find((l) => l.lane === 'link').focus()")
    page.key("ArrowDown", alt=True)
    page.until("laneOrder.indexOf('link') > 1", "moved")
    page.run("[...document.querySelectorAll('.labels .lane')].find((l) => l.lane === 'link').focus()")
    page.key("Delete")
    page.until("lanes.layout.every((l) => l.lane !== 'link')", "hidden")
    page.click("document.querySelector('.unhide')")
    page.until("lanes.layout.some((l) => l.lane === 'link')", "shown again")
    box = page.run("(() => { const b = [...document.querySelectorAll('.labels .lane')].find((l) => l.lane === 'link').getBoundingClientRect();"
                   " return [b.left + 40, b.top + 11]; })()")
    order = page.run("laneOrder.join()")
    for kind, y in (("mousePressed", 0), ("mouseMoved", -12), ("mouseMoved", -26), ("mouseReleased", -26)):
        page.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1] + y, button="left", buttons=1, clickCount=1)
    page.until("laneOrder.join() !== " + json.dumps(order), "dragged")
    check(page.complaints() == [], f"{page.complaints()}")
    page.close()


def parts_are_resized(browser, hark):
    page = Page(browser, hark.address)
    page.until("data.total > 30", "the rows")
    before = page.run("$('plot').clientHeight")
    page.run("$('split').focus()")
    for _ in range(3):
        page.key("ArrowUp")
    page.until(f"$('plot').clientHeight < {before}", "less height")
    page.run("choose(5, true)")
    page.until("!$('detail').hidden", "the event")
    wide = page.run("$('detail').clientWidth")
    x, y = page.run("(() => { const b = $('side').getBoundingClientRect(); return [b.left + 3, b.top + 100]; })()")
    for kind, gone in (("mousePressed", 0), ("mouseMoved", 60), ("mouseMoved", 120), ("mouseReleased", 120)):
        page.send("Input.dispatchMouseEvent", type=kind, x=x + gone, y=y, button="left", buttons=1, clickCount=1)
    page.until(f"$('detail').clientWidth < {wide} - 80", "narrower")
    page.close()


def packets_have_a_list(browser, hark, program):
    page = Page(browser, hark.address)
    page.until("data.total > 30", "the rows")
    page.run("chooseEvent(12)")
    page.until("!$('detail').hidden", "an event is open")
    frame = page.run("events.row(table.chosen, data.total).event.frames[0]")
    page.key("p")
    page.until("packets.isShown && packets.total === data.status.packets", "all packets are there")
    page.until(f"packets.chosen === {frame - 1}", "the event's packet is chosen")
    check(page.run("$('events').hidden && !$('packets').hidden"), "the list of packets takes the other's place")
    page.run("packets.list.scrollTo(0)")
    page.until("packets.list.elements[0].index === 0 && packets.list.elements[7].cells[4].textContent.length > 3",
               "the first packets")
    for shown, line in zip(page.run("packets.list.elements.slice(0, 8).map((e) => e.cells[4].textContent)"),
                           text_lines(program, "packets", str(SESSION))):
        check("".join(shown.split()) in "".join(line.split()), f"{shown} is not in {line}")
    page.key("ArrowDown")
    page.key("Enter")
    page.until("document.activeElement.id === 'detail' && document.querySelector('#detail .tree')", "its fields")
    saved = hark.get("capture?from=150&to=160")
    check(saved[0] == 200 and saved[2][:4] == b"\x0a\x0d\x0d\x0a", "a pcapng file")
    with tempfile.NamedTemporaryFile(suffix=".pcapng") as file:
        file.write(saved[2])
        file.flush()
        saved = lines(program, "packets", file.name, "-e", "frame.length", "--format", "json")
        whole = lines(program, "packets", str(SESSION), "-e", "frame.length", "--format", "json")[149:160]
        check(saved == whole, "the packets that were asked for")
    check(hark.get("capture?from=9&to=3")[0] == 400 and hark.get("capture?from=9999&to=9999")[0] == 404, "none else")
    page.key("g")
    page.until("traffic.answer?.cells.size > 0", "the graphs")
    acl = [p for p in lines(program, "packets", str(SESSION), "-e", "frame.kind", "-e", "frame.length", "--format", "json")
           if p["frame.kind"] == "acl"]
    sums = page.run("[...traffic.answer.cells.values()].map((c) => c.reduce((sum, n, i) => sum + (i % 4 === 1 || i % 4 === 2 ? n : 0), 0))")
    check(sum(sums) == sum(int(p["frame.length"]) for p in acl), f"the bytes of all ACL packets, not {sums}")
    check("kB/s" in page.run("$('trafficlabels').textContent"), "the highest throughput")
    longest = page.run("Math.max(...[...traffic.answer.cells.values()].flatMap((c) => c.filter((_, i) => i % 4 === 3)))")
    check(longest > 0, "how long answers took")
    check("latency" in page.run("$('trafficlabels').textContent"), "the longest latency")
    page.key("g")
    page.key("p")
    page.until("!packets.isShown && !$('events').hidden", "p goes back")
    check(page.complaints() == [], f"{page.complaints()}")
    page.close()


def the_list_of_packets_follows(browser, hark, program):
    """What is chosen elsewhere is shown in the list of packets, too, and the filter holds for it, as hark packets -Y does."""
    page = Page(browser, hark.address)
    page.until("data.total > 30", "the rows")
    page.key("p")
    page.until("packets.isShown && packets.total === data.status.packets", "all packets")
    page.run("$('search').value = 'mtu'; setSearch('mtu')")
    page.until("table.chosen >= 0 && packets.chosen >= 0", "the hit")
    first = page.run("events.row(table.chosen, data.total).event.frames[0]")
    page.until(f"packets.chosen === {first - 1} && document.querySelector('#packetrows [aria-selected=true]:not([hidden])')",
               "the hit's packet")
    page.until("$('hits').textContent.includes('in events')", "hits are those of events")
    check(page.run("$('packetnotice').hidden"), "no filter")
    page.run("$('search').value = ''; setSearch('')")
    for text in ("lane == pairing", "att.opcode == 0x1b", "frame.number in {5..9} or att.handle == 3 and frame.length > 20"):
        page.run(f"$('filter').value = {json.dumps(text)}; setFilter({json.dumps(text)})")
        wanted = [int(p["frame.number"]) for p in
                  lines(program, "packets", str(SESSION), "-k", str(KEYS), "-Y", text, "-e", "frame.number", "--format", "json")]
        check(wanted, text)
        page.until(f"packets.isOver && packets.total === {len(wanted)}", f"the packets that match {text}")
        rows = page.run(f"ask('packets', {{ from: 0, count: 500, filter: {json.dumps(text)} }}).then((a) => a.rows.map((r) => r.number))")
        check(rows == wanted, f"{text}: {rows}, not {wanted}")
        page.until("packets.list.elements[0].cells[0].textContent === '#" + str(wanted[0]) + "'", "their numbers")
        page.until(f"$('packetnotice').textContent.startsWith('{len(wanted)} of ')", "how many there are")
        page.run("choosePacket(0)")
        page.until(f"packets.number === {wanted[0]} && location.hash.includes('p={wanted[0]}')", "the first of them")
        page.until(f"$('detail').textContent.includes('#{wanted[0]}')", "and its fields")
    page.run("setFilter('att.opcode == 0xff')")
    page.until("$('packetnotice').textContent === 'No packet matches the filter.'", "none")
    page.run("$('filter').value = ''; setFilter('')")
    page.until("$('packetnotice').hidden && packets.total === data.status.packets", "all packets again")
    index = page.run("ask('rows', { from: 0, count: 500 }).then((a) => a.rows.find((r) => r.event.lane === 'notification').index)")
    page.run(f"chooseEvent({index})")
    page.until(f"table.chosenIndex === {index}", "an event")
    page.run("choosePacket(98)")
    page.until("packets.number === 99 && !detail.item", "another packet")
    page.run("setFilter('lane == notification')")
    page.until(f"data.total < 30 && table.chosenIndex === {index} && packets.isOver", "the event stays selected")
    check(page.run("packets.number === 99 && !detail.item"), "the packet stays shown")
    page.run("setFilter('')")
    page.until(f"table.chosenIndex === {index} && table.chosen === {index}", "also without the filter")
    page.until("packets.chosen === 98", "and the packet")
    page.run("choosePacket(99)")
    page.until("location.hash.includes('p=100')", "the packet in the address")
    address = page.run("location.href")
    page.close()
    page = Page(browser, address)
    page.until("packets.isShown && packets.chosen === 99 && !view.isApplying", "the address opens the list of packets")
    check(page.run("!$('detail').hidden && $('detail').textContent.includes('#100')"), "and the packet")
    page.key("p")
    page.until("!packets.isShown && !location.hash.includes('p=')", "back")
    # The address with the view is not a beginning of the others.
    page.address = hark.address
    check(page.complaints() == [], f"{page.complaints()}")
    page.close()


def a_filter_keeps_the_selection(browser, hark):
    page = Page(browser, hark.address)
    page.until("data.total > 30", "the rows")
    index = page.run("ask('rows', { from: 0, count: 500 }).then((a) => a.rows.find((r) => r.event.lane === 'notification').index)")
    page.run(f"chooseEvent({index})")
    page.until(f"table.chosenIndex === {index} && !$('detail').hidden", "an event is open")
    page.run("setFilter('lane == notification')")
    page.until(f"data.total < 30 && table.chosenIndex === {index} && table.chosen < {index}", "it stays selected")
    page.run("setFilter('')")
    page.until(f"table.chosenIndex === {index} && table.chosen === {index}", "and without the filter")
    page.run("setFilter('lane == pairing')")
    page.until("data.total < 30 && $('detail').hidden && !location.hash.includes('e=')", "what is hidden is not selected")
    check(page.complaints() == [], f"{page.complaints()}")
    page.close()


def texts_are_written(browser, hark):
    """Durations round to the smaller unit first; a search is marked wherever it occurs."""
    page = Page(browser, hark.address)
    page.until("data.total > 30", "the rows")
    for ns, text in ((90e9, "90 s"), (179.7e9, "3 min 0 s"), (3599.7e9, "60 min 0 s"), (7199.9e9, "2 h 0 min"),
                     (10799e9, "3 h 0 min"), (172799e9, "2 d 0 h"), (259199e9, "3 d 0 h")):
        check(page.run(f"duration({ns})") == text, f"{ns} is {page.run(f'duration({ns})')}, not {text}")
    page.run("app.search = 'ab(c'; window.probe = make('p'); write(probe, 'Ab(C, xab(cab(c, ab'); 0")
    check(page.run("probe.textContent") == "Ab(C, xab(cab(c, ab", "the text stays")
    check(page.run("[...probe.querySelectorAll('mark')].map((m) => m.textContent)") == ["Ab(C", "ab(c", "ab(c"], "all hits")
    page.close()


def notes_go_into_the_report(browser, hark, program):
    page = Page(browser, hark.address)
    page.until("data.total > 30", "the rows")
    page.run("chooseEvent(20)")
    page.until("!$('detail').hidden", "an event is open")
    packets = page.run("events.row(table.chosen, data.total).event.frames")
    text = page.run("events.row(table.chosen, data.total).event.text")
    page.key("b")
    page.until("document.activeElement.tagName === 'TEXTAREA'", "a field for the note")
    page.type("the watch <b>stalls</b> here")
    page.key("Escape")
    page.until("document.querySelectorAll('.row.noted:not([hidden])').length === 1", "its row is marked")
    page.run("choose(0, false)")
    page.key("B")
    page.until("table.chosenIndex === 20", "B goes to it")
    page.run("window.saved = new Promise((done) => { const make = URL.createObjectURL;"
             " URL.createObjectURL = (blob) => { blob.text().then(done); return make.call(URL, blob); }; }); 0")
    page.run("$('notes').click()")
    saved = page.run("saved")
    check(json.loads(saved) == {"capture": SESSION.name, "notes": [{"packets": packets, "text": "the watch <b>stalls</b> here"}]}, saved)
    page.run("notes.clear(); showNotes(); openNotes(new File([%s], 'a.json'))" % json.dumps(saved))
    page.until("notes.size === 1 && !$('notes').hidden", "a saved file brings it back")
    other = {"capture": "other.pklg", "notes": [{"packets": packets, "text": "a"}, {"packets": [9000, 9001], "text": "b"}]}
    page.run("notes.clear(); showNotes(); openNotes(new File([%s], 'b.json'))" % json.dumps(json.dumps(other)))
    page.until("notes.size === 1 && $('notice').textContent.includes('written for other.pklg')"
               " && $('notice').textContent.includes('1 note left out')", "notes on another capture")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "a.notes.json"
        file.write_text(saved)
        report = pathlib.Path(folder) / "report.html"
        subprocess.run([program, "report", str(SESSION), "--keys", str(KEYS), "--notes", str(file), "-o", str(report)],
                       check=True, stderr=subprocess.DEVNULL)
        page.close()
        page = Page(browser, report.as_uri())
        notes = page.run("[...document.querySelectorAll('h2')].find((h) => h.textContent === 'Notes').nextElementSibling.textContent")
        check("the watch <b>stalls</b> here" in notes and text in notes, notes)
    check(page.complaints() == [], f"{page.complaints()}")
    page.close()


def idle_times_are_drawn_short(browser, hark):
    page = Page(browser, hark.address)
    page.until("lanes.answer && data.total > 30", "the lanes")
    page.key("i")
    page.until("lanes.gaps.length > 3", "the idle times")
    gaps = page.run("lanes.gaps")
    times = [row["axis"] for row in hark.json("rows?count=500")["rows"]]
    for gap in gaps:
        check(not any(gap["from"] < time < gap["to"] for time in times), f"an event is in {gap}")
    page.until("lanes.answer.cells.size > 5", "what is between")
    check(page.run("[...lanes.answer.cells.values()].flatMap((c) => c.filter((_, i) => i % 4 === 1)).reduce((a, b) => a + b)")
          == len(times), "every event is in one of the parts")
    places = page.run(f"{json.dumps(times)}.map(xOf)")
    check(places == sorted(places), "the order stays")
    check(all(abs(page.run(f"axisAt(xOf({time}))") - time) < 1e6 for time in times[::7]), "a place is a time again")
    wide = page.run("lanes.gaps.map((g) => (xOf(g.to) - xOf(g.from)) / width())")
    check(max(wide) < 0.05, f"they are short: {wide}")
    page.run("zoom(1 / 4, data.status.end / 2)")
    check(page.run("Math.abs(shownSpan() - short(data.status.end) / 4) < 2"), "zooming counts what is drawn")
    page.key("i")
    page.until("lanes.gaps.length === 0", "i draws them at their length")
    check(page.complaints() == [], f"{page.complaints()}")
    page.close()


def hits_are_counted(browser, hark, expected):
    page = Page(browser, hark.address)
    page.until("data.total > 30", "the rows")
    number = sum("notif" in e["text"].lower() or "notif" in e.get("device", {}).get("label", "").lower() for e in expected)
    check(number > 2, "hits to look for")
    page.run("$('search').value = 'notif'; setSearch('notif')")
    page.until(f"$('hits').textContent.startsWith('{number} hit')", f"{number} hits")
    page.until("lanes.hits && lanes.hits.length > 1", "their places on the axis")
    page.run("setSearch('(no such [thing')")
    page.until("$('hits').textContent === 'nothing found'", "nothing")
    check(page.complaints() == [], f"{page.complaints()}")
    page.close()


def keys_are_pasted(browser, program):
    """A locked message says what is missing; the key that is pasted opens all there is, and is shown nowhere."""
    arguments = [str(SESSION)]
    opened = lines(program, "timeline", *arguments, "--keys", str(KEYS), "--findings", "--format", "json")
    key = json.loads(KEYS.read_text())["accessoryKeys"][0]["privateKey"]
    with serving(program, "timeline", *arguments, "--web") as hark:
        hark.wait("ended")
        page = Page(browser, hark.address)
        index = next(r["index"] for r in hark.json("rows?from=0&count=500")["rows"]
                     if r["event"]["kind"] == "message-locked")
        page.until("data.total > 10", "the rows")
        page.key("g")
        page.until("traffic.answer?.cells.size > 0 && $('trafficlabels').textContent.includes('kB/s')",
                   "the graphs, once the packets are counted")
        page.run("chooseEvent(2)")
        page.until("!$('detail').hidden", "an event is open")
        page.key("b")
        page.until("document.activeElement.tagName === 'TEXTAREA'", "a field for the note")
        page.type("before the key")
        page.key("Escape")
        page.run(f"choose({index}, true)")
        page.until("document.querySelector('.verdict')", "the verdict")
        (why,) = [e for e in json.loads(subprocess.run(
            [program, "explain", *arguments, "--format", "json"], stdout=subprocess.PIPE).stdout)["encrypted"]
            if e["reason"] == hark.json(f"explain?index={index}")["reason"]]
        said = page.run("document.querySelector('.card').innerText")
        for words in why["found"] + why["tried"] + why["remedies"] + [why["missing_private_key_of"]]:
            check(words in said, f"the card does not say {words}: {said}")
        page.run("document.querySelector('form.key textarea').focus()")
        page.type("0101")
        page.click("document.querySelector('form.key button')")
        page.until("document.querySelector('form.key .said').textContent.includes('bytes')"
                   " || document.querySelector('form.key .said').textContent.includes('no key')", "a refusal")
        check(page.run("document.querySelector('form.key textarea').value") == "", "the field is emptied")
        browser.events.clear()
        page.run("document.querySelector('form.key textarea').focus()")
        page.run("document.querySelector('form.key select').value = ''")
        page.type(json.dumps(json.loads(KEYS.read_text())))
        page.click("document.querySelector('form.key button')")
        page.until(f"typeof data !== 'undefined' && data.status.generation === 1 && data.total === {len(opened)}",
                   "all is opened")
        page.until("notes.size === 1 && [...notes.values()][0].text === 'before the key' && !$('notes').hidden", "the note is kept")
        page.until("traffic.isShown && !view.isApplying", "the graphs are kept")
        check([row["event"] for row in hark.json("rows?from=0&count=500")["rows"]] == [
            {**event, "key": {**event["key"], "origin": "the page"}} if "origin" in event.get("key", {}) else event
            for event in opened], "the rows are not those with the key")
        check(key not in page.run("document.documentElement.innerHTML"), "the key is on the page")
        number = next(e["frames"][1] for e in opened if e.get("contents"))
        (expected,) = lines(program, "show", *arguments, str(number), "--keys", str(KEYS), "--format", "json")
        check(json.dumps(hark.json(f"packet?number={number}")).replace("the page", str(KEYS))
              == json.dumps(expected), f"packet {number}")
        check(page.complaints() == [], f"{page.complaints()}")
        page.close()


def zooming(page):
    page.run("showAll()")
    whole = page.run("lanes.to - lanes.from")
    page.key("+")
    check(abs(page.run("lanes.to - lanes.from") / whole - 0.5) < 0.01, "+ shows half")
    page.key("-")
    check(page.run("lanes.isWhole"), "- shows all again")
    x, y = page.run("(() => { const b = $('marks').getBoundingClientRect(); return [b.left + 400, b.top + 60]; })()")
    page.wheel(x, y, -300)
    page.until(f"lanes.to - lanes.from < {whole * 0.8}", "the wheel")
    before = page.run("lanes.from")
    page.key("ArrowRight")
    check(page.run("lanes.from") > before, "arrows move")
    page.run("closeDetail(); table.chosen = -1; lanes.chosen = null; table.scrollTo(0)")
    page.key("+")
    page.until("table.top > 0", "the list follows the lanes")
    page.key("0")
    check(page.run("lanes.isWhole"), "0 shows all")
    # A click on a mark goes to its event.
    page.until("lanes.answer && !lanes.isAsking", "the density")
    place = page.run("""(() => {
        const line = lanes.layout.find((l) => l.lane === "notification");
        const cell = lanes.answer.cells.get(line.party + line.lane);
        const box = $("marks").getBoundingClientRect();
        return [box.left + xOf(cell[0]), box.top + line.top + 11, cell[3]];
    })()""")
    page.run("$('plot').scrollTop = 0")
    page.click_at(place[0], place[1])
    page.until(f"table.chosenIndex === {place[2]}", "the click on a mark")


def keyboard(page):
    page.run("closeDetail()")
    page.key("Home")
    page.until("table.chosen === 0", "Home")
    page.key("ArrowDown")
    page.key("ArrowDown")
    page.until("table.chosen === 2", "down twice")
    page.until("document.querySelector('#row2').getAttribute('aria-selected') === 'true'", "chosen")
    page.until("$('table').getAttribute('aria-activedescendant') === 'row2'", "told to screen readers")
    page.key("Enter")
    page.until("!$('detail').hidden && document.activeElement.id === 'detail'", "Enter opens")
    page.until("document.querySelector('.hex i')", "the bytes")
    page.key("Escape")
    page.until("$('detail').hidden && document.activeElement.id === 'table'", "Escape closes")
    page.key("End")
    page.until("table.chosen === data.total - 1", "End")
    page.key("?")
    page.until("$('keys').open", "? shows the keys")
    page.key("Escape")
    page.until("!$('keys').open", "Escape closes them")
    page.run("document.activeElement.blur()")
    order = []
    for _ in range(16):
        page.key("Tab")
        order.append(page.run("document.activeElement.id"))
        if page.run("document.activeElement === document.body"):
            continue
        outline = page.run("getComputedStyle(document.activeElement).outlineStyle + "
                           "getComputedStyle(document.activeElement.closest('.field') || document.body).boxShadow")
        check(not outline.startswith("none") or "rgb" in outline or "color" in outline,
              "the focus cannot be seen on " + page.run("document.activeElement.outerHTML.slice(0, 80)"))
    for wanted in ("search", "filter", "theme", "marks", "table"):
        check(wanted in order, f"Tab does not reach {wanted}: {order}")


def themes(page):
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.run(back)
    page.scheme("dark")
    page.until("document.documentElement.dataset.theme === 'dark'", "dark as the system")
    dark = page.run(back)
    check(dark != light, "dark is another color")
    page.click("$('theme')")
    page.until(f"{back} === {json.dumps(light)}", "the switch")
    page.scheme("light")
    page.click("$('theme')")
    page.until(f"{back} === {json.dumps(dark)}", "the switch is kept")
    page.click("$('theme')")


# Desktop, tablet on its side, phone.
SIZES = ((1440, 900), (1024, 768), (390, 844))


def every_size_shows_everything(browser, hark):
    """At each width nothing reaches beyond the window, and the events, their packets and the filters are reachable."""
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            page = Page(browser, hark.address, width, height, scheme)
            page.until("data.total > 30 && document.querySelector('.row:not([hidden])')", "events and lanes")

            def fits(state):
                wide = page.run("document.documentElement.scrollWidth")
                check(wide <= width, f"{width} pixels, {state}: the page is {wide} pixels wide")
                outside = page.run("""[...document.querySelectorAll('header, header button:not([hidden]), header input, ' +
                    '#marks, #table, #detail:not([hidden])')]
                    .filter((e) => e.offsetParent && (e.getBoundingClientRect().right > innerWidth + 1 ||
                                                      e.getBoundingClientRect().left < -1))
                    .map((e) => e.id || e.outerHTML.slice(0, 60))""")
                check(outside == [], f"{width} pixels, {state}: beyond the window: {outside}")

            fits("on opening")
            rows = page.run("""[...document.querySelectorAll('.row:not([hidden])')].filter((e) => {
                const b = e.getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight; }).length""")
            check(rows >= 3, f"{width} pixels: {rows} events are on the screen")
            page.run("choose(3, true)")
            page.until("!$('detail').hidden && document.querySelector('.hex i')", "the packet of an event")
            fits("with a packet")
            page.run("closeDetail()")
            page.until("$('detail').hidden", "it closes")
            page.run("$('filter').value = 'lane == gatt'; setFilter('lane == gatt')")
            page.until("data.filter && data.total < 30", "a filter")
            fits("with a filter")
            check(page.complaints() == [], f"{page.complaints()}")
            page.close()


def everything_has_a_name(page):
    """What can be operated has a role and a name for screen readers."""
    page.run("choose(3, true)")
    page.until("document.querySelector('.hex i')", "the packet of an event")
    page.send("Accessibility.enable")
    operable = {"button", "textbox", "searchbox", "combobox", "link", "checkbox", "tab", "grid", "treegrid", "tree",
                "listbox", "slider", "separator", "dialog", "application"}
    nameless, seen = [], set()
    for node in page.send("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in operable:
            continue
        seen.add(role)
        if not (node.get("name", {}).get("value") or "").strip():
            html = page.send("DOM.describeNode", backendNodeId=node["backendDOMNodeId"])["node"]
            nameless.append(f"{role}: {html['nodeName']} {html.get('attributes')}")
    check(nameless == [], f"without a name for screen readers: {nameless}")
    check({"button", "tree"} <= seen, f"controls for screen readers: {sorted(seen)}")
    check(page.run("document.documentElement.lang") == "en", "the language of the page")
    page.run("closeDetail()")


def only_the_page_may_ask(hark):
    status, headers, _ = hark.get("")
    check(status == 200 and headers["Content-Type"].startswith("text/html"), "the page")
    policy = headers["Content-Security-Policy"]
    check("default-src 'none'" in policy and "unsafe" not in policy, policy)
    check(headers["Referrer-Policy"] == "no-referrer", "the address is told nobody")
    check(headers["Cache-Control"] == "no-store", "nothing is kept")
    token = hark.path.strip("/")
    check(len(token) == 32, "the token has 128 bits")
    wrong = ("0" if token[-1] != "0" else "1")
    for path in ("/", "/status", "//", f"/{token[:-1]}{wrong}/", f"/{token[:-1]}/", f"/{token}0/", "/" + "0" * 32 + "/"):
        status, _, body = hark.get("status", path=path)
        check(status == 404 and b"packets" not in body, f"without the token: {path} {status}")
    for name in ("../status", "x/../../status", "%2e%2e/status", "index.html/", "nothing"):
        check(hark.get(name)[0] == 404, f"{name} is not there")
    port = hark.port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", "", None,
                 f"[::1]:{port}", f"127.0.0.1.evil.example:{port}"):
        check(hark.get("status", {"Host": host})[0] == 421, f"as {host}")
    check(hark.get("status", {"Host": f"localhost:{port}"})[0] == 200, "as localhost")
    for origin in ("http://evil.example", "null", f"http://localhost:{port}", f"https://127.0.0.1:{port}"):
        check(hark.get("status", {"Origin": origin})[0] == 403, f"from {origin}")
    check(hark.get("status", {"Origin": f"http://127.0.0.1:{port}"})[0] == 200, "from the page")
    check(hark.get("status", {"Sec-Fetch-Site": "cross-site"})[0] == 403, "from another site")
    check(hark.get("", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})[0] == 200, "a link")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
        check(hark.get("status", method=method)[0] == 405, method)
    # Numbers of any kind.
    for query in ("rows?from=-5&count=99999999999", "rows?from=99999999999999999999", "density?from=9&to=1&buckets=0",
                  "density?from=0&to=9223372036854775807&buckets=99999", "find?text=&from=-9", "find?text=%00",
                  "place?axis=-1", "place?index=99999999", "rows?from=%zz"):
        check(hark.get(query)[0] in (200, 404), query)
    for number in ("0", "-1", "abc", "99999999999999999999", ""):
        check(hark.get(f"packet?number={number}")[0] == 400, f"packet {number}")
    check(len(hark.json("rows?from=0&count=100000")["rows"]) <= 500, "no answer is everything")


def no_key_is_served(hark):
    keys = [key["privateKey"] for key in json.loads(KEYS.read_text())["accessoryKeys"]]
    truth = json.loads(SESSION.with_name("truth.json").read_text())
    keys += [side["irk"] for side in truth["addresses"].values()]
    check(len(keys) == 3, "keys to look for")
    served = b"".join(hark.get(f"packet?number={n}")[2] for n in range(1, truth["packets"] + 1))
    served = (served + hark.get("rows?from=0&count=500")[2] + hark.get("status")[2]).lower()
    for key in keys:
        for order in (bytes.fromhex(key), bytes.fromhex(key)[::-1]):
            check(order.hex().encode() not in served, "a key is served")


def btsnoop(*packets):
    data = b"btsnoop\0" + struct.pack(">II", 1, 1002)
    for number, packet in enumerate(packets):
        flags = 1 if packet[0] == 4 else 0
        data += struct.pack(">IIIIq", len(packet), len(packet), flags, 0, 0x00DCDDB30F2F8000 + 1_763_546_400_000_000 + number * 1000)
        data += packet
    return data


def hostile_names_are_text(browser, program):
    address = bytes.fromhex("010203deadc0")
    name = "<script>window.hacked = 1</script><img src=x onerror='hacked = 1'>\u202eevil".encode()
    complete = bytes([4, 3, 11, 0, 0x0B, 0]) + address + bytes([1, 0])
    named = bytes([4, 7, 255, 0]) + address + name.ljust(248, b"\0")
    closed = bytes([4, 5, 4, 0, 0x0B, 0, 0x13])
    with tempfile.NamedTemporaryFile(suffix=".btsnoop") as file:
        file.write(btsnoop(complete, named, complete, closed))
        file.flush()
        with serving(program, "timeline", file.name, "--web") as hark:
            page = Page(browser, hark.address)
            page.until("data.total > 1", "events")
            page.run("choose(data.total - 1, true)")
            page.until("document.querySelector('.hex i')", "the packet")
            text = page.run("document.body.innerText")
            check("<script>window.hacked = 1</script><img" in text, "the name is shown as it is")
            check("\u202e" not in text and "\\u202e" in text, "marks of direction are shown as such")
            check(page.run("document.querySelectorAll('body script, img[src=x]').length") == 0, "no markup")
            check(page.run("window.hacked") is None, "no script runs")
            check(page.complaints() == [], f"{page.complaints()}")
            page.close()


def live(browser, program):
    data = SESSION.read_bytes()
    rows, start, place = [], 16, 16
    while place < len(data):
        place += 24 + struct.unpack(">I", data[place + 4:place + 8])[0]
        rows.append(place)
    half = rows[60]
    with serving(program, "live", "-", "--web", "--keys", str(KEYS), stdin=subprocess.PIPE,
                 sends=data[:half]) as hark:
        page = Page(browser, hark.address)
        page.until("data.total > 3 && data.status.phase === 'live'", "the first events")
        before = page.run("data.total")
        # A part of the time, in sight: it slides along with what comes.
        page.run("show(data.status.end - 2e8, data.status.end); setFollowing(true)")
        width = page.run("lanes.to - lanes.from")
        ended = page.run("data.status.end")
        began = time.monotonic()
        hark.process.stdin.write(data[half:])
        hark.process.stdin.flush()
        page.until("table.elements.some((e) => e.cells[4].textContent.includes('closed: '))", "the last event")
        took = time.monotonic() - began
        check(page.run("data.total") > before, "more rows")
        page.until(f"data.status.end > {ended} && Math.abs(lanes.to - data.status.end) < 2", "the window follows the end")
        check(abs(page.run("lanes.to - lanes.from") - width) < 2, "the window stays as wide")
        check(page.run("table.follows"), "it follows")
        page.run("table.scrollTo(0)")
        check(not page.run("table.follows"), "who scrolls up is left alone")
        page.key("l")
        check(page.run("table.follows"), "l follows")
        hark.process.stdin.close()
        page.until("data.status.phase === 'ended'", "the end")
        expected = lines(program, "timeline", str(SESSION), "--keys", str(KEYS), "--findings", "--format", "json")
        check([r["event"] for r in hark.json("rows?count=500")["rows"]] == expected, "the same as offline")
        check(hark.json("packet?number=155")["sections"][-1]["title"].startswith("Decrypted"), "packets of a pipe")
        check(page.complaints() == [], f"{page.complaints()}")
        page.close()
        check(hark.end() == 0, "Ctrl-C ends it")
        return took


def a_report_folds_its_timeline(browser, program):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.html"
        subprocess.run([program, "report", str(EARBUDS), "-o", str(file)], check=True, stderr=subprocess.DEVNULL)
        page = Page(browser, file.as_uri())
        check(page.run("document.querySelector('h2').textContent") == "Findings", "findings come first")
        check(page.run("document.querySelector('.finding').getBoundingClientRect().top < 500"), "on the first screen")
        check(page.run("document.querySelectorAll('.timeline tbody tr').length > 40"), "it has a long timeline")
        check(not page.run("document.querySelector('.long').open"), "that is folded")
        page.run("document.querySelector('.overview a').click()")
        page.until("document.querySelector('.long').open", "a mark of the overview opens it")
        page.until("document.querySelector('tr:target').getBoundingClientRect().top < innerHeight", "and goes to its line")
        check(page.run("document.querySelector('.long .scroll').clientHeight < innerHeight"), "it scrolls by itself")
        check(page.complaints() == [], f"{page.complaints()}")
        page.close()


def write_large(file, events):
    """The session up to its first message, and then a stream of notifications with pauses."""
    data = SESSION.read_bytes()
    place = 16
    for _ in range(150):
        size = struct.unpack(">I", data[place:place + 4])[0]
        stamp = struct.unpack(">q", data[place + 16:place + 24])[0]
        place += 24 + size
    with open(file, "wb") as out:
        out.write(data[:place])
        seed = 1
        for number in range(events):
            seed = seed * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
            stamp += 2_000 + (seed >> 50) + (4_000_000 if seed >> 33 & 0x3FFF == 0 else 0)
            handle = 0x0200 + (seed >> 40 & 3)
            value = struct.pack("<BHI", 0x1B, handle, number)
            packet = struct.pack("<BHHHH", 2, 0x2001, len(value) + 4, len(value), 4) + value
            out.write(struct.pack(">IIIIq", len(packet), len(packet), 1, 0, stamp) + packet)


def large(browser, program, capture, shots):
    began = time.monotonic()
    with serving(program, "timeline", capture, "--web") as hark:
        page = Page(browser, hark.address)
        page.until("data.total > 0", "the first rows")
        print(f"first rows after {time.monotonic() - began:.2f} s")
        hark.wait("ended")
        print(f"all read after {time.monotonic() - began:.2f} s")
        page.until("data.status.phase === 'ended' && !lanes.isAsking", "the end", 60)
        events = page.run("data.total")
        memory = pathlib.Path(f"/proc/{hark.process.pid}/status").read_text()
        resident = next(l for l in memory.splitlines() if l.startswith("VmHWM")).split()[1]
        print(f"{events} events, {page.run('data.status.packets')} packets, {int(resident) // 1024} MiB at most")

        def timed(name, query, times=9):
            spent = []
            for _ in range(times):
                start = time.monotonic()
                size = len(hark.get(query)[2])
                spent.append(time.monotonic() - start)
            spent.sort()
            print(f"{name}: median {spent[len(spent) // 2] * 1000:.1f} ms, worst {spent[-1] * 1000:.1f} ms, {size} bytes")

        end = hark.json("status")["end"]
        timed("density of all", f"density?from=0&to={end + 1}&buckets=500")
        timed("density of a hundredth", f"density?from={end // 2}&to={end // 2 + end // 100}&buckets=500")
        timed("100 rows", f"rows?from={events // 2}&count=100")
        timed("search that finds nothing, a piece", f"find?text=nothinglikethis&from={events // 3}")
        timed("a packet far away", "packet?number=5", 1)
        timed("another far away", f"packet?number={hark.json('status')['packets'] - 5}", 1)
        timed("the packet beside it", f"packet?number={hark.json('status')['packets'] - 6}", 3)
        start = time.monotonic()
        while True:
            answer = hark.json("rows?count=0&filter=severity%20%3E%20info%20or%20lane%20%3D%3D%20link")
            if answer["looked"] == answer["events"]:
                break
            time.sleep(0.02)
        print(f"a filter over all: {time.monotonic() - start:.2f} s, {answer['total']} match")
        frames = """new Promise((resolve) => {
            const spent = []; let last = performance.now(); let n = 0;
            const step = (now) => {
                spent.push(now - last); last = now;
                %s
                if (++n < 240) requestAnimationFrame(step);
                else { spent.sort((a, b) => a - b); resolve([spent[120], spent[228], spent[239]]); }
            };
            requestAnimationFrame(step);
        })"""
        for name, act in (("scrolling 40 rows a frame", "table.scrollTo(table.top + 40)"),
                          ("jumping anywhere", "table.scrollTo((n * 7919 * 101) % data.total)"),
                          ("zooming", "zoom(n < 120 ? 0.93 : 1 / 0.93)")):
            median, p95, worst = page.run(frames % act)
            print(f"frames, {name}: median {median:.1f} ms, 95 % {p95:.1f} ms, worst {worst:.1f} ms")
            check(median < 17.5, f"{name}: fewer than 60 frames a second")
        page.run("showAll(); table.scrollTo(0)")
        page.until("!lanes.isAsking", "the density")
        if shots:
            page.shot(f"{shots}/web-far.png")
        # The wheel, the bar, the end.
        page.run("table.scrollTo(0)")
        box = page.run("(() => { const b = $('table').getBoundingClientRect(); return [b.left + 300, b.top + 200]; })()")
        page.wheel(*box, 280)
        page.until("Math.abs(table.top - 10) < 0.6", "the wheel moves ten rows")
        page.run("$('table').scrollTop = $('table').scrollHeight")
        page.until("Math.abs(table.top - table.highestTop()) < 1", "the bar goes to the end")
        page.run("document.activeElement.blur()")
        page.key("End")
        page.until("table.chosen === data.total - 1 && lanes.chosen", "the last event")
        check(page.complaints() == [], f"{page.complaints()}")


def pictures(browser, program, shots):
    with serving(program, "timeline", str(SESSION), "--keys", str(KEYS), "--web") as hark:
        hark.wait("ended")
        for name, width, height, scheme in (("desktop-light", 1440, 900, "light"), ("desktop-dark", 1440, 900, "dark"),
                                            ("phone-light", 390, 844, "light"), ("phone-dark", 390, 844, "dark")):
            page = Page(browser, hark.address, width, height, scheme)
            page.until("data.total > 30", "events")
            page.shot(f"{shots}/web-{name}.png")
            index = page.run("(async () => { for (let i = 0; i < data.total; i++) { const r = await events.rowNow(i, data.total);"
                             " if (notificationOf(r.event)) return i; } })()")
            page.run(f"choose({index}, true)")
            page.until("document.querySelector('.hex i')", "the packet")
            page.click("document.querySelectorAll('.tree [role=treeitem]')[3]")
            page.shot(f"{shots}/web-{name}-card.png")
            page.close()
        page = Page(browser, hark.address)
        page.until("data.total > 30", "events")
        page.run("show(1.0e9, 2.4e9)")
        page.until("lanes.captions.length > 3", "captions")
        page.shot(f"{shots}/web-near.png")
        page.run("$('filter').value = 'lane == paring'; setFilter('lane == paring')")
        page.until("!$('complaint').hidden", "a complaint")
        page.shot(f"{shots}/web-complaint.png")
        page.run("$('complaint').hidden = true; $('keys').showModal()")
        page.shot(f"{shots}/web-keys.png")
        page.close()


def picture(browser, program, file):
    """The picture in docs/web.md: a notification in the clear, with the packet that carried it."""
    with serving(program, "timeline", str(SESSION), "--keys", str(KEYS), "--web") as hark:
        hark.wait("ended")
        page = Page(browser, hark.address)
        page.until("data.total > 30 && lanes.captions.length > 3", "events")
        index = page.run("(async () => { for (let i = 0; i < data.total; i++) { const r = await events.rowNow(i, data.total);"
                         " if (notificationOf(r.event)) return i; } })()")
        page.run(f"choose({index}, true)")
        page.until("document.querySelector('.hex i')", "the packet")
        page.click("document.querySelectorAll('.tree [role=treeitem]')[3]")
        page.until("document.querySelector('.tree [aria-selected=true]')", "a field")
        page.run("document.activeElement.blur()")
        page.shot(file)
        page.close()


def reading(browser, program):
    """What a page shows, and how one looks at it."""
    arguments = [str(SESSION), "--keys", str(KEYS)]
    with serving(program, "timeline", *arguments, "--web") as hark:
        hark.wait("ended")
        page = Page(browser, hark.address)
        expected = events_are_those_of_the_timeline(hark, page, program, arguments)
        scrolling_is_followed(page)
        packets_are_those_of_show(hark, program, arguments, (1, 100, 155, 154, 193, 2))
        a_notification_is_a_card(page, expected)
        tree_and_bytes_show_each_other(page, hark)
        searching(page)
        filtering(page, program, arguments)
        zooming(page)
        keyboard(page)
        themes(page)
        everything_has_a_name(page)
        check(page.complaints() == [], f"the browser complains: {page.complaints()}")
        only_the_page_may_ask(hark)
        no_key_is_served(hark)
        page.close()
        check(hark.end() == 0, "Ctrl-C ends it")


def working(browser, program):
    """What one does with what a page shows."""
    arguments = [str(SESSION), "--keys", str(KEYS)]
    expected = lines(program, "timeline", *arguments, "--findings", "--format", "json")
    with serving(program, "timeline", *arguments, "--web") as hark:
        hark.wait("ended")
        every_size_shows_everything(browser, hark)
        a_view_has_an_address(browser, hark)
        events_are_copied(browser, hark, expected)
        lanes_fold_hide_and_move(browser, hark)
        parts_are_resized(browser, hark)
        packets_have_a_list(browser, hark, program)
        the_list_of_packets_follows(browser, hark, program)
        a_filter_keeps_the_selection(browser, hark)
        texts_are_written(browser, hark)
        notes_go_into_the_report(browser, hark, program)
        idle_times_are_drawn_short(browser, hark)
        hits_are_counted(browser, hark, expected)
        check(hark.end() == 0, "Ctrl-C ends it")


def captures(browser, program):
    """Pages of other captures, live ones, and reports."""
    a_capture_with_errors_opens_on_them(browser, program)
    findings_have_a_lane(browser, program)
    keys_are_pasted(browser, program)
    a_report_folds_its_timeline(browser, program)
    hostile_names_are_text(browser, program)
    took = live(browser, program)
    print(f"live: the last row {took * 1000:.0f} ms after the bytes")


PARTS = {part.__name__: part for part in (reading, working, captures)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hark")
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--shots")
    parser.add_argument("--latency", type=int, default=0)
    parser.add_argument("--large", type=int)
    parser.add_argument("--picture")
    options = parser.parse_args()
    program = os.path.abspath(options.hark)
    browser = Browser(options.latency)
    try:
        if options.large:
            with tempfile.NamedTemporaryFile(suffix=".btsnoop") as file:
                write_large(file.name, options.large)
                large(browser, program, file.name, options.shots)
            return
        if options.picture:
            picture(browser, program, options.picture)
            return
        for name, part in PARTS.items():
            if options.part in (None, name):
                part(browser, program)
        if options.shots:
            pictures(browser, program, options.shots)
        print("the page is as it should be")
    finally:
        browser.close()


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        print(f"wrong: {error}")
        sys.exit(1)
