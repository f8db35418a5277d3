#!/usr/bin/env python3
"""sign.py KEY.pem [TEXT]                              base64 of the signature of TEXT, or of the standard input
sign.py KEY.pem OPERATION LEDGER_ID NAME=VALUE...   base64 of a full signature of these parameters"""

import base64
import json
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def sign(pem, text):
    key = serialization.load_pem_private_key(pem, password=None)
    return base64.b64encode(key.sign(text, ec.ECDSA(hashes.SHA256()))).decode()


def full_string(operation, ledger_id, params):
    sent = {name: text for name, text in {**params, "signed": "full"}.items() if text != ""}  # empty counts as absent
    text = json.dumps(sent, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"moneta|1|{ledger_id}|{operation}|{text}"


if __name__ == "__main__":
    key, *rest = sys.argv[1:]
    if len(rest) > 1:
        text = full_string(rest[0], rest[1], dict(pair.split("=", 1) for pair in rest[2:])).encode()
    else:
        text = rest[0].encode() if rest else sys.stdin.buffer.read()
    print(sign(open(key, "rb").read(), text))
