#!/usr/bin/env python3
"""Checks what a ledger publishes, knowing nothing of it but public documents: RFC 6962 (trees and proofs), RFC 8785 (JSON), C2SP signed-note,
tlog-checkpoint and tlog-tiles, and chapter "chain" of the ledger's specification. Python 3, openssl 3 and check.py of the test vectors are all it needs.

    outside_verifier.py tiles PREFIX KEY...    the static files of a log, behind a URL or in a folder: signature, every tile, every entry
    outside_verifier.py audit URL KEY...       the same of the node at URL, and for each transaction its proofs and its record, for each block its header
    outside_verifier.py judge KEY...           a verdict a line on answers of the service, each a line of JSON on the standard input;
                                               {"prefix": ...} there stands for the static files of a log

KEY is a verifier key, <name>+<id>+<base64>, known from elsewhere. Exit code 0 if all is well, 1 if something is wrong, which is then printed,
2 if it could not be checked: wrong arguments, or a node that cannot be reached.
"""

import base64
import http.client
import json
import os
import re
import sys
import urllib.parse

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../protocol/test-vectors"))

from check import (  # noqa: E402: the checker of the test vectors, which has none of the ledger's code either
    Wrong,
    canonical,
    climbs_to,
    grows_to,
    hex_of,
    leaf_of,
    read_checkpoint,
    read_verifier_key,
    require,
    root_of,
    strict_base64,
)


class Unusable(Exception):
    """An argument that nothing can be checked with."""


def usable_keys(texts):
    for text in texts:
        try:
            read_verifier_key(text)
        except Wrong as wrong:
            raise Unusable(f"{text!r} is not a verifier key of Ed25519, <name>+<id>+<base64>: {wrong}") from wrong
    return texts


def signed_tree(note, keys):
    """Size and root of a checkpoint of the log of these keys."""
    origin, size, _, root = read_checkpoint(note, keys)
    require(origin in [key.split("+")[0] for key in keys], "the checkpoint is of another log")
    return size, root


# The static files of a log: C2SP tlog-tiles.


class Files:
    """Reads paths behind a URL or below a folder."""

    def __init__(self, prefix):
        self.prefix = prefix.rstrip("/")
        parts = urllib.parse.urlsplit(prefix)
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        self.connection = kinds[parts.scheme](parts.netloc) if parts.scheme in kinds else None
        self.folder = parts.path.rstrip("/")

    def read(self, path):
        if self.connection is None:
            try:
                with open(f"{self.prefix}/{path}", "rb") as file:
                    return file.read()
            except OSError as error:
                raise Wrong(f"{path} cannot be read") from error
        try:
            self.connection.request("GET", f"{self.folder}/{path}")
            response = self.connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unusable(f"{self.prefix}/{path} cannot be read: {error}") from error
        require(response.status == 200, f"GET {path} answers {response.status}")
        return body

    def json(self, path):
        return json.loads(self.read(path))


def tile_path(kind, index, width):
    groups = [f"{index % 1000:03d}"]
    while index >= 1000:
        index //= 1000
        groups.insert(0, f"x{index % 1000:03d}")
    return f"tile/{kind}/{'/'.join(groups)}" + ("" if width == 256 else f".p/{width}")


