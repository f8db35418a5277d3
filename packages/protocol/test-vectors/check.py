#!/usr/bin/env python3
"""Recomputes the test vectors of this folder from their inputs. Knows nothing of the ledger's own code: what it goes by are the specification, RFC 6962,
8785, 8032 and 8410, SEC 1 and C2SP signed-note, tlog-checkpoint and tlog-tiles. Python 3 and openssl 3 are all it needs.

    check.py [FOLDER]    all files of a folder, this one if none is named: first their hashes, then each vector
    check.py judge       a verdict a line, on lines of JSON on the standard input: {"file": its name, "text": what it holds} or {"folder": its path}

Exit code 0 if every vector holds, 1 if one does not, which is then printed.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from decimal import Decimal
from fractions import Fraction
from functools import cache


class Wrong(Exception):
    """A vector does not hold."""


def require(holds, what):
    if not holds:
        raise Wrong(what)


def same(given, own, what):
    require(given == own and type(given) is type(own), f"{what} is {given!r} but comes to {own!r}")


def members(vector, required, optional=()):
    """The members of a vector, of which none is missing or too many."""
    names = set(vector)
    require(names >= set(required), f"{sorted(set(required) - names)} is missing")
    unknown = names - set(required) - set(optional) - {"name", "source"}
    require(unknown == set(), f"unknown: {sorted(unknown)}")
    for name in ("name", "source"):
        require(vector.get(name) != "", f"{name} is empty")
    return [vector[name] for name in required]


def each(vectors, check):
    """Checks every vector, and says which one is wrong."""
    require(isinstance(vectors, list) and vectors != [], "there are no vectors")
    for at, vector in enumerate(vectors):
        try:
            check(vector)
        except Wrong as wrong:
            raise Wrong(f"vector {at} ({vector.get('name', '')}): {wrong}") from wrong


def sha256(data):
    return hashlib.sha256(data).digest()


def hex_of(text):
    return sha256(text.encode()).hex()


# JSON: RFC 8259 as the specification narrows it, RFC 8785.

SAFE = 2**53 - 1


def refuse_constant(word):
    raise ValueError(word)


def pairs_once(pairs):
    require(len({name for name, _ in pairs}) == len(pairs), "a name stands twice in one object")
    return dict(pairs)


def depth_of(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


def read_json(text, depth=8):
    """The value of a JSON text, numbers as Decimal; Wrong if it is none, has a name twice, or is too deep."""
    try:
        value = json.loads(
            text, parse_float=Decimal, parse_int=Decimal, parse_constant=refuse_constant, object_pairs_hook=pairs_once
        )
    except ValueError as error:
        raise Wrong(f"no JSON: {error}") from error
    require(depth_of(value) <= depth, "too deep")
    return value


def canonical(value):
    """RFC 8785, with no numbers but integers from 0 to 2^53 - 1."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise Wrong("half a surrogate pair") from error
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        require(value == int(value) and 0 <= value <= SAFE, "not such a number")
        return str(int(value))
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return f"{{{','.join(f'{canonical(name)}:{canonical(value[name])}' for name in names)}}}"
    return {None: "null", True: "true", False: "false"}[value]


def compact(text):
    """A JSON text without the white space between its parts."""
    return "".join(re.findall(r'"(?:[^"\\]|\\.)*"|[^ \t\r\n"]+', text))


def canonical_text(text, what):
    value = read_json(text, 100)
    same(text, canonical(value), what)
    return value


# Elliptic curves: SEC 1.

CURVES = {
    "P-256": {
        "name": "prime256v1",
        "oid": bytes.fromhex("06082a8648ce3d030107"),
        "bytes": 32,
        "p": 2**256 - 2**224 + 2**192 + 2**96 - 1,
        "b": 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        "n": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    },
    "P-384": {
        "name": "secp384r1",
        "oid": bytes.fromhex("06052b81040022"),
        "bytes": 48,
        "p": 2**384 - 2**128 - 2**96 + 2**32 - 1,
        "b": int(
            "B3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF", 16
        ),
        "n": int(
            "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973", 16
        ),
    },
    "P-521": {
        "name": "secp521r1",
        "oid": bytes.fromhex("06052b81040023"),
        "bytes": 66,
        "p": 2**521 - 1,
        "b": int(
            "0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF07"
            "3573DF883D2C34F1EF451FD46B503F00",
            16,
        ),
        "n": 2**521
        - 6 * 2**256
        + 0x51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409,
    },
}

EC_PUBLIC_KEY = bytes.fromhex("06072a8648ce3d0201")


