import {
  type Address,
  type Block,
  blockId,
  explain,
  isHeader,
  type LedgerOperation,
  NO_BLOCK,
  parseOperationText,
  parseSignature,
  Refused,
  signedStrings,
  TIMESTAMP_MAX,
} from "@moneta/protocol";
import type { BlockBuilder } from "./chain/block-builder.ts";
import { InvalidBlock, InvalidDecision } from "./chain/invalid-block.ts";
import { UnknownRules, type UnknownVersion } from "./chain/protocol-version.ts";
import { isSameTexts, readOperation } from "./chain/repeat.ts";
import type { Executor, Outcome } from "./executor.ts";
import type { RuledOperation } from "./rules/rule.ts";
import { sha256 } from "./sha256.ts";
import type { Head } from "./views/head.ts";

/** A signature that a block claims, which whoever replays the block has to check. */
export interface SignatureClaim {
  readonly height: number;
  readonly position: number;
  /** Canonical body of the actor's key. */
  readonly publicKey: string;
  /** The signature must be of one of these texts. */
  readonly signedTexts: readonly string[];
  readonly signature: string;
}

/** Receives the signatures of a block, in order. */
export type OnSignature = (claim: SignatureClaim) => void;

/** Where an operation is in the chain. */
interface Place {
  readonly height: number;
  readonly position: number;
}

/**
 * Executes a block that is already made, inside the caller's transaction, and compares all that it
 * commits to. Passes its signatures to `onSignature`, unchecked. Throws `InvalidBlock`, or
 * `UnknownRules` at rules that this software does not know. Source: chain §6, §7.3.
 */
export function replayBlock(
  executor: Executor,
  block: Block,
  onSignature: OnSignature | undefined,
): void {
  const height = executor.head.height + 1;
  checkPlace(block, executor.head);
  const { stop } = executor;
  if (stop !== undefined) {
    throw unknownRules(block, stop);
  }
  const { header } = block;
  const { rules } = executor;
  const builder = executor.start(header.timestamp);
  const own = builder.count;
  for (const [position, text] of block.operations.entries()) {
    if (position >= own) {
      const at = { height, position };
      replayOperation(executor, { at, text, rules, builder }, onSignature);
    } else if (text !== builder.operations[position]) {
      throw new InvalidBlock({ height, position }, "it is not the migration to the new rules");
    }
  }
  const closed = builder.close(executor.state.changesText());
  const wanted: Record<string, unknown> = { ...closed.block.header };
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(header)])) {
    const said = (header as unknown as Record<string, unknown>)[name];
    if (wanted[name] !== said) {
      throw new InvalidBlock(
        { height },
        `its header's ${name} is ${said}, but its operations come to ${wanted[name]}`,
      );
    }
  }
  if (closed.block.id !== block.id) {
    throw new InvalidBlock(
      { height },
      `its id is ${block.id}, but the hash of its header is ${closed.block.id}`,
    );
  }
  executor.store(closed);
  executor.accept(closed);
}

/** Whether a block is in its place, as far as one can tell without knowing its rules. */
function checkPlace({ header, operations }: Block, head: Head): void {
  const height = head.height + 1;
  if (!isHeader(header)) {
    throw new InvalidBlock({ height }, "its header does not have the form of one");
  }
  if (header.sn !== height || header.previous !== head.id) {
    throw new InvalidBlock({ height }, "it does not follow the block before it");
  }
  if (header.timestamp < head.timestamp) {
    throw new InvalidBlock({ height }, "its time lies before that of the block before it");
  }
  if (header.timestamp > TIMESTAMP_MAX) {
    const reason = `its time lies behind ${TIMESTAMP_MAX}, the last one that a block can have`;
    throw new InvalidBlock({ height }, reason);
  }
  if (operations.length === 0) {
    throw new InvalidBlock({ height }, "it has no transaction");
  }
}

/**
 * What is wrong with a block whose rules are not known: it may be sound, but must at least say that
 * it follows them.
 */
function unknownRules({ header, id }: Block, unknown: UnknownVersion): InvalidBlock | UnknownRules {
  const { version, height } = unknown;
  if (header.protocol !== version) {
    return new InvalidBlock({ height }, `it must follow version ${version} of the rules`);
  }
  return blockId(header, sha256) === id
    ? new UnknownRules(unknown)
    : new InvalidBlock({ height }, "its id is not the hash of its header");
}

function replayOperation(
  executor: Executor,
  {
    at,
    text,
    rules,
    builder,
  }: {
    readonly at: Place;
    readonly text: string;
    readonly rules: ReadonlyMap<string, RuledOperation>;
    readonly builder: BlockBuilder;
  },
  onSignature: OnSignature | undefined,
): void {
  const operation = parseOperationText(text);
  const ruled = operation === undefined ? undefined : rules.get(operation.op);
  if (operation === undefined || ruled === undefined) {
    throw new InvalidBlock(at, "it is no operation in canonical form that the rules know");
  }
  const request = readOperation(ruled, operation);
  if (
    request instanceof Refused ||
    !isSameTexts(operation.params, request.params) ||
    !isSameTexts(operation.signatures, request.signatures) ||
    !isDecided(operation, ruled.operation.decided)
  ) {
    throw new InvalidBlock(at, "it does not hold just what its description asks for");
  }
  if (onSignature !== undefined && operation.actor !== "") {
    onSignature(claimOf(executor, at, ruled, operation));
  }
  let outcome: Outcome;
  try {
    outcome = executor.run(text, rules, builder);
  } catch (thrown) {
    throw thrown instanceof InvalidDecision ? new InvalidBlock(at, thrown.message) : thrown;
  }
  if (outcome.kind !== "done") {
    throw new InvalidBlock(
      at,
      outcome.kind === "repeat"
        ? `it repeats ${outcome.transactionId}`
        : `the rules refuse it: ${explain(outcome.fault).detail}`,
    );
  }
}

/** What the signature of an operation must fit. The state is that before the operation. */
function claimOf(
  executor: Executor,
  at: Place,
  { operation: description }: RuledOperation,
  operation: LedgerOperation,
): SignatureClaim {
  const actor = executor.state.address(operation.actor as Address);
  const signature = operation.signatures["signature"];
  if (actor === undefined || signature === undefined || parseSignature(signature) === undefined) {
    throw new InvalidBlock(at, "its actor is unknown or its signature is none");
  }
  if (actor.signed === "full" && operation.params["signed"] !== "full") {
    throw new InvalidBlock(at, "its actor accepts full signatures only");
  }
  return {
    ...at,
    publicKey: actor.publicKey,
    signedTexts: signedStrings(description, operation.params, {
      ledgerId: executor.blocks.atHeight(0)?.id ?? NO_BLOCK,
      actor: actor.address,
      decided: operation.decided,
    }),
    signature,
  };
}

/** Whether just that has been decided which the description names and no parameter has said. */
function isDecided({ decided, params }: LedgerOperation, names: readonly string[] = []): boolean {
  const open = names.filter((name) => params[name] === undefined);
  const given = Object.keys(decided);
  return given.length === open.length && open.every((name) => given.includes(name));
}
