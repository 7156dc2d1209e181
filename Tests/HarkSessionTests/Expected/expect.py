#!/usr/bin/env python3
"""What tshark finds between the packets of a capture, for IndexExpectationTests:
expect.py CAPTURE >NAME.tsv. The lines, with tabs between:

open FRAME HANDLE             a connection was opened
close FRAME HANDLE REASON     and closed
channel FRAME PSM SCID DCID   a Connection Response opened a dynamic L2CAP channel
continues FRAME FIRST         the frame continues the PDU that began in FIRST
answer FRAME REQUEST          the ATT response of a request, the confirmation of an indication,
                              the response of a command of AVDTP or AVCTP

A response belongs to the last request of the other side on the same link (Core Specification,
Vol 3, Part F, 3.3.2). It is told by tshark's opcodes, handles and directions: its own
btatt.request_in_frame mixes links, and Error Responses have none. A response of AVDTP (1.3, 8.4.1)
or AVCTP (1.4, 6.1.1) has the transaction label of the other side's command; after an interim
response (AVRCP 1.6, 6.7.2) another one follows.
"""

import subprocess
import sys

FIELDS = """frame.number bthci_evt.code bthci_evt.le_meta_subevent bthci_evt.status
 bthci_evt.connection_handle bthci_evt.reason btl2cap.cmd_code btl2cap.psm btl2cap.scid
 btl2cap.dcid btl2cap.result bthci_acl.continuation_to bthci_acl.chandle frame.p2p_dir
 btatt.opcode btatt.req_opcode_in_error btavdtp.transaction btavdtp.message_type
 btavctp.transaction btavctp.cr btavrcp.ctype""".split()
command = ["tshark", "-r", sys.argv[1], "-T", "fields"]
for field in FIELDS:
    command += ["-e", field]
output = subprocess.run(command, capture_output=True, text=True, check=True).stdout


def number(text):
    return int(text, 0) if text else -1


asked = {}
requests = {}
commands = {}


def labelled(protocol, label, answers, ends):
    """A command or response of a protocol with transaction labels."""
    side = number(way) ^ answers
    if not answers:
        commands[link, protocol, label, side] = frame
        return
    command = commands.get((link, protocol, label, side))
    if command:
        print("answer", frame, command, sep="\t")
        if ends:
            del commands[link, protocol, label, side]


print("# By expect.py, of", " ".join(subprocess.run(
    ["tshark", "-v"], capture_output=True, text=True).stdout.split()[:3]))
for line in output.splitlines():
    (frame, code, sub, status, handle, reason, cmd, psm, scid, dcid, result, first, link, way,
     opcode, error, signal, message, label, response, ctype) = (column.split(",")[0] for column in line.split("\t"))
    opens = number(code) in (0x03, 0x2C) or number(code) == 0x3E and number(sub) in (0x01, 0x0A)
    if opens and number(status) == 0:
        print("open", frame, number(handle), sep="\t")
    if opens or number(code) == 5:
        for key in [key for key in requests if number(key[0]) == number(handle)]:
            del requests[key]
    if number(code) == 5 and number(status) == 0:
        print("close", frame, number(handle), number(reason), sep="\t")
    if number(cmd) == 2:
        asked[number(scid)] = number(psm)
    if number(cmd) == 3 and number(result) == 0:
        print("channel", frame, asked.get(number(scid), 0), number(scid), number(dcid), sep="\t")
    if first:
        print("continues", frame, first, sep="\t")
    if signal:
        labelled("AVDTP", signal, number(message) != 0, True)
    if label:
        labelled("AVCTP", label, number(response) == 1, number(ctype) != 15)
    opcode, indicates = number(opcode), number(opcode) in (0x1D, 0x1E)
    if opcode < 0 or opcode in (0x1B, 0x23, 0x52, 0xD2):
        continue
    asking = opcode == 0x1D or opcode % 2 == 0 and opcode != 0x1E
    side = number(way) if asking else 1 - number(way)
    if asking:
        requests[link, side, indicates] = frame, opcode
        continue
    request, asks = requests.get((link, side, indicates), ("", -1))
    if asks == (number(error) if opcode == 1 else opcode - 1):
        del requests[link, side, indicates]
        print("answer", frame, request, sep="\t")
