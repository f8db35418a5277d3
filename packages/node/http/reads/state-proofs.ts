import {
  DamagedStateTree,
  invariant,
  type LedgerReader,
  type StateTree,
  sha256,
} from "@moneta/ledger";
import {
  type AnyRead,
  entryProof,
  type Json,
  parseTransactionId,
  provenKeys,
  Refused,
  refuse,
  type StateProof,
  type TransactionName,
} from "@moneta/protocol";
import type { CheckpointNotes } from "../../checkpoint-notes.ts";
import type { Service } from "../../service.ts";
import { type Answer, jsonText } from "../responses/answer.ts";
import { type AskedBlock, heightOf } from "./as-of.ts";
import { withNotes } from "./proof-reads.ts";
import type { ReadContext } from "./read-context.ts";
import type { Reply } from "./read-handler.ts";

/**
 * 9404 without a root that a checkpoint covers, 6012 if its state is not kept. Source: proofs §3.
 */
export function proveRead(
  { name }: AnyRead,
  values: AskedBlock & { readonly [name: string]: unknown },
  {
    reader,
    service,
    later,
  }: { readonly reader: LedgerReader; readonly service: Service } & Pick<ReadContext, "later">,
): Reply {
  const { stateTree } = service;
  if (stateTree === undefined) {
    return refuse({
      code: "9404",
      reason: "This node keeps no state tree, so it proves no state entries",
    });
  }
  const keys = provenKeys(name, values as { readonly [name: string]: string });
  invariant(keys !== undefined, "a read that takes proof has entries");
  return withNotes(service, { reader, later }, (notes, newest) => {
    const asked = heightOf(values, newest);
    if (asked instanceof Refused) {
      return asked;
    }
    try {
      return prove(keys, asked, { newest, notes, stateTree });
    } catch (thrown) {
      if (!(thrown instanceof DamagedStateTree)) {
        throw thrown;
      }
      service.operatorEvents.emit("stateTreeDamaged", thrown.message);
      return refuse({
        code: "9404",
        reason: "The state tree of this node is damaged and is being rebuilt: retry later",
      });
    }
  });
}

function prove(
  keys: readonly string[],
  asked: number,
  on: {
    readonly newest: LedgerReader;
    readonly notes: CheckpointNotes;
    readonly stateTree: StateTree;
  },
): Answer | Refused {
  const { newest, notes, stateTree } = on;
  const checkpoint = notes.newest(newest);
  const size = checkpoint?.size ?? 0;
  const root = stateTree.kept.findLast(
    (kept) =>
      kept.height <= asked &&
      kept.claim !== undefined &&
      kept.claim < size &&
      // Until its thread has looked, the tree may precede a restore.
      newest.block(kept)?.id === kept.block,
  );
  if (checkpoint === undefined || root?.claim === undefined) {
    const reason = `No state root up to block ${asked} is in a checkpoint of this node`;
    return refuse({ code: "9404", reason });
  }
  const { height, claim } = root;
  const since = newest.keptSince;
  if (height < since) {
    return refuse({ code: "6012", height, since });
  }
  const { id, record } = newest.transactionNumbered(claim);
  const leaf = newest.leaf(parseTransactionId(id) as TransactionName);
  invariant(leaf !== undefined, "a claimed root is in the ledger");
  const { state } = newest.asOf(height);
  const entries: string[] = [];
  for (const key of keys) {
    const found = stateTree.prove(key, height);
    if (found === undefined) {
      const reason = "A newer root has just replaced the one of this proof";
      return refuse({ code: "9002", reason, retryAfter: 1 });
    }
    const text = state.entryText(key);
    if (!sameHash(found.valueHash, text)) {
      throw new DamagedStateTree(`its value of ${key} differs from the state`);
    }
    const { value: _, ...proof } = entryProof({ key, value: null, ...found });
    entries.push(withMember(proof, "value", text ?? "null"));
  }
  const rest: Omit<StateProof, "entries"> = {
    height,
    root: {
      transaction: id,
      leaf: leaf.text,
      index: claim,
      size,
      path: newest.tree.inclusionPath({ index: claim, size }).map(base64),
      record: JSON.parse(record) as Json,
    },
    checkpoint: checkpoint.note,
  };
  return { ...jsonText(withMember(rest, "entries", `[${entries.join(",")}]`)), height };
}

/** The member's JSON is not parsed: a value may have 1 MiB. */
function withMember(object: object, name: string, text: string): string {
  return `${JSON.stringify(object).slice(0, -1)},"${name}":${text}}`;
}

function sameHash(hash: Uint8Array | undefined, text: string | undefined): boolean {
  return hash === undefined || text === undefined
    ? hash === undefined && text === undefined
    : Buffer.compare(hash, sha256.bytes(text)) === 0;
}

function base64(hash: Uint8Array): string {
  return Buffer.from(hash).toString("base64");
}
