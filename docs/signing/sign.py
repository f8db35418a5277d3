#!/usr/bin/env python3
"""sign.py KEY.pem [TEXT]                              base64 of the signature of TEXT, or of the standard input
sign.py KEY.pem OPERATION LEDGER_ID NAME=VALUE...   base64 of a full signature of these parameters"""

import base64
import json
import re
import sys

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def sign(pem, text):
    key = serialization.load_pem_private_key(pem, password=None)
    return base64.b64encode(key.sign(text, ec.ECDSA(hashes.SHA256()))).decode()


def full_string(operation, ledger_id, params):
    sent = {name: text for name, text in {**params, "signed": "full"}.items() if text != ""}  # empty counts as absent
    text = json.dumps(sent, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"moneta|1|{ledger_id}|{operation}|{text}"


def wrong(why):
    print(f"sign.py: {why}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        wrong("usage: sign.py KEY.pem [TEXT | OPERATION LEDGER_ID NAME=VALUE...]")
    file, *rest = sys.argv[1:]
    if len(rest) > 1 and not re.fullmatch("[0-9a-f]{64}", rest[1]):
        wrong(f'"{rest[1]}" is not a ledger id of 64 hex digits; a TEXT with blanks needs quotes')
    for pair in rest[2:]:
        if "=" not in pair:
            wrong(f'"{pair}" is not NAME=VALUE')
    try:
        pem = open(file, "rb").read()
    except OSError:
        wrong(f"cannot read {file}")
    if len(rest) > 1:
        text = full_string(rest[0], rest[1], dict(pair.split("=", 1) for pair in rest[2:])).encode()
    else:
        text = rest[0].encode() if rest else sys.stdin.buffer.read()
    try:
        print(sign(pem, text))
    except (TypeError, ValueError, UnsupportedAlgorithm):
        wrong(f"{file} is not a private key for ECDSA, in PEM and without password")