def point_of(curve, data):
    """The uncompressed form of a point; None if it is none of the curve."""
    size, p = curve["bytes"], curve["p"]
    if len(data) == 1 + 2 * size and data[0] == 4:
        x, y = int.from_bytes(data[1 : 1 + size], "big"), int.from_bytes(data[1 + size :], "big")
    elif len(data) == 1 + size and data[0] in (2, 3):
        x = int.from_bytes(data[1:], "big")
        # All three primes are 3 modulo 4.
        y = pow(x**3 - 3 * x + curve["b"], (p + 1) // 4, p)
        y = y if y % 2 == data[0] % 2 else p - y
    else:
        return None
    is_on = x < p and y < p and (y * y - (x**3 - 3 * x + curve["b"])) % p == 0
    return b"\x04" + x.to_bytes(size, "big") + y.to_bytes(size, "big") if is_on else None


def element(data, at):
    """Where the content of a DER element begins and ends."""
    require(at + 2 <= len(data), "the element is cut off")
    length, begin = data[at + 1], at + 2
    if length >= 128:
        count = length - 128
        require(1 <= count <= 2 and begin + count <= len(data), "no such length")
        length, begin = int.from_bytes(data[begin : begin + count], "big"), begin + count
        require(length >= 128 and (count == 1 or length >= 256), "a length in too many bytes")
    require(begin + length <= len(data), "the element is cut off")
    return begin, begin + length


def wrapped(tag, content):
    length = len(content)
    size = bytes([length]) if length < 128 else bytes([129, length]) if length < 256 else b"\x82" + length.to_bytes(2, "big")
    return bytes([tag]) + size + content


def canonical_key(curve, point):
    algorithm = wrapped(0x30, EC_PUBLIC_KEY + curve["oid"])
    return wrapped(0x30, algorithm + wrapped(3, b"\x00" + point))


def lenient_base64(text):
    """Base64 or base64url, padded or not; None if it is none."""
    match = re.fullmatch(r"([0-9A-Za-z+/_-]+)={0,2}", text)
    if match is None or len(match[1]) % 4 == 1:
        return None
    digits = match[1].replace("-", "+").replace("_", "/")
    return base64.b64decode(digits + "=" * (-len(digits) % 4))


def read_public_key(text):
    """Curve and canonical body of a public key, or the code that refuses it: accounts, section 2."""
    if text == "" or len(text) > 4096:
        return "3103"
    text = re.sub(r"\\[nr]", "\n", text.removeprefix("\ufeff"))
    body = text
    if "-----BEGIN " in text:
        label = re.search(r"-----BEGIN ([^-]*)-----", text)
        if label is not None and label[1] != "PUBLIC KEY":
            return "3104"
        block = re.search(r"-----BEGIN PUBLIC KEY-----([^-]*)-----END PUBLIC KEY-----", text)
        if block is None or text.count("-----BEGIN ") > 1:
            return "3103"
        body = block[1]
    der = lenient_base64(re.sub(r"[ \t\r\n]", "", body))
    if der is None:
        return "3103"
    try:
        require(der[0] == 0x30, "no SEQUENCE")
        begin, end = element(der, 0)
        require(end == len(der) and der[begin] == 0x30, "not one SEQUENCE")
        inner, inner_end = element(der, begin)
        require(der[inner] == 6, "no algorithm")
        _, algorithm_end = element(der, inner)
        algorithm, parameters = der[inner:algorithm_end], der[algorithm_end:inner_end]
        require(der[inner_end] == 3, "no BIT STRING")
        bits, bits_end = element(der, inner_end)
        require(bits_end == end and der[bits] == 0, "no key")
    except (Wrong, IndexError):
        return "3105"
    if algorithm != EC_PUBLIC_KEY:
        return "3106"
    for name, curve in CURVES.items():
        if parameters == curve["oid"]:
            point = point_of(curve, der[bits + 1 :])
            return "3105" if point is None else (name, base64.b64encode(canonical_key(curve, point)).decode())
    return "3102"


# Signatures, by openssl.

DIGESTS = {"SHA-256": hashlib.sha256, "SHA-384": hashlib.sha384, "SHA-512": hashlib.sha512}


@cache
def openssl(*command, **files):
    """What openssl says, given the contents of files by the words that stand for them; None if it says no."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        done = subprocess.run(["openssl", *command], cwd=folder, capture_output=True, check=False)
        return done.stdout if done.returncode == 0 else None


def verifies(digest, public_key, text, der):
    command = ["dgst", f"-{digest.lower().replace('-', '')}", "-verify", "key", "-signature", "signature", "text"]
    data = text if isinstance(text, bytes) else text.encode()
    return openssl(*command, key=public_key.encode(), signature=der, text=data) is not None


def der_number(value):
    content = value.to_bytes(value.bit_length() // 8 + 1, "big")
    return wrapped(2, content)


def der_signature(r, s):
    return wrapped(0x30, der_number(r) + der_number(s))


def numbers_of(der):
    """r and s of a signature in strict DER, both above 0; None if it is none."""
    try:
        require(der[:1] == b"\x30", "no SEQUENCE")
        begin, end = element(der, 0)
        require(end == len(der), "something behind it")
        numbers = []
        while begin < end:
            require(der[begin] == 2, "no INTEGER")
            first, begin = element(der, begin)
            numbers.append(int.from_bytes(der[first:begin], "big", signed=True))
        require(len(numbers) == 2 and min(numbers) > 0, "not two numbers above 0")
        require(der_signature(*numbers) == der, "not as short as it can be")
        return numbers
    except (Wrong, IndexError):
        return None


def check_signatures(file):
    keys = {}

    def check_key(vector):
        names = ["curve", "private_scalar", "private_key_pkcs8", "private_key_sec1", "public_key", "public_key_body"]
        curve_name, scalar, pkcs8, sec1, public_key, body = members(vector, names)
        require(curve_name in CURVES and vector["name"] not in keys and "source" in vector, "no such key")
        curve = CURVES[curve_name]
        for private_key in (pkcs8, sec1):
            own = openssl("pkey", "-in", "key", "-pubout", key=private_key.encode())
            same(public_key, own and own.decode(), "public_key")
        der = openssl("pkey", "-in", "key", "-outform", "DER", key=pkcs8.encode())
        require(der is not None and bytes.fromhex(scalar) in der, "private_scalar is that of another key")
        require(len(scalar) == 2 * curve["bytes"] and 0 < int(scalar, 16) < curve["n"], "no such scalar")
        require("BEGIN PRIVATE KEY" in pkcs8 and "BEGIN EC PRIVATE KEY" in sec1, "another form of private key")
        same(read_public_key(public_key), (curve_name, body), "public_key_body")
        keys[vector["name"]] = (curve, public_key)

    def check_valid(vector):
        names = ["key", "text", "digest", "hash", "der", "der_base64url", "raw", "raw_base64url", "other_der", "other_raw"]
        key, text, digest, hashed, der, der_url, raw, raw_url, other_der, other_raw = members(vector, names)
        require(key in keys and digest in DIGESTS, "no such key or digest")
        curve, public_key = keys[key]
        same(hashed, DIGESTS[digest](text.encode()).hexdigest(), "hash")
        numbers = numbers_of(strict_base64(der))
        require(numbers is not None, "der is no signature")
        r, s = numbers
        for given, given_url, given_raw, pair in (
            (der, der_url, raw, (r, s)),
            (other_der, None, other_raw, (r, curve["n"] - s)),
        ):
            own, size = der_signature(*pair), curve["bytes"]
            own_raw = b"".join(number.to_bytes(size, "big") for number in pair)
            same(strict_base64(given), own, "the DER form")
            same(strict_base64(given_raw), own_raw, "the raw form")
            if given_url is not None:
                same(given_url, base64.urlsafe_b64encode(own).decode().rstrip("="), "der_base64url")
                same(raw_url, base64.urlsafe_b64encode(own_raw).decode().rstrip("="), "raw_base64url")
            require(verifies(digest, public_key, text, own), "openssl says that it does not fit")

    def check_refused(vector):
        key, text, signature, code = members(vector, ["key", "text", "signature", "code"])
        require(key in keys, "no such key")
        curve, public_key = keys[key]
        data = lenient_base64(re.sub(r"[ \t\r\n]", "", signature))
        numbers = data and numbers_of(data)
        is_raw = data is not None and len(data) in (64, 96, 132)
        same(code, "2010" if numbers or is_raw else "2230", "code")
        forms = [data] if numbers else []
        if is_raw and len(data) == 2 * curve["bytes"]:
            half = len(data) // 2
            forms.append(der_signature(*(int.from_bytes(part, "big") for part in (data[:half], data[half:]))))
        for der in forms:
            for digest in DIGESTS:
                require(not verifies(digest, public_key, text, der), "openssl says that it fits")

    each(file["keys"], check_key)
    same(sorted(keys), ["P-256", "P-384", "P-521", "one"], "the names of keys")
    each(file["valid"], check_valid)
    each(file["refused"], check_refused)
    for key in keys:
        own = [vector for vector in file["valid"] if vector["key"] == key]
        same(sorted({vector["digest"] for vector in own}), sorted(DIGESTS), "digests of a key")
    by_source = {vector.get("source"): vector for vector in file["valid"]}
    for source, values in PUBLISHED_SIGNATURES.items():
        require(source in by_source, f"the example of {source} is missing")
        for name, value in values.items():
            same(by_source[source][name], value, f"the example of {source}: {name}")
    members(file, ["keys", "valid", "refused"])


def published(r, s):
    raw = bytes.fromhex(r + s)
    return {"text": "sample", "raw": base64.b64encode(raw).decode()}


PUBLISHED_SIGNATURES = {
    "chain §4.8": {
        "key": "one",
        "digest": "SHA-256",
        "der": "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==",
        "text": "MTAlice00000000000000000000000005dc33c90|MTBob0000000000000000000000000005f59bcba|0|100|"
        "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX",
    },
    "RFC 6979, appendix A.2.5": published(
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
    ),
    "RFC 6979, appendix A.2.6": published(
        "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46",
        "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8",
    ),
    "RFC 6979, appendix A.2.7": published(
        "00C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F174E25A1EE9017B5D450606ADD152B534931D7D4"
        "E8455CC91F9B15BF05EC36E377FA",
        "00617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF282623EAA63E5B5C0723D8B8C37FF0777B1A20F8"
        "CCB1DCCC43997F1EE0E44DA4A67A",
    ),
}


def strict_base64(text, length=None):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Wrong(f"{text!r} is not base64") from error
    same(text, base64.b64encode(data).decode(), "base64")
    require(length is None or len(data) == length, f"{text!r} does not have {length} bytes")
    return data


# Several signatures and passkeys: authority 2 and 3.

# By the curve: the digest of its own size.
OWN_DIGESTS = {"P-256": "SHA-256", "P-384": "SHA-384", "P-521": "SHA-512"}


def base64url_bytes(text, most):
    if not re.fullmatch("[0-9A-Za-z_-]+", text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    is_whole = base64.urlsafe_b64encode(data).decode().rstrip("=") == text
    return data if is_whole and len(data) <= most else None


def failing_step(one, key, text):
    """The first step of authority 3.1 that an assertion fails at; None if all hold but the signature."""
    authenticator = base64url_bytes(one["authenticatordata"], 1024)
    client_data = base64url_bytes(one["clientdata"], 4096)
    if authenticator is None or len(authenticator) < 37 or client_data is None:
        return 1
    try:
        client = json.loads(client_data.decode("utf-8"), object_pairs_hook=pairs_once)
    except (ValueError, Wrong):
        return 2
    if not isinstance(client, dict):
        return 2
    challenge = base64.urlsafe_b64encode(sha256(text.encode())).decode().rstrip("=")
    flags = authenticator[32]
    binding = client.get("tokenBinding", {})
    steps = {
        3: client.get("type") == "webauthn.get",
        4: client.get("challenge") == challenge,
        5: client.get("origin") in key["origins"],
        6: client.get("crossOrigin", False) is False and "topOrigin" not in client,
        7: isinstance(binding, dict) and binding.get("status") != "present",
        8: authenticator[:32] == sha256(key["rpid"].encode()),
        9: flags & 1,
        10: flags & 4 or not key["verified"],
        11: not flags & 16 or flags & 8,
    }
    return next((step for step, holds in steps.items() if not holds), None)


def check_authority(file):
    def fits(one, key, text):
        curve, body = read_public_key(key["publickey"])
        same(body, key["publickey"], "publickey")
        pem = f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n"
        if key["kind"] == "raw":
            der = base64.b64decode(one["signature"], validate=True)
            return None, verifies(OWN_DIGESTS[curve], pem, text.encode(), der)
        step = failing_step(one, key, text)
        if step is not None:
            return step, False
        der = base64url_bytes(one["signature"], 100)
        if der is None or numbers_of(der) is None:
            return 13, False
        data = base64url_bytes(one["authenticatordata"], 1024) + sha256(base64url_bytes(one["clientdata"], 4096))
        is_signed = verifies("SHA-256", pem, data, der)
        return None if is_signed else 13, is_signed

    def check(vector):
        text, keys, threshold, signatures, valid = members(vector, ["text", "keys", "threshold", "signatures", "valid"], ["step"])
        for key in keys:
            require(key["kind"] in ("raw", "webauthn") and 1 <= key["weight"] <= 1000, "no such key")
            require((key["kind"] == "webauthn") == ("rpid" in key), "a passkey has a domain")
            read_public_key(key["publickey"])
        given = json.loads(signatures)
        places = [one["key"] for one in given]
        is_whole = len(set(places)) == len(places) and all(place < len(keys) for place in places)
        own = is_whole and sum(keys[place]["weight"] for place in places) >= threshold
        step = None
        for one in given if own else []:
            step, fit = fits(one, keys[one["key"]], text)
            own = own and fit
        same(valid, own, "valid")
        same(vector.get("step"), step, "step")
        require(not valid or sum(keys[place]["weight"] for place in places) == threshold, "more signatures than are needed")

    check_parts(file, {"signatures": check})


# Signed strings: the table of the interface, and what the chapters add.

# Of a field that may stay unsent: `?` is empty or the actor, `!` the actor, `=` what was decided, `0` is empty or 0.
PLATFORM = "platform_name|platform_url|platform_address|platform_commission"
TOKEN_OFFER = f"address|amount|mrc010id|price|token|{PLATFORM}|tkey"
ITEMS = "seller?|itemdata|tkey"
UNIT_SHORT = "creator|name|url|imageurl|category|itemurl|itemimageurl|data|tkey"
UNIT_LONG = (
    "creator|name|creatorcommission|totalsupply|decimal|url|imageurl|shareholder|initialreserve|expiredate|data|information|socialmedia|"
    "copyright_registration_country|copyright_registrar|copyright_registration_number"
)
UNIT_EXTRA = f"allowtoken|category|description|itemurl|itemimageurl|{PLATFORM}"
MAKES_LONG = set(
    "totalsupply|decimal|creatorcommission|shareholder|initialreserve|expiredate|information|socialmedia|copyright_registration_country|"
    f"copyright_registrar|copyright_registration_number|{PLATFORM}".split("|")
)


def has(*names):
    return lambda params: any(name in params for name in names)


def always(_):
    return True


SHORT = {
    "transfer": [(always, "from|to|token|amount|checkkey")],
    "multitransfer": [(always, "from|transferlist|token|checkkey")],
    "exchange": [(always, None)],
    "tokensave": [(always, "owner|symbol|token0|name|url|Temporarykey")],
    "tokencreate": [(always, "owner!|name=|tkey")],
    "tokenburn": [(always, "token|amount|tkey")],
    "tokenincrease": [(always, "token|amount|tkey")],
    "tokenupdate": [(always, "token=|url|info|image|tkey")],
    "mrc010sell": [(always, TOKEN_OFFER)],
    "mrc010reqsell": [(always, TOKEN_OFFER)],
    "mrc010unsell": [(always, "dexid|tkey")],
    "mrc010unreqsell": [(always, "dexid|tkey")],
    "mrc010unauction": [(always, "dexid|tkey")],
    "mrc010buy": [(always, "dexid|address|amount|tkey")],
    "mrc010acceptreqsell": [(always, "dexid|address|amount|tkey")],
    "mrc010bid": [(always, "dexid|address|amount|tkey")],
    "mrc010auction": [
        (
            always,
            "address|amount|mrc010id|auction_start_price|token|auction_bidding_unit|auction_buynow_price|auction_start_date|"
            f"auction_end_date|{PLATFORM}|tkey",
        )
    ],
    "mrc400create": [(always, "owner|name|url|imageurl|category|itemurl|itemimageurl|partner|data|tkey")],
    "mrc400update": [(always, "mrc400id|name|url|imageurl|category|itemurl|itemimageurl|data|tkey")],
    "mrc401create": [(always, "mrc400id|itemdata|tkey")],
    "mrc401update": [(always, "mrc400id|itemdata|tkey")],
    "mrc401transfer": [(has("itemdata"), "fromAddr|toAddr|itemdata|tkey"), (always, "fromAddr|toAddr|mrc401id|tkey")],
    "mrc401sell": [(always, ITEMS)],
    "mrc401unsell": [(always, ITEMS)],
    "mrc401auction": [(always, ITEMS)],
    "mrc401unauction": [(always, ITEMS)],
    "mrc401buy": [(always, "mrc401id|tkey")],
    "mrc401melt": [(always, "mrc401id|tkey")],
    "mrc401bid": [(always, "mrc401id|amount|token|tkey")],
    "mrc402create": [
        (has("mrc400id", "itemdata"), "mrc400id|itemdata|tkey"),
        (lambda params: MAKES_LONG & set(params) and set(UNIT_EXTRA.split("|")) & set(params), f"{UNIT_LONG}|{UNIT_EXTRA}|tkey"),
        (lambda params: MAKES_LONG & set(params), f"{UNIT_LONG}|tkey"),
        (always, UNIT_SHORT),
    ],
    "mrc402transfer": [(has("amount"), "fromAddr|toAddr|amount|mrc402id|tkey"), (always, "fromAddr|toAddr|mrc402id|tkey")],
    "mrc402mint": [(always, "mrc402id|amount|memo|tkey")],
    "mrc402burn": [(always, "mrc402id|amount|memo|tkey")],
    "mrc402melt": [(has("amount"), "mrc402id|address?|amount|tkey"), (always, "mrc402id|tkey")],
    "mrc402update": [
        (
            always,
            "mrc402id|url|data|information|socialmedia|copyright_registration_country|copyright_registrar|"
            "copyright_registration_number|tkey",
        )
    ],
    "mrc402itemupdate": [(always, "mrc400id|itemdata|tkey")],
    "mrc402sell": [(has("itemdata"), ITEMS), (always, f"seller?|amount|id|price|token|{PLATFORM}|tkey")],
    "mrc402auction": [
        (has("itemdata"), ITEMS),
        (
            always,
            "seller?|amount|id|auction_start_price|token|auction_bidding_unit|auction_buynow_price|auction_start_date|"
            f"auction_end_date|{PLATFORM}|tkey",
        ),
    ],
    "mrc402unsell": [(has("itemdata"), ITEMS), (always, "id|tkey")],
    "mrc402unauction": [(has("itemdata"), ITEMS), (always, "id|tkey")],
    "mrc402buy": [(has("amount"), "id|buyer?|amount|tkey"), (always, "id|tkey")],
    "mrc402bid": [
        (lambda params: params["id"].startswith("DEX402_"), "id|buyer?|amount|tkey"),
        (always, "id|amount|token|tkey"),
    ],
    "addresskeys": [(always, None)],
    "addressrecover": [(always, None)],
    "addressrecovercancel": [(always, None)],
    "grant": [(always, None)],
    "grantend": [(always, None)],
    "mrc401offer": [(always, None)],
    "mrc401acceptoffer": [(always, None)],
    "mrc401unoffer": [(always, None)],
    "mrc402offer": [(always, None)],
    "mrc402acceptoffer": [(always, None)],
    "mrc402unoffer": [(always, None)],
    "tokensetbase": [(always, "owner!|token|baseToken|tkey")],
    "tokenaddtarget": [(always, None)],
    "tokenremovetarget": [(always, None)],
    "mrc040create": [(always, "owner|side|basetoken|targettoken|price|qtt|tkey")],
    "mrc040cancel": [(always, "owner|mrc040id|tkey")],
    "mrc040request": [(always, "requester|side|basetoken|targettoken|price|qtt|minqtt|tkey")],
    "mrc020": [(always, "owner|data|opendate|referencekey|keyhash|algorithm|tkey")],
    "mrc040exchange": [(always, "requester|mrc040id|qtt|tkey")],
    "protocol": [(always, None)],
}

# Only a full signature covers these.
FULL_ONLY = {
    operation: {"maxmeltfee", "maxsellfee", "transferable"}
    for operation in ("mrc401buy", "mrc401bid", "mrc402buy", "mrc402bid")
} | {
    "mrc010auction": {"extend"},
    "mrc010sell": {"sell_start", "sell_end"},
    "mrc400create": {"policy"},
    "mrc400update": {"policy"},
    "mrc402auction": {"extend"},
    "mrc402sell": {"sell_start", "sell_end"},
    "mrc402create": {"attributes", "metadatahash", "frozen", "to"},
    "mrc402update": {"attributes", "metadatahash", "frozen"},
    "mrc402mint": {"to"},
}

# What clients of older nodes sign, accepted as well. A | in a free text could move the borders of fields.
ALSO = {
    "mrc400create": [
        (
            lambda params: "partner" not in params and "|" not in params["data"],
            "owner|name|url|imageurl|category|itemurl|itemimageurl|data|tkey",
        )
    ],
    "mrc400update": [
        (
            lambda params: "|" not in params.get("description", "") + params.get("data", ""),
            "mrc400id|name|url|imageurl|category|description|itemurl|itemimageurl|data|tkey",
        )
    ],
}

# The parameter that names the actor.
ACTORS = {
    "from": ["transfer", "multitransfer"],
    "fromAddr": ["mrc401transfer", "mrc402transfer"],
    "owner": ["tokensave", "mrc400create", "mrc402itemupdate", "mrc040create", "mrc040cancel", "mrc020"],
    "requester": ["mrc040request", "mrc040exchange"],
    "creator": ["mrc401create", "mrc401update", "mrc402create"],
    "seller": [f"{kind}{what}" for kind in ("mrc401", "mrc402") for what in ("sell", "unsell", "auction", "unauction", "acceptoffer")],
    "buyer": [f"{kind}{what}" for kind in ("mrc401", "mrc402") for what in ("buy", "bid", "offer", "unoffer")],
    "address": ["mrc010sell", "mrc010reqsell", "mrc010auction", "mrc010buy", "mrc010acceptreqsell", "mrc010bid"]
    + ["addresskeys", "addressrecover", "addressrecovercancel", "grant", "mrc401melt", "mrc402melt", "mrc402mint", "mrc402burn", "mrc402update"],
}
ACTOR_OF = {operation: name for name, operations in ACTORS.items() for operation in operations}

def side(own, other):
    fields = [f"{own}{name}" for name in ("Addr", "Amount", "Token", "Feesendto", "Feeamount", "Feetoken")]
    return "|".join([*fields, *(f"{other}{name}" for name in ("Addr", "Amount", "Token")), f"{own}Tkey"])


# Of what several sign, by the signature: the signer, its temporary key, its short string.
COSIGNERS = {
    "exchange": {
        "fromSign": ("fromAddr", "fromTkey", side("from", "to")),
        "toSign": ("toAddr", "toTkey", side("to", "from")),
    },
}

TEMPORARY_KEYS = {"transfer": "checkkey", "multitransfer": "checkkey", "tokensave": "Temporarykey"}


def ways_of(field, params, actor, decided):
    name, kind = (field[:-1], field[-1]) if field[-1] in "?!=0" else (field, "")
    if name in params:
        return [params[name]]
    if kind == "=":
        return [decided[name]]
    return {"": [""], "?": ["", actor], "!": [actor], "0": ["", "0"]}[kind]


def check_signed_strings(file):
    ledger_id, key, vectors = members(file, ["ledger_id", "temporary_key", "vectors"])
    require(re.fullmatch("[0-9a-f]{64}", ledger_id), "ledger_id is no id")
    seen, names, signatures, also = {}, set(), {}, set()

    def check(vector):
        names_of = ["operation", "params", "actor", "decided", "short", "full"]
        operation, params, actor, decided, short, full = members(vector, names_of, ["signature"])
        require(operation in SHORT, f"{operation} is no signed operation")
        require(vector["name"] not in names, "two vectors have one name")
        names.add(vector["name"])
        require(is_address(actor), "actor is no address")
        require(all(isinstance(text, str) and text != "" for text in params.values()), "params are texts")
        signature = vector.get("signature", "signature")
        of_signature = COSIGNERS.get(operation, {"signature": None})
        require(signature in of_signature, f"{operation} has no signature {signature}")
        require(("signature" in vector) == (operation in COSIGNERS), "several sign, or one does")
        require(not {*of_signature, "proof", "signed"} & set(params), "params have what is not the operation's")
        if operation in COSIGNERS:
            named, temporary_key, fields_of = of_signature[signature]
            keys = {params.get(name) for _, name, _ in of_signature.values()}
            require(key in keys and len(keys) == len(of_signature), "the temporary keys")
            forms = [(always, fields_of)]
        else:
            named, temporary_key = ACTOR_OF.get(operation), TEMPORARY_KEYS.get(operation, "tkey")
            same(params.get(temporary_key), key, "the temporary key")
            forms = SHORT[operation]
        require(params.get(named, actor) == actor, "the actor is another one")
        form = next(at for at, (applies, _) in enumerate(forms) if applies(params))
        own, used = [], set()
        is_full_only = bool(FULL_ONLY.get(operation, set()) & set(params))
        if forms[form][1] is not None and not is_full_only:
            fields = forms[form][1].split("|")
            used = {field[:-1] for field in fields if field.endswith("=") and field[:-1] not in params}
            ways = [ways_of(field, params, actor, decided) for field in fields] if used <= set(decided) else []
            own = [""]
            for at, some in enumerate(ways):
                own = [f"{text}{'|' if at else ''}{way}" for text in own for way in some]
        for applies, fields in ALSO.get(operation, []):
            if applies(params) and not is_full_only:
                own.append("|".join(params.get(field, "") for field in fields.split("|")))
                also.add(operation)
        same(set(decided), used, "decided")
        same(short, own, "short")
        same(full, f"moneta|1|{ledger_id}|{operation}|{canonical({**params, 'signed': 'full'})}", "full")
        seen.setdefault(operation, []).append((form, len(own), named in params))
        signatures.setdefault(operation, set()).add(signature)

    each(vectors, check)
    for operation, of_signature in COSIGNERS.items():
        same(signatures[operation], set(of_signature), f"the signatures of {operation}")
    same(sorted(seen), sorted(SHORT), "the operations")
    same(also, set(ALSO), "the operations with another string that is accepted")
    for operation, of_it in seen.items():
        same(sorted({form for form, _, _ in of_it}), list(range(len(SHORT[operation]))), f"the forms of {operation}")
        for form, (_, fields) in enumerate(SHORT[operation]):
            if fields is not None and re.search("[?0](\\||$)", fields):
                ways = {count for own_form, count, _ in of_it if own_form == form and count}
                same(ways, {1, 2}, f"the ways to sign {operation} in form {form}")
    worked = [vector for vector in vectors if vector.get("source") == "chain §4.8"]
    same([vector["short"] for vector in worked], [[PUBLISHED_SIGNATURES["chain §4.8"]["text"]]], "the example of chain §4.8")


# Groups: batches 2.2.


def check_groups(file):
    ledger_id, vectors = members(file, ["ledger_id", "vectors"])
    require(re.fullmatch("[0-9a-f]{64}", ledger_id), "ledger_id is no id")
    ids = []

    def check(vector):
        operations, hashed, group = members(vector, ["operations", "hashed", "group"])
        require(2 <= len(operations) <= 16, "a group has 2 to 16 operations")
        covered = []
        for operation in operations:
            op, params, full = members(operation, ["operation", "params", "full"])
            require(op in SHORT and op != "protocol", f"{op} is no operation of groups")
            require(all(isinstance(text, str) and text != "" for text in params.values()), "params are texts")
            require(not {"signature", "fromSign", "toSign", "group"} & set(params), "params have what the id does not cover")
            same(params.get("signed"), "full", "signed")
            same(full, f"moneta|1|{ledger_id}|{op}|{canonical({**params, 'group': group})}", "full")
            covered.append([op, params])
        same(hashed, f"moneta-group|1|{ledger_id}|{canonical(covered)}", "hashed")
        same(group, sha256(hashed.encode()).hex(), "group")
        ids.append(group)

    each(vectors, check)
    same(len(set(ids)), len(ids), "the number of different groups")
    same(max(len(vector["operations"]) for vector in vectors), 16, "the most operations")


# Bundles: bundles 2, 5 and 6.

# The ids that follow from the key of an operation: the kind, and what stands behind the key.
MADE_BY = {"mrc400create": ("MRC400",), "mrc402create": ("MRC402",), "mrc010sell": ("DEX010",), "mrc402sell": ("DEX402", "0")}


def read_bundle(body):
    """Actor, temporary key and operations of a bundle, and the codes that may be skipped."""
    value = read_json(body, 10)
    require({"actor", "tkey", "operations"} <= set(value) <= {"actor", "tkey", "operations", "skip"}, "the members of a bundle")
    actor, tkey, operations = value["actor"], value["tkey"], value["operations"]
    require(is_address(actor), "actor is no address")
    require(1 <= len(operations) <= 500 and all(one["operation"] in SHORT for one in operations), "no operations of a bundle")
    own = {"tkey", "checkkey", "signature", "signed", "group"}
    require(not any(own & set(one) for one in operations), "an operation has what the bundle has")
    return actor, tkey, operations, value.get("skip", [])


def check_bundles(file):
    ledger_id, vectors = members(file, ["ledger_id", "vectors"])
    require(re.fullmatch("[0-9a-f]{64}", ledger_id), "ledger_id is no id")

    def check(vector):
        body, full, keys, ids = members(vector, ["body", "full", "keys", "ids"])
        actor, tkey, operations, _ = read_bundle(body)
        same(full, f"moneta|1|{ledger_id}|bundle|{body}", "full")
        same(keys, [f"{tkey}.{at}" for at in range(len(operations))], "keys")
        own = []
        for key, operation in zip(keys, operations):
            kind, *more = MADE_BY.get(operation["operation"], [None])
            own.append(None if kind is None else f"{kind}_{derived(kind, 33, actor, key, *more)}")
        same(ids, own, "ids")

    each(vectors, check)
    require(any(one for vector in vectors for one in vector["ids"]), "no bundle makes anything")


def check_bundle_record(operation, record):
    """The record of a bundle of payments in coins, as far as it follows from the bundle's text."""
    require(set(operation["params"]) == {"body"} and operation["decided"] == {}, "the operation of a bundle")
    actor, tkey, operations, skip = read_bundle(operation["params"]["body"])
    same([operation["actor"], record["address"], record["token"]], [actor, actor, Decimal(0)], "the actor")
    require(record["type"] == "bundle" and record["values"] == {}, "the record of a bundle")
    count, left_out, *rest = record["parameters"]
    same([count, *rest], [str(len(operations)), operation["signatures"]["signature"], tkey], "the parameters")
    skipped = dict(canonical_text(left_out, "what is left out"))
    require(list(skipped) == sorted(skipped) and set(skipped.values()) <= set(skip), "what is left out")
    effects, balances = iter(record["effects"]), {}
    for at, one in enumerate(operations):
        amount = int(one["amount"])
        if Decimal(at) in skipped:
            require(amount > balances[one["from"]] and skipped[at] == "5001", "a payment that was left out")
            continue
        parameters = [one["from"], one["to"], one["amount"], one["token"], "", one.get("unlockdate", "0")]
        parameters += [one.get("tag", ""), one.get("memo", "")]
        for kind, address, moved in (("transfer", one["from"], -amount), ("receive", one["to"], amount)):
            effect = next(effects)
            [balance] = effect["values"]["balance"]
            before = balances.get(address, int(balance["balance"]) - moved)
            balances[address] = before + moved
            require(balances[address] >= 0, "a balance below 0")
            values = {
                "balance": [{"balance": str(balances[address]), "token": one["token"], "unlockdate": Decimal(0)}],
                "moved": [{"amount": str(moved), "token": one["token"]}],
            }
            own = {"type": kind, "address": address, "at": Decimal(at), "token": Decimal(0)}
            same(effect, {**own, "parameters": parameters, "values": values}, "an effect of a bundle")
    require(next(effects, None) is None, "an effect too many")
    return {f"balance/{address}/0": {"free": str(balance)} for address, balance in balances.items()}


# Ids.

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def base62(number, digits):
    text = ""
    for _ in range(digits):
        number, digit = divmod(number, 62)
        text = BASE62[digit] + text
    require(number == 0, "the number has too many digits")
    return text


def address_around(middle):
    return f"MT{middle}{zlib.crc32(middle.encode()):08x}"


def is_address(text):
    match = re.fullmatch("MT([0-9A-Za-z]{30})[0-9a-f]{8}", text)
    return match is not None and address_around(match[1]) == text


RESTRICTING = set(SHORT) | {"address", "addressrecoverfinish", "mrc010auctionfinish", "mrc401auctionfinish", "mrc402auctionfinish", "mrc401offerfinish", "mrc402offerfinish"}
RESTRICTING -= {"transfer", "token"}


def derived(kind, digits, *parts):
    return hex_of("|".join([kind, *map(str, parts)]))[:digits]


def check_ids(file):
    def check_address(vector):
        text, valid = members(vector, ["text", "valid"])
        same(valid, is_address(text), "valid")

    def check_idempotent(vector):
        names = ["public_key_body", "addinfo", "signed", "idempotency_key", "hashed", "address"]
        body, addinfo, signed, key, hashed, address = members(vector, names)
        same(read_public_key(body)[1], body, "public_key_body")
        require(signed in ("", "full") and len(addinfo) <= 2048, "no such request")
        require(re.fullmatch("[\x20-\x7e]{1,255}", key), "no such header")
        same(hashed, canonical(["address", body, addinfo, signed, key]), "hashed")
        number = int.from_bytes(sha256(hashed.encode()), "big")
        same(address, address_around(base62(number % 62**30, 30)[::-1]), "address")

    def check_temporary_key(vector):
        names = ["secret", "ledger_id", "kind", "address_number", "expiry", "random", "key"]
        secret, ledger_id, kind, number, expiry, random, key = members(vector, names)
        require(re.fullmatch("[0-9a-f]{64}", ledger_id) and re.fullmatch("[0-9A-Za-z]{10}", random), "no such key")
        untagged = f"K{base62(number, 7)}{base62(expiry, 6)}{random}"
        restricted = kind if kind in RESTRICTING else ""
        tagged = f"{ledger_id}|{restricted}|{untagged}"
        mac = hmac.digest(bytes.fromhex(secret), tagged.encode(), "sha256")
        same(key, untagged + base62(int.from_bytes(mac[:16], "big"), 22), "key")

    def check_project(vector):
        owner, tkey, own = members(vector, ["owner", "tkey", "id"])
        require(is_address(owner), "owner is no address")
        same(own, f"MRC400_{derived('MRC400', 33, owner, tkey)}", "id")

    def check_item(vector):
        kind, project, tkey, place, number, own = members(vector, ["kind", "mrc400id", "tkey", "place", "number", "id"])
        require(kind in ("MRC401", "MRC402") and re.fullmatch("MRC400_[0-9a-f]{33}", project), "no such item")
        same(number, derived(kind, 40, project, tkey, place), "number")
        same(own, f"{project}_{number}", "id")

    def check_standalone(vector):
        creator, tkey, own = members(vector, ["creator", "tkey", "id"])
        require(is_address(creator), "creator is no address")
        same(own, f"MRC402_{derived('MRC402', 33, creator, tkey)}", "id")

    def check_keyhash(vector):
        names = ["ledger_id", "owner", "referencekey", "opendate", "algorithm", "data", "key"]
        ledger_id, owner, reference, opendate, algorithm, data, key = members(vector, [*names, "keyhash"])[:7]
        require(re.fullmatch("[0-9a-f]{64}", ledger_id) and is_address(owner), "no such ledger or owner")
        require(re.fullmatch("[0-9A-Za-z_]{1,64}", reference) and re.fullmatch("[1-9][0-9]*", opendate), "no such reference or date")
        bound = canonical(["mrc020", ledger_id, owner, reference, opendate, algorithm, data, key])
        same(vector["keyhash"], sha256(bound.encode()).hex(), "keyhash")

    def check_token_listing(vector):
        creator, tkey, own = members(vector, ["creator", "tkey", "id"])
        require(is_address(creator), "creator is no address")
        same(own, f"DEX010_{derived('DEX010', 33, creator, tkey)}", "id")

    def check_unit_listing(vector):
        actor, tkey, place, own = members(vector, ["actor", "tkey", "place", "id"])
        require(is_address(actor), "actor is no address")
        same(own, f"DEX402_{derived('DEX402', 33, actor, tkey, place)}", "id")

    def check_transaction(vector):
        content, hashed, height, position, own = members(vector, ["content", "hash", "height", "position", "id"])
        value = canonical_text(content, "content")
        same(sorted(value), ["actor", "decided", "op", "params", "v"], "the members of content")
        same(hashed, hex_of(content), "hash")
        same(own, f"{height:016x}{position:08x}{hashed[:40]}", "id")

    checks = {
        "addresses": check_address,
        "addresses_by_idempotency_key": check_idempotent,
        "keyhashes": check_keyhash,
        "temporary_keys": check_temporary_key,
        "projects": check_project,
        "items": check_item,
        "standalone_items": check_standalone,
        "token_listings": check_token_listing,
        "unit_listings": check_unit_listing,
        "transactions": check_transaction,
    }
    check_parts(file, checks)
    for part, source, value in PUBLISHED_IDS:
        texts = [text for vector in file[part] if vector.get("source") == source for text in vector.values()]
        require(value in texts, f"the example {value} of {source} is missing")


PUBLISHED_IDS = [
    ("keyhashes", "protocols §7, R1", "7984b810ccbe7fa164905c09f066b94c48326b3ba97978734f5341817fcb66f0"),
    ("keyhashes", "protocols §7, R2", "9a31e97284d518b148a9c27f501272014cc5755c361208f0e66581c63e250c1f"),
    ("keyhashes", "protocols §7, row 6", "884a592cd30a1a19c6eb48f80a48ac502c6d3f31e60c7222ca6d842648665e3c"),
    ("addresses", "accounts §3", "MTAlice00000000000000000000000005dc33c90"),
    ("addresses", "accounts §3", "MTBob0000000000000000000000000005f59bcba"),
    ("addresses", "accounts §3", "MT00000000000000000000000000000100e2eb14"),
    ("addresses", "accounts §3", "MTATLnT6SGKE8RU0CBPoDRfUXL5lr4SLece1a6ee"),
    ("addresses_by_idempotency_key", "accounts §4, row 8", "MT2YyT9pX3MtYpLmKuLBg5SlK4480aQg5ab5089f"),
    ("temporary_keys", "accounts §7", "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX"),
    ("projects", "mrc401 §2.1", "MRC400_c7735425f08d740230c98da57e9977dfc"),
    ("transactions", "chain §4.8", "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834"),
]


def check_parts(file, checks):
    same(sorted(file), sorted(checks), "the parts of the file")
    for part, check in checks.items():
        try:
            each(file[part], check)
        except Wrong as wrong:
            raise Wrong(f"{part}: {wrong}") from wrong


# Encodings.

AMOUNT_MAX = 10**40


def integer(text):
    """The value of an integer string; None if it is none."""
    value = int(text) if re.fullmatch("0|[1-9][0-9]{0,40}", text) else None
    return value if value is not None and value <= AMOUNT_MAX else None


def is_clean(text):
    """Whether a text has neither half a surrogate pair nor a control character other than tab, CR and LF."""
    return not any(0xD800 <= ord(one) < 0xE000 or (ord(one) < 32 and one not in "\t\r\n") for one in text)


def decimal_text(amount, decimals):
    whole, rest = divmod(amount, 10**decimals)
    fraction = f"{rest:0{decimals}d}".rstrip("0") if decimals else ""
    return f"{whole}.{fraction}" if fraction else str(whole)


def rate_of(text, decimals=4):
    match = re.fullmatch(r"(0|[1-9][0-9]{0,4})(\.[0-9]{1,4})?", text)
    return Fraction(text) if match is not None and len(match[2] or "") <= decimals + 1 else None


class Refused(Exception):
    """A request is answered with a code, and the parameter that is to blame."""


def text_of(value, name, code):
    """The text that a member of a JSON body means; a number does if it is a safe integer."""
    if isinstance(value, str):
        if any(0xD800 <= ord(one) < 0xE000 for one in value):
            raise Refused("1006", name)
        return value
    if isinstance(value, Decimal) and value == int(value) and abs(value) <= SAFE:
        return str(int(value))
    raise Refused(code, name)


def read_body(operation, body):
    """Parameters of a request for a transfer or a list of transfers: conventions 1, accounts 10 and 11."""
    value = read_json(body, 9)
    parameters = {
        "transfer": ["from", "to", "token", "amount", "checkkey", "tags", "memo", "unlockdate", "signature", "signed"],
        "multitransfer": ["from", "transferlist", "token", "checkkey", "signature", "signed"],
    }[operation]
    optional = {"tags", "memo", "unlockdate", "signed"}
    aliases = {"checkkey": "tkey", "tags": "tag"}
    given = {}
    for name in parameters:
        sent = {repr(value[one]): value[one] for one in (name, aliases.get(name)) if value.get(one) is not None}
        if len(sent) > 1:
            raise Refused("1005", name)
        own = next(iter(sent.values()), "")
        if own != "":
            given[name] = own
        elif name not in optional:
            raise Refused("1000", name)
    texts = {}
    codes = {"token": "1101", "amount": "1101", "unlockdate": "1102"}
    for name, own in given.items():
        if name == "transferlist":
            texts[name] = source_of(body, name) if not isinstance(own, str) else own
            read_entries(texts[name])
            continue
        text = text_of(own, name, codes.get(name, "1006"))
        if name in ("from", "to") and not is_address(text):
            raise Refused("3190", name)
        if name in ("token", "amount") and (integer(text) is None or (name == "amount" and text == "0")):
            raise Refused("1101", name)
        if name == "unlockdate" and not is_date(text):
            raise Refused("1102", name)
        if not is_clean(text):
            raise Refused("1006", name)
        if name == "signed" and text != "full":
            raise Refused("3005", name)
        texts[name] = text
    if operation == "transfer" and texts["from"] == texts["to"]:
        raise Refused("3201", "to")
    if operation == "multitransfer":
        check_entries(texts["transferlist"], texts["from"])
    if "signed" not in texts:
        texts = {name: text[: {"tags": 64, "memo": 2048}.get(name)] for name, text in texts.items()}
    return {name: text for name, text in texts.items() if name != "signature"}


def is_date(text):
    return integer(text) is not None and int(text) <= 2147483647


def source_of(body, name):
    """The compact source of a list in a JSON body."""
    at = body.index(f'"{name}":') + len(name) + 3
    decoder = json.JSONDecoder()
    _, end = decoder.raw_decode(body, at)
    return compact(body[at:end])


def read_entries(text):
    try:
        entries = read_json(text)
    except Wrong as wrong:
        raise Refused("1007", "transferlist") from wrong
    if not isinstance(entries, list):
        raise Refused("1007", "transferlist")
    if not 1 <= len(entries) <= 100:
        raise Refused("3002", "transferlist")
    if not all(isinstance(entry, dict) for entry in entries):
        raise Refused("1007", "transferlist")
    return entries


def check_entries(text, sender):
    for at, entry in enumerate(read_entries(text)):
        for name in ("address", "amount", "unlockdate"):
            if entry.get(name, "") == "":
                raise Refused("1000", f"transferlist[{at}].{name}")
        amount = text_of(entry["amount"], f"transferlist[{at}].amount", "1101")
        date = text_of(entry["unlockdate"], f"transferlist[{at}].unlockdate", "1102")
        if not is_address(entry["address"]):
            raise Refused("3190", f"transferlist[{at}].address")
        if integer(amount) is None or (amount == "0" and entry.get("memo", "") == ""):
            raise Refused("1101", f"transferlist[{at}].amount")
        if not is_date(date):
            raise Refused("1102", f"transferlist[{at}].unlockdate")
        if entry["address"] == sender:
            raise Refused("3201", f"transferlist[{at}].address")


def check_encodings(file):
    def check_integer(vector):
        text, valid = members(vector, ["text", "valid"])
        same(valid, integer(text) is not None, "valid")

    def check_date(vector):
        text, valid = members(vector, ["text", "valid"])
        same(valid, is_date(text), "valid")

    def check_decimal(vector):
        amount, decimals, text = members(vector, ["amount", "decimals", "text"])
        require(integer(amount) is not None and 0 <= decimals <= 18, "no such amount")
        same(text, decimal_text(int(amount), decimals), "text")

    def check_rate(vector):
        text, decimals, own = members(vector, ["text", "decimals", "canonical"])
        require(decimals in (2, 4), "no such number of decimals")
        rate = rate_of(text, decimals)
        same(own, None if rate is None else decimal_text(int(rate * 10**4), 4), "canonical")

    def check_fee(vector):
        amount, rate, fee = members(vector, ["amount", "rate", "fee"])
        require(integer(amount) is not None and rate_of(rate) is not None, "no such fee")
        same(fee, str(int(amount) * rate_of(rate) // 100), "fee")

    def check_text(vector):
        text, valid = members(vector, ["text", "valid"])
        same(valid, is_clean(text), "valid")

    def check_cut(vector):
        text, length, kept = members(vector, ["text", "length", "kept"])
        same(kept, text[:length], "kept")

    def check_canonical(vector):
        given, own = members(vector, ["json", "canonical"])
        value = read_json(given, 100)
        try:
            text = canonical(value)
        except Wrong:
            text = None
        same(own, text, "canonical")

    def check_json_text(vector):
        text, own = members(vector, ["text", "compact"])
        try:
            read_json(text)
            value = compact(text)
        except Wrong:
            value = None
        same(own, value, "compact")

    def check_request(vector):
        operation, body = members(vector, ["operation", "body"], ["params", "code", "parameter"])
        require(operation in ("transfer", "multitransfer"), "no such operation")
        try:
            own = {"params": read_body(operation, body)}
        except Refused as refused:
            own = {"code": refused.args[0], "parameter": refused.args[1]}
        same({name: vector[name] for name in ("params", "code", "parameter") if name in vector}, own, "what is read")

    def check_public_key(vector):
        (text,) = members(vector, ["text"], ["curve", "body", "code"])
        own = read_public_key(text)
        own = {"code": own} if isinstance(own, str) else {"curve": own[0], "body": own[1]}
        same({name: vector[name] for name in ("curve", "body", "code") if name in vector}, own, "what is read")

    def check_tile(vector):
        (text,) = members(vector, ["text"], ["index", "width"])
        match = re.fullmatch(r"((?:x[0-9]{3}/)*)([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?", text)
        own = None
        if match is not None:
            index = int(re.sub("[x/]", "", match[1]) + match[2])
            width = int(match[3] or 256)
            is_short = not match[1].startswith("x000/") and (match[3] is None or width < 256)
            own = (index, width) if is_short and index * 256 <= SAFE else None
        same((vector["index"], vector["width"]) if "index" in vector else None, own, "the tile")

    checks = {
        "integers": check_integer,
        "unlock_dates": check_date,
        "decimals": check_decimal,
        "rates": check_rate,
        "fees": check_fee,
        "texts": check_text,
        "cut_texts": check_cut,
        "canonical_json": check_canonical,
        "json_texts": check_json_text,
        "requests": check_request,
        "public_keys": check_public_key,
        "tiles": check_tile,
    }
    check_parts(file, checks)
    codes = {vector.get("code") for vector in file["public_keys"]}
    same(codes, {None, "3102", "3103", "3104", "3105", "3106"}, "codes of public keys")


# The chain.


def leaf_of(text):
    return sha256(b"\x00" + text.encode())


def node_of(left, right):
    return sha256(b"\x01" + left + right)


def split_of(size):
    """The largest power of two below a size."""
    return 1 << ((size - 1).bit_length() - 1)


def root_of(hashes):
    if len(hashes) == 1:
        return hashes[0]
    split = split_of(len(hashes))
    return node_of(root_of(hashes[:split]), root_of(hashes[split:]))


def check_chain(file):
    ledger, before, seen = [], [None], []

    def bundle_changes(transaction):
        operation, record = json.loads(transaction["operation"]), read_json(transaction["record"], 100)
        return check_bundle_record(operation, record) if operation["op"] == "bundle" else None

    def check_block(vector):
        names = ["transactions", "root", "changes_object", "changes", "header", "id"]
        transactions, root, changes_object, changes, header_text, own_id = members(vector, names)
        header = canonical_text(header_text, "header")
        wanted = ["changes", "count", "previous", "protocol", "root", "size", "sn", "timestamp", "tree", "v"]
        same(sorted(header), wanted, "the members of header")
        for at, transaction in enumerate(transactions):
            check_transaction(transaction, header, at)
        leaves = [leaf_of(transaction["leaf"]) for transaction in transactions]
        same(root, root_of(leaves).hex(), "root")
        changed = canonical_text(changes_object, "changes_object")
        bundles = [one for one in map(bundle_changes, transactions) if one is not None]
        if bundles:
            seen.extend(transactions)
            same(changed, {name: value for one in bundles for name, value in one.items()}, "what bundles have changed")
        same(changes, hex_of(changes_object), "changes")
        same([header["root"], header["changes"], header["count"]], [root, changes, Decimal(len(leaves))], "header")
        same([header["v"], header["protocol"]], [Decimal(1), Decimal(1)], "the versions")
        same(own_id, hex_of(header_text), "id")
        if header["sn"] == 0:
            same(header["previous"], "0" * 64, "previous")
            ledger.clear()
        elif header["sn"] < 3:
            same(header["previous"], before[0], "previous")
        if header["sn"] < 3:
            ledger.extend(leaves)
            same([header["size"], header["tree"]], [Decimal(len(ledger)), root_of(ledger).hex()], "the ledger tree")
        before[0] = own_id

    def check_transaction(vector, header, position):
        names = ["operation", "operation_hash", "content", "content_hash", "id", "record", "record_hash", "leaf"]
        operation, operation_hash, content, content_hash, own_id, record, record_hash, leaf = members(vector, names)
        value = canonical_text(operation, "operation")
        same(sorted(value), ["actor", "decided", "op", "params", "signatures", "v"], "the members of operation")
        same(operation_hash, hex_of(operation), "operation_hash")
        del value["signatures"]
        same(content, canonical(value), "content")
        same(content_hash, hex_of(content), "content_hash")
        same(own_id, f"{int(header['sn']):016x}{position:08x}{content_hash[:40]}", "id")
        parts = canonical_text(record, "record")
        same(sorted(parts), ["address", "effects", "parameters", "token", "type", "values"], "the members of record")
        same(record_hash, hex_of(record), "record_hash")
        own = {"id": own_id, "operation": operation_hash, "record": record_hash, "timestamp": header["timestamp"]}
        same(leaf, canonical(own), "leaf")

    def check_tree(vector):
        leaves, root = members(vector, ["leaves", "root"])
        require(leaves != [], "a tree has a leaf")
        same(root, root_of([leaf_of(leaf) for leaf in leaves]).hex(), "root")

    check_parts(file, {"blocks": check_block, "trees": check_tree})
    effects = [effect for one in seen for effect in json.loads(one["record"])["effects"]]
    require(BUNDLED_RECEIPT in effects, "the example of bundles §5 is missing")
    worked = file["blocks"][0]
    same(worked.get("source"), "chain §4.8", "the source of the first block")
    same([worked[name] for name in ("id", "root", "changes")], WORKED_BLOCK, "the worked example of a block")
    [transaction] = worked["transactions"]
    names = ("id", "content_hash", "operation_hash", "record_hash")
    same([transaction[name] for name in names], WORKED_TRANSACTION, "the worked example of a transaction")
    same({"".join(one["leaves"]): one["root"] for one in file["trees"] if "source" in one}, WORKED_TREES, "the trees of chain §4.5")


BUNDLED_RECEIPT = {
    "type": "receive",
    "address": "MTBob0000000000000000000000000005f59bcba",
    "at": 2,
    "token": 0,
    "parameters": [
        "MTAlice00000000000000000000000005dc33c90",
        "MTBob0000000000000000000000000005f59bcba",
        *("5", "0", "", "0", "", ""),
    ],
    "values": {
        "balance": [{"balance": "955", "token": "0", "unlockdate": 0}],
        "moved": [{"amount": "5", "token": "0"}],
    },
}
WORKED_BLOCK = [
    "fbd75e5549e796003288b70707d54e5bb1a7e782189942fbe6c4cd085e11ee52",
    "65f105bf2e088759181263386fd0fa6f83b2817bdb1c3838b2420e005604a36b",
    "d0bf332f3dcffb1720fe5bcbae2e20c28fda0529b8cd5fc124e07e72133d3d3a",
]
WORKED_TRANSACTION = [
    "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834",
    "62838ec1189d0b649eba4bbbac485d6e94fb6834797244630cf2f403e18d57b2",
    "73ea2ccdfc69e04f560eb3d43dc59478092ba135db98a800039274d0caf9654f",
    "d9e89eae2c953a9605fbe920ef8dbb5a99434fd89d67b485c9e594f76e8954a5",
]
WORKED_TREES = {
    "a": "022a6979e6dab7aa5ae4c3e5e45f7e977112a7e63593820dbec1ec738a24f93c",
    "ab": "b137985ff484fb600db93107c77b0365c80d78f5b429ded0fd97361d077999eb",
    "abc": "36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1",
}


# Proofs and checkpoints.


@cache
def range_root(begin, end):
    """The root over leaves of the tree whose leaf number i is the decimal text of i."""
    if end - begin == 1:
        return leaf_of(str(begin))
    split = begin + split_of(end - begin)
    return node_of(range_root(begin, split), range_root(split, end))


def climbs_to(leaf, index, size, path):
    """The root that an audit path comes to, by RFC 6962, section 2.1.1."""
    require(0 <= index < size, "there is no such leaf")
    if size == 1:
        require(path == [], "the path is too long")
        return leaf
    require(path != [], "the path is too short")
    split = split_of(size)
    if index < split:
        return node_of(climbs_to(leaf, index, split, path[:-1]), path[-1])
    return node_of(path[-1], climbs_to(leaf, index - split, size - split, path[:-1]))


def grows_to(old_root, old, new, path, is_whole=True):
    """The roots of both sizes that a consistency proof comes to, by RFC 6962, section 2.1.2."""
    require(1 <= old <= new, "there are no such sizes")
    if old == new:
        require(len(path) == (0 if is_whole else 1), "the path has another length")
        return (old_root, old_root) if is_whole else (path[0], path[0])
    require(path != [], "the path is too short")
    split = split_of(new)
    if old <= split:
        left_old, left_new = grows_to(old_root, old, split, path[:-1], is_whole)
        return left_old, node_of(left_new, path[-1])
    right_old, right_new = grows_to(old_root, old - split, new - split, path[:-1], False)
    return node_of(path[-1], right_old), node_of(path[-1], right_new)


def is_right(check, *arguments):
    try:
        check(*arguments)
        return True
    except Wrong:
        return False


def read_verifier_key(text):
    match = re.fullmatch(r"([!-*,-~]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/=]+)", text)
    require(match is not None, "no verifier key")
    data = strict_base64(match[3], 33)
    require(data[0] == 1, "no key of Ed25519")
    key_id = sha256(match[1].encode() + b"\n" + data)[:4]
    same(match[2], key_id.hex(), "the id of the key")
    return (match[1], key_id), data[1:]


def read_checkpoint(note, keys):
    """Origin, size and root of a checkpoint that one of the keys has signed, none of them wrongly."""
    require(note.endswith("\n") and note.count("\n\n") == 1 and is_clean(note), "no signed note")
    require("\r" not in note and "\t" not in note, "a control character")
    text, lines = note.split("\n\n")
    text += "\n"
    parts = text.split("\n")
    require(len(parts) >= 4 and parts[0] != "" and re.fullmatch("0|[1-9][0-9]*", parts[1]), "no checkpoint")
    root = strict_base64(parts[2], 32)
    known = dict(map(read_verifier_key, keys))
    verified = 0
    for line in lines[:-1].split("\n"):
        match = re.fullmatch("\u2014 ([^ +]+) ([^ ]+)", line)
        require(match is not None, "no signature line")
        signed = strict_base64(match[2])
        require(len(signed) > 4, "no signature")
        key = known.get((match[1], signed[:4]))
        if key is not None:
            command = ["pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", "key"]
            head = bytes.fromhex("302a300506032b6570032100")
            command += ["-in", "text", "-sigfile", "signature"]
            said = openssl(*command, key=head + key, text=text.encode(), signature=signed[4:])
            require(said is not None, "a signature is wrong")
            verified += 1
    require(verified > 0, "no known key has signed it")
    return parts[0], int(parts[1]), parts[2], root


# State entries and their proofs: proofs, sections 2 and 3.

EMPTY_PLACE = bytes(32)

# The entries that a read proves, with the names of its parameters.
PROVEN = {
    "balanceOfToken": ["balance/{address}/{token}"],
    "addressRead": ["address/{address}", "keys/{address}"],
    "token": ["token/{token}"],
    "tokenListing": ["dex010/{dexid}"],
    "mrc401": ["mrc401/{mrc401id}"],
}


def path_of(key):
    """The bits of a key's path, as a text of 256 digits."""
    return f"{int.from_bytes(sha256(key.encode()), 'big'):0256b}"


def state_leaf(path, value_hash):
    return sha256(b"\x02" + int(path, 2).to_bytes(32, "big") + value_hash)


def state_root(leaves, depth=0):
    """The root of the tree of leaves by their paths."""
    if len(leaves) <= 1:
        return next((state_leaf(path, value) for path, value in leaves.items()), EMPTY_PLACE)
    halves = [{path: value for path, value in leaves.items() if path[depth] == bit} for bit in "01"]
    return sha256(b"\x03" + state_root(halves[0], depth + 1) + state_root(halves[1], depth + 1))


def proven_root(key, shown):
    """The root that follows from a node's proof of a key."""
    same(shown["key"], key, "the key")
    siblings, path = shown["siblings"], path_of(key)
    require(isinstance(siblings, list) and len(siblings) <= 256, "too many siblings")
    if shown["value"] is not None:
        require("other" not in shown, "both a value and another leaf")
        node = state_leaf(path, sha256(canonical(shown["value"]).encode()))
    elif "other" in shown:
        other, value_hash = shown["other"]["path"], shown["other"]["hash"]
        require(all(re.fullmatch("[0-9a-f]{64}", text) for text in (other, value_hash)), "no path and hash")
        place = f"{int(other, 16):0256b}"
        require(place != path, "the other leaf is the key's own")
        require(place[: len(siblings)] == path[: len(siblings)], "the other leaf is elsewhere")
        node = state_leaf(place, bytes.fromhex(value_hash))
    else:
        node = EMPTY_PLACE
    for depth in range(len(siblings) - 1, -1, -1):
        sibling = strict_base64(siblings[depth], 32) if siblings[depth] else EMPTY_PLACE
        require(not siblings[depth] or sibling != EMPTY_PLACE, "an empty place written as zero bytes")
        node = sha256(b"\x03" + (node + sibling if path[depth] == "0" else sibling + node))
    return node


def check_response(keys, response, verifier_key, not_before):
    """Checks a response with proof=1 for the keys that the caller asked for."""
    same([entry["key"] for entry in response["entries"]], keys, "the keys")
    roots = {proven_root(key, entry) for key, entry in zip(keys, response["entries"])}
    require(len(roots) == 1, "the entries are of several trees")
    root, record, height = response["root"], response["root"]["record"], response["height"]
    parts = ["address", "effects", "parameters", "token", "type", "values"]
    same(sorted(record), parts, "the members of record")
    wanted = ["StateRoot", [canonical(height), roots.pop().hex()]]
    same([record["type"], record["parameters"]], wanted, "the record")
    leaf = canonical_text(root["leaf"], "leaf")
    same(sorted(leaf), ["id", "operation", "record", "timestamp"], "the members of leaf")
    own = [root["transaction"], hex_of(canonical(record))]
    same([leaf["id"], leaf["record"]], own, "the leaf")
    require(leaf["timestamp"] >= not_before, "older than the caller allows")
    _, size, tree, _ = read_checkpoint(response["checkpoint"], [verifier_key])
    same(root["size"], size, "size")
    path = [strict_base64(one, 32) for one in root["path"]]
    same(climbs_to(leaf_of(root["leaf"]), root["index"], size, path), strict_base64(tree, 32), "the ledger tree")


def check_proofs(file):
    def check_root(vector):
        size, root = members(vector, ["size", "root"])
        same(strict_base64(root, 32), range_root(0, size), "root")

    def check_inclusion(vector):
        leaf, index, size, root, path, valid = members(vector, ["leaf", "index", "size", "root", "path", "valid"])
        root, path = strict_base64(root, 32), [strict_base64(one, 32) for one in path]
        own = is_right(lambda: same(climbs_to(leaf_of(leaf), index, size, path), root, "root"))
        same(valid, own, "valid")
        if valid:
            same([leaf, root], [str(index), range_root(0, size)], "leaf and root")

    def check_consistency(vector):
        names = ["from", "to", "from_root", "to_root", "path", "valid"]
        old, new, old_root, new_root, path, valid = members(vector, names)
        roots = strict_base64(old_root, 32), strict_base64(new_root, 32)
        path = [strict_base64(one, 32) for one in path]
        same(valid, is_right(lambda: same(grows_to(roots[0], old, new, path), roots, "roots")), "valid")
        if valid:
            same(roots, (range_root(0, old), range_root(0, new)), "the roots")

    def check_verifier_key(vector):
        text, valid = members(vector, ["text", "valid"], ["private_seed"])
        same(valid, is_right(read_verifier_key, text), "valid")
        if "private_seed" in vector:
            seed = bytes.fromhex(vector["private_seed"])
            head = bytes.fromhex("302e020100300506032b657004220420")
            command = ["pkey", "-in", "key", "-inform", "DER", "-pubout", "-outform", "DER"]
            own = openssl(*command, key=head + seed)
            same(read_verifier_key(text)[1], own and own[-32:], "the public key")

    def check_checkpoint(vector):
        note, keys, valid = members(vector, ["note", "keys", "valid"], ["origin", "size", "root"])
        same(valid, is_right(read_checkpoint, note, keys), "valid")
        if valid:
            origin, size, root, _ = read_checkpoint(note, keys)
            same([vector.get(name) for name in ("origin", "size", "root")], [origin, size, root], "the checkpoint")
        else:
            require(not {"origin", "size", "root"} & set(vector), "what no signature covers")
            each_key_is_right = all(is_right(read_verifier_key, key) for key in keys)
            require(each_key_is_right, "a key is wrong")

    def check_state_root(vector):
        entries, root = members(vector, ["entries", "root"])
        leaves = {path_of(key): sha256(canonical(value).encode()) for key, value in entries.items()}
        same(root, state_root(leaves).hex(), "root")

    def check_entry(vector):
        key, shown, root, valid = members(vector, ["key", "shown", "root", "valid"])
        same(valid, is_right(lambda: same(proven_root(key, shown).hex(), root, "root")), "valid")

    def check_read(vector):
        names = ["read", "params", "verifier_key", "not_before", "response", "valid"]
        read, params, verifier_key, not_before, response, valid = members(vector, names)
        keys = [key.format(**params) for key in PROVEN[read]]
        same(valid, is_right(check_response, keys, response, verifier_key, not_before), "valid")

    checks = {
        "roots": check_root,
        "inclusion": check_inclusion,
        "consistency": check_consistency,
        "verifier_keys": check_verifier_key,
        "checkpoints": check_checkpoint,
        "state_roots": check_state_root,
        "entries": check_entry,
        "reads": check_read,
    }
    check_parts(file, checks)
    texts = [vector["text"] for vector in file["verifier_keys"] if vector.get("source")]
    same(texts, ["PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"], "the published key")


# Errors: the table of conventions, section 3, the codes that end each chapter, and 408, 413, 415 and 431, which HTTP itself asks for.

KEY_ERROR = "Not a public key for an address"
ERRORS = {
    400: {
        "1000": "Parameter missing",
        "1003": "Not a number of decimal places",
        "1004": "Too many decimal places",
        "1005": "Parameter given twice",
        "1006": "Malformed text",
        "1007": "Malformed JSON",
        "1008": "Unknown parameter",
        "1101": "Not such an integer",
        "1102": "Not such a date",
        "1103": "More reserved than supplied",
        "1104": "Price 0",
        "1106": "Nothing melted",
        "1107": "Nothing traded",
        "1108": "Nothing put up for auction",
        "1206": "Nothing moved",
        "2040": "Not the group's id",
        "3002": "Number of entries",
        "3004": "Trade not acceptable",
        "3005": "Value not allowed",
        "3006": "Key does not open",
        "3020": "Belongs to a group",
        "3022": "Price not allowed by the policy",
        "3190": "Malformed address",
        "3201": "Payer and payee are equal",
        "4900": "Nothing changes",
        "5000": "Spendable balance insufficient",
        "5001": "Balance insufficient",
        "5002": "Balance of the other side insufficient",
    },
    401: {"2010": "Signature does not fit",
        "2011": "Too few signatures",
        "2012": "New keys have not signed", "2020": "Temporary key not valid", "2230": "Not a signature"},
    403: {
        "7001": "Not the owner",
        "7002": "No role that suffices",
        "7003": "Not granted",
        "7004": "Beyond the grant",
        "7005": "Limit of the grant",
    },
    404: {
        "3090": "Address not found",
        "4001": "Token not found",
        "6001": "Block not found",
        "6004": "Not found",
        "6008": "Transaction not found",
        "6009": "Group not found",
        "6010": "No draft",
        "6011": "No image here",
        "6012": "State not kept so far back",
        "6014": "No such grant",
        "9404": "Nothing at this path",
    },
    410: {"6013": "Not on this node any more"},
    405: {
        "3102": KEY_ERROR,
        "3103": KEY_ERROR,
        "3104": KEY_ERROR,
        "3105": KEY_ERROR,
        "3106": KEY_ERROR,
        "9405": "Method not allowed",
    },
    408: {"9408": "Request incomplete"},
    409: {
        "2021": "Temporary key used",
        "7101": "Listing cancelled",
        "7102": "Listing sold or settled",
        "7103": "Listing of another side",
        "7104": "Auction has a bidder",
        "7105": "Highest bidder already",
        "7106": "Not listed",
        "7107": "Several listings match",
        "7108": "On sale or on auction",
        "7109": "Bound",
        "7110": "Melted",
        "7111": "Id in use",
        "7112": "Not the terms expected",
        "7113": "Open already",
        "7114": "Pair not open",
        "7115": "Not first in line",
        "7116": "Too many open orders",
        "7117": "Not enough in the book",
        "7118": "Too many locked amounts",
        "7119": "Frozen",
        "7120": "Policy forbids it",
        "7121": "Terms are fixed",
        "7122": "Holder has the most allowed",
        "7123": "Too many policies",
        "7124": "Not in a group",
        "7125": "Too many open offers",
        "7126": "Too many grants",
        "7140": "Not the next version",
        "7141": "No recovery pending",
        "7142": "This recovery is pending",
        "7201": "Not over yet",
        "7202": "Over",
        "7203": "Not begun",
        "7204": "Melting date not reached",
        "7205": "Opening date not reached",
        "7206": "Before the policy's time",
        "7207": "After the policy's time",
        "7208": "Held too briefly",
        "7209": "Grant over",
    },
    413: {"9413": "Body too large"},
    415: {"9415": "Unknown kind of body"},
    429: {"9001": "Too many requests"},
    431: {"9431": "Request head too large"},
    500: {"9500": "Fault of the service"},
    503: {"9002": "Not available now", "9003": "Not caught up", "9004": "Outcome not known yet", "9006": "Log not what it was"},
}


def check_errors(file):
    own = {code: {(status, title)} for status, codes in ERRORS.items() for code, title in codes.items()}
    # Where temporary keys are issued; where a key is required rather than an address.
    own["3090"] |= {(400, "Address not found"), (404, "No address of this key")}
    # Among the keys of an address; the contract has 405 for its first key.
    for code in ("3102", "3103", "3104", "3105", "3106"):
        own[code] |= {(400, KEY_ERROR)}

    def check(vector):
        names = ["code", "status", "type", "title", "detail"]
        code, status, urn, title, detail = members(vector, names, ["parameter", "listings", "needed", "given", "spendable", "left", "token", "item", "first_block"])
        require(code in own, "no such code")
        require((status, title) in own[code], f"{status} {title!r} is none of {own[code]}")
        same(urn, f"urn:moneta:error:{code}", "type")
        require(re.fullmatch(r"\S.*\.", detail, re.DOTALL), "detail is no sentence")
        # What is wrong with a key, and whose tokens there are none, is said without the parameter's name.
        if "parameter" in vector and not re.match("310[2-6]", code) and " key" not in detail:
            require(vector["parameter"] in detail, "detail does not name the parameter")
        require(all(one in detail for one in vector.get("listings", [])), "detail does not name the listings")
        if code == "2011":
            weights = f"weighs {vector['given']}, but .* needs weight {vector['needed']}:"
            require(re.search(weights, detail), "detail does not say what the signatures weigh")
        if code == "7005":
            left = f"needs {vector['needed']} of token {vector['token']}, but .* leaves only {vector['left']} to spend now\\."
            require(re.search(left, detail), "detail does not say what the grant leaves")
        if code == "6013":
            require(f"those from {vector['first_block']} on" in detail, "detail does not name the first block")
        if code in ("5000", "5001", "5002"):
            needed, spendable = vector["needed"], vector["spendable"]
            lacking = (
                f"needs {needed} of token {vector['token']} but can spend only {spendable}"
                if "token" in vector
                else f"asks for {needed} units of {vector['item']} but there are only {spendable}"
            )
            require(re.search(rf"{lacking}\b", detail), "detail does not say what is lacking")

    check_parts(file, {"errors": check})
    codes = [vector["code"] for vector in file["errors"]]
    same(sorted(set(codes)), sorted(own), "the codes")
    same(codes, sorted(codes), "the order of the codes")
    told = [(vector["status"], vector["title"]) for vector in file["errors"] if vector["code"] == "3090"]
    same(set(told), own["3090"], "the titles of 3090")


CHECKS = {
    "authority.json": check_authority,
    "bundles.json": check_bundles,
    "chain.json": check_chain,
    "encodings.json": check_encodings,
    "errors.json": check_errors,
    "groups.json": check_groups,
    "ids.json": check_ids,
    "proofs.json": check_proofs,
    "signatures.json": check_signatures,
    "signed-strings.json": check_signed_strings,
}


# Exceptions that a damaged file may cause.
FAULTS = (Wrong, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)


def check_file(name, text):
    require(name in CHECKS, "there is no such file")
    value = json.loads(text, object_pairs_hook=pairs_once)
    CHECKS[name](value)
    return sum(len(part) for part in value.values() if isinstance(part, list))


def check_folder(folder):
    with open(os.path.join(folder, "SHA256SUMS"), encoding="ascii") as file:
        sums = {line[66:].rstrip("\n"): line[:64] for line in file}
    same(sorted(sums), sorted(CHECKS), "the files")
    texts = {}
    for name, known in sums.items():
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        same(sha256(data).hex(), known, f"the hash of {name}")
        texts[name] = data.decode()
    for name, text in texts.items():
        try:
            yield f"{name}: {check_file(name, text)} vectors"
        except FAULTS as error:
            raise Wrong(f"{name}: {error}") from error


def main(command=os.path.dirname(os.path.abspath(__file__)), *_):
    if command != "judge":
        for line in check_folder(command):
            print(line)
        return
    for line in sys.stdin:
        given = json.loads(line)
        try:
            if "folder" in given:
                list(check_folder(given["folder"]))
            else:
                check_file(given["file"], given["text"])
            print("sound", flush=True)
        except FAULTS as error:
            print(f"wrong: {' '.join(str(error).split())[:300]}", flush=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Wrong, OSError, UnicodeError) as wrong:
        print(f"wrong: {wrong}")
        raise SystemExit(1) from wrong
