#!/usr/bin/env python3
"""Open what `hark seal --format json` wrote, with other implementations: check_sealed.py SEALED KEYFILE

P-256 is opened by pyhpke, X-Wing by the primitives of `cryptography`: see hpke.py. Prints each plaintext, and fails
where one cannot be opened.
"""
import json
import pathlib
import sys

from hpke import TO_ACCESSORY, Generation, Strings, decapsulate, public_key


def main(sealed, keys):
    sealed, keys = (json.loads(pathlib.Path(path).read_text()) for path in (sealed, keys))
    suite = sealed["cipherSuite"]
    private = next(
        key for entry in keys["accessoryKeys"]
        if public_key(suite.lower(), key := bytes.fromhex(entry["privateKey"]))
        == bytes.fromhex(sealed["publicKey"]))
    strings = Strings("XWing" if suite == "xWing" else "P256")
    generations = []
    for number, encapsulated in enumerate(sealed["encapsulatedKeys"], 1):
        export = decapsulate(suite.lower(), private, bytes.fromhex(encapsulated),
                             strings.info(sealed["identifier"]))
        generations.append(Generation(number, sealed["identifier"], strings, export))
    for message in sealed["messages"]:
        generation = generations[message["exchanges"] - 1]
        print(generation.open(TO_ACCESSORY, sealed["sessionID"], bytes.fromhex(message["sealed"])))


if __name__ == "__main__":
    main(*sys.argv[1:])
