import { randomInt } from "node:crypto";
import { invariant, sha256 } from "@moneta/ledger";
import {
  leafHash,
  type TransactionName,
  verifyConsistency,
  verifyInclusion,
} from "@moneta/protocol";
import type { AuditContext } from "./audit-context.ts";
import { assertSigned, base64OfHex } from "./checkpoint-signature.ts";
import { assertSame } from "./compare-blocks.ts";
import { compareTransaction } from "./compare-records.ts";
import { Finding, placeOf, shortened } from "./finding.ts";
import { sampleOf } from "./sample.ts";

/** More hashes than a proof of the largest tree has. */
const PATH_MAX = 128;

/**
 * Checks inclusion proofs of a sample of `from` to `to`, and of the newest, in the tree of `size`
 * leaves. Checks one consistency proof from a random older tree.
 */
export async function compareProofs(
  context: AuditContext,
  range: { readonly from: number; readonly to: number },
  size: number,
): Promise<void> {
  for (const number of sampleOf(range.from, range.to, context.sample)) {
    const name = context.replica.nameOf(number);
    await compareTransaction(context, name);
    await compareInclusion(context, name, number, size);
  }
  // A tree is consistent with itself, so the older one ends before the newest block.
  const newest = context.replica.blockOfSize(size)?.header;
  const before = newest === undefined ? 0 : newest.size - newest.count;
  if (before > 0) {
    const older = context.replica.read().blockWithTransaction(randomInt(before))?.header.size;
    invariant(older !== undefined && older < size, "the replica has every block up to this size");
    await compareConsistency(context, older, size);
  }
}

async function compareInclusion(
  context: AuditContext,
  name: TransactionName,
  number: number,
  size: number,
): Promise<void> {
  const { client, replica, memory } = context;
  const path = `/transaction/${name.id}/proof?size=${size}`;
  const served = await client.json(path);
  const reader = replica.read();
  const [leaf = ""] = reader.leafTexts(number, number + 1);
  const block = reader.log.block(name.height);
  const root = base64OfHex(replica.blockOfSize(size)?.header.tree ?? "");
  const { proof, checkpoint, ...members } = membersOf(served);
  const place = placeOf(name);
  const answer = `GET ${path}`;
  assertSame(place, answer, members, {
    id: name.id,
    leaf,
    leaf_index: number,
    tree_size: size,
    root,
    operation: JSON.parse(block?.operations[name.position] ?? "null") as unknown,
    block: block?.header,
  });
  const fits = verifyInclusion(sha256, {
    leafHash: leafHash(sha256, leaf),
    index: number,
    size,
    root: Buffer.from(root, "base64"),
    path: hashesOf(place, answer, proof),
  });
  if (!fits) {
    throw new Finding(`${place}: ${answer}: proof: it does not lead from the leaf to the root`);
  }
  if (typeof checkpoint !== "string") {
    throw new Finding(`${place}: ${answer}: checkpoint: served ${shortened(checkpoint)}`);
  }
  if (checkpoint !== "") {
    await assertSigned(`${place}: ${answer}: checkpoint`, checkpoint, memory.state.keys);
    const [origin, sizeText, rootText] = checkpoint.split("\n");
    assertSame(
      place,
      `${answer}: checkpoint`,
      { origin, size: sizeText, root: rootText },
      { origin: reader.ledgerName(), size: String(size), root },
    );
  }
}

/**
 * Checks the consistency proof between the trees of `from` and `to` leaves, both known to the copy.
 */
export async function compareConsistency(
  { client, replica }: AuditContext,
  from: number,
  to: number,
): Promise<void> {
  const path = `/checkpoint/consistency?from=${from}&to=${to}`;
  const served = await client.json(path);
  const rootOf = (size: number): string =>
    base64OfHex(replica.blockOfSize(size)?.header.tree ?? "");
  const place = `checkpoint of size ${to}`;
  const answer = `GET ${path}`;
  const { proof, ...members } = membersOf(served);
  assertSame(place, answer, members, { from, to, from_root: rootOf(from), to_root: rootOf(to) });
  const fits = verifyConsistency(sha256, {
    from,
    to,
    fromRoot: Buffer.from(rootOf(from), "base64"),
    toRoot: Buffer.from(rootOf(to), "base64"),
    path: hashesOf(place, answer, proof),
  });
  if (!fits) {
    throw new Finding(
      `${place}: ${answer}: proof: it does not lead from the one root to the other`,
    );
  }
}

/** The hashes of a path, in canonical standard base64. */
function hashesOf(place: string, answer: string, proof: unknown): Uint8Array[] {
  if (!Array.isArray(proof) || proof.length > PATH_MAX) {
    throw new Finding(`${place}: ${answer}: proof: no path: ${shortened(proof)}`);
  }
  return proof.map((text: unknown, at) => {
    const bytes = typeof text === "string" ? Buffer.from(text, "base64") : Buffer.alloc(0);
    if (bytes.length !== 32 || bytes.toString("base64") !== text) {
      throw new Finding(`${place}: ${answer}: proof[${at}]: no hash: ${shortened(text)}`);
    }
    return bytes;
  });
}

function membersOf(served: unknown): Record<string, unknown> {
  return typeof served === "object" && served !== null ? (served as Record<string, unknown>) : {};
}