def tiles_of(count):
    """Index and width of each tile that so many hashes fill."""
    return [(first // 256, min(256, count - first)) for first in range(0, count, 256)]


def hashes_of(files, level, count):
    hashes = []
    for index, width in tiles_of(count):
        path = tile_path(level, index, width)
        data = files.read(path)
        require(len(data) == 32 * width, f"{path} does not have {width} hashes")
        hashes += [data[at : at + 32] for at in range(0, len(data), 32)]
    return hashes


def entries_of(files, count):
    entries = []
    for index, width in tiles_of(count):
        path = tile_path("entries", index, width)
        data, at, first = files.read(path), 0, len(entries)
        while at < len(data):
            length = int.from_bytes(data[at : at + 2], "big")
            require(at + 2 + length <= len(data), f"{path} ends within an entry")
            entries.append(data[at + 2 : at + 2 + length].decode())
            at += 2 + length
        require(len(entries) - first == width, f"{path} does not have {width} entries")
    return entries


def check_tiles(files, keys):
    """Size, root and leaf hashes of a log whose files fit together and are signed for."""
    size, root = signed_tree(files.read("checkpoint").decode(), keys)
    leaves = hashes_of(files, 0, size)
    require(root_of(leaves) == root, "the tiles of level 0 do not come to the root")
    level, below = 0, leaves
    while len(below) >= 256:
        level += 1
        full = len(below) // 256
        above = hashes_of(files, level, full)
        for at in range(full):
            own = root_of(below[256 * at : 256 * (at + 1)])
            require(own == above[at], f"hash {at} of level {level} is not that of the tile below")
        below = above
    entries = entries_of(files, size)
    for at in range(size):
        require(leaf_of(entries[at]) == leaves[at], f"entry {at} is not the one of its leaf")
    return size, root, entries


# Answers of the service: chapter "chain", sections 4 and 12.


def hash_of(value):
    return hex_of(canonical(value))


def hashes(texts):
    return [strict_base64(text, 32) for text in texts]


def check_proof(proof, keys, record=None):
    leaf = leaf_of(proof["leaf"])
    size, root = proof["tree_size"], strict_base64(proof["root"], 32)
    climbed = climbs_to(leaf, proof["leaf_index"], size, hashes(proof["proof"]))
    require(climbed == root, "the audit path does not come to the root")
    if proof["checkpoint"] != "":
        signed = signed_tree(proof["checkpoint"], keys)
        require(signed == (size, root), "the checkpoint is of another tree")

    held = json.loads(proof["leaf"])
    require(canonical(held) == proof["leaf"], "the leaf is not canonical")
    require(held["id"] == proof["id"], "the leaf is of another transaction")
    operation = proof["operation"]
    require(held["operation"] == hash_of(operation), "the operation is not the one in the leaf")
    content = {name: operation[name] for name in operation if name != "signatures"}
    require(proof["id"][24:] == hash_of(content)[:40], "the id does not fit the operation")
    header = proof["block"]
    require(int(proof["id"][:16], 16) == header["sn"], "the id does not fit the block")
    position = int(proof["id"][16:24], 16)
    place = header["size"] - header["count"] + position
    require(position < header["count"] and place == proof["leaf_index"], "the place is another")
    require(held["timestamp"] == header["timestamp"], "the time is that of another block")
    if record is not None:
        names = ("address", "effects", "parameters", "token", "type", "values")
        names += ("group",) if "group" in record else ()  # of the members of groups alone
        own = hash_of({name: record[name] for name in names})
        require(held["record"] == own, "the record is not the one in the leaf")


def check_consistency(proof):
    old, new = strict_base64(proof["from_root"], 32), strict_base64(proof["to_root"], 32)
    roots = grows_to(old, proof["from"], proof["to"], hashes(proof["proof"]))
    require(roots == (old, new), "the consistency proof does not come to the roots")


def judge(line, keys):
    given = json.loads(line)
    if "leaf" in given:
        check_proof(given, keys, given.get("record"))
    elif "from_root" in given:
        check_consistency(given)
    elif "prefix" in given:
        check_tiles(Files(given["prefix"]), keys)
    else:
        signed_tree(given["checkpoint"], keys)


def audit(url, keys):
    size, root, entries = check_tiles(Files(f"{url}/tlog"), keys)
    node = Files(url)
    previous, leaves, sizes = "0" * 64, 0, []
    while leaves < size:
        block = node.json(f"block/{len(sizes)}/raw")
        header = block["header"]
        require(hash_of(header) == block["id"], "a block's id is not the hash of its header")
        require(header["previous"] == previous, "a block does not follow the one before it")
        require(header["size"] == leaves + header["count"], "a block has another size")
        texts = entries[leaves : header["size"]]
        require(root_of([leaf_of(text) for text in texts]).hex() == header["root"], "a block's root is another")
        for text in texts:
            transaction = json.loads(text)["id"]
            record = node.json(f"transaction/{transaction}")
            require(record["db_id"] == block["id"], "a transaction is in another block")
            for wanted in (leaves + 1, size):
                proof = node.json(f"transaction/{transaction}/proof?size={wanted}")
                require(proof["leaf"] == text, "a proof is of another leaf")
                require(proof["block"] == header, "a proof is of another block")
                require(proof["tree_size"] == wanted, "a proof is of another size")
                check_proof(proof, keys, record)
            leaves += 1
        previous = block["id"]
        sizes.append((header["size"], header["tree"]))
    require(root.hex() == sizes[-1][1], "the newest block has another tree than the checkpoint")
    for old, tree in sizes:
        proof = node.json(f"checkpoint/consistency?from={old}&to={size}")
        require((proof["from"], proof["to"]) == (old, size), "a proof is of other sizes")
        require(strict_base64(proof["from_root"]).hex() == tree, "a proof begins with another tree")
        require(strict_base64(proof["to_root"]) == root, "a proof ends with another tree")
        check_consistency(proof)
    return size, len(sizes)


def main(command="", *arguments):
    if command == "tiles" and len(arguments) > 1:
        size, root, _ = check_tiles(Files(arguments[0]), usable_keys(arguments[1:]))
        print(f"sound: {size} leaves, root {base64.b64encode(root).decode()}")
    elif command == "audit" and len(arguments) > 1:
        if not arguments[0].startswith(("http://", "https://")):
            raise Unusable(f"{arguments[0]!r} is not a URL of a node")
        size, blocks = audit(arguments[0], usable_keys(arguments[1:]))
        print(f"sound: {size} transactions in {blocks} blocks")
    elif command == "judge" and len(arguments) > 0:
        keys = usable_keys(arguments)
        for line in sys.stdin:
            try:
                judge(line, keys)
                print("sound")
            except (Wrong, KeyError, ValueError, TypeError) as error:
                print(f"wrong: {error}")
    else:
        raise Unusable(__doc__)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Wrong as wrong:
        print(f"wrong: {wrong}")
        raise SystemExit(1)
    except (KeyError, ValueError, TypeError) as error:
        print(f"wrong: an answer does not have its form: {error!r}")
        raise SystemExit(1)
    except Unusable as unusable:
        print(unusable, file=sys.stderr)
        raise SystemExit(2)
