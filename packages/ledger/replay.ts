import {
  type Address,
  type Block,
  blockId,
  explain,
  GROUP_MAX,
  GROUP_MIN,
  groupId,
  isGroupable,
  isHeader,
  type LedgerOperation,
  parseOperationText,
  parseSignature,
  Refused,
  refuseGroupId,
  refuseMembers,
  TIMESTAMP_MAX,
} from "@moneta/protocol";
import type { BlockBuilder } from "./chain/block-builder.ts";
import { checkGenesis } from "./chain/check-genesis.ts";
import { genesisVersion } from "./chain/genesis.ts";
import { InvalidBlock, InvalidDecision } from "./chain/invalid-block.ts";
import {
  type ProtocolVersion,
  UnknownRules,
  type UnknownVersion,
} from "./chain/protocol-version.ts";
import { isSameTexts, readOperation } from "./chain/repeat.ts";
import type { CanonicalOperation, Executor, Outcome } from "./executor.ts";
import type { KeyClaim } from "./key-claims.ts";
import { requiredSignatures, signersOf, temporaryKeysOf } from "./ladder.ts";
import type { RuledOperation } from "./rules/rule.ts";
import { sha256 } from "./sha256.ts";
import type { Head } from "./views/head.ts";

/** To be verified by the caller. */
export interface SignatureClaim
  extends Pick<KeyClaim, "publicKey" | "signedTexts" | "signature" | "exact"> {
  readonly height: number;
  readonly position: number;
}

export type OnSignature = (claim: SignatureClaim) => void;

interface Place {
  readonly height: number;
  readonly position: number;
}

/**
 * Executes a block in the caller's transaction and compares its header. Signatures go to
 * `onSignature`, unchecked. Throws `InvalidBlock`, or `UnknownRules`. Source: chain §6, §7.3.
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
  const { version } = executor;
  const builder = executor.start(
    header.timestamp,
    height === 0 ? firstVersion(executor, block) : 1,
  );
  const own = builder.count;
  for (const [position, text] of builder.operations.entries()) {
    if (text !== block.operations[position]) {
      throw new InvalidBlock({ height, position }, "it is not the migration to the new rules");
    }
  }
  for (const unit of unitsOf(block, own, version)) {
    replayUnit(executor, unit, builder, onSignature);
  }
  const closed = executor.close(builder);
  const wanted: Record<string, unknown> = { ...closed.block.header };
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(header)])) {
    const reported = (header as unknown as Record<string, unknown>)[name];
    if (wanted[name] !== reported) {
      throw new InvalidBlock(
        { height },
        `its header's ${name} is ${reported}, but its operations come to ${wanted[name]}`,
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
  executor.settleMany();
}

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

/** It may be valid, but must name their version. */
function unknownRules({ header, id }: Block, unknown: UnknownVersion): InvalidBlock | UnknownRules {
  const { version, height } = unknown;
  if (header.protocol !== version) {
    return new InvalidBlock({ height }, `it must follow version ${version} of the rules`);
  }
  return blockId(header, sha256) === id
    ? new UnknownRules(unknown)
    : new InvalidBlock({ height }, "its id is not the hash of its header");
}

/** The version must be supported. Source: chain §8. */
function firstVersion(executor: Executor, block: Block): number {
  const version = genesisVersion(block.operations);
  if (version === undefined) {
    throw new InvalidBlock({ height: 0, position: 0 }, "it says no version of the rules");
  }
  if (!executor.knows(version)) {
    throw unknownRules(block, { version, height: 0 });
  }
  checkGenesis(block);
  return version;
}

interface InBlock extends CanonicalOperation {
  readonly at: Place;
}

/** Neighbours with the same `group` together. Source: batches §2.5. */
function* unitsOf(
  { header: { sn: height }, operations }: Block,
  from: number,
  { rules }: ProtocolVersion,
): Iterable<readonly [InBlock, ...InBlock[]]> {
  const read = (position: number): InBlock =>
    readInBlock(operations[position] as string, { height, position }, rules);
  let position = from;
  while (position < operations.length) {
    const unit: [InBlock, ...InBlock[]] = [read(position)];
    const { group } = unit[0].operation.params;
    for (position += 1; group !== undefined && position < operations.length; position += 1) {
      const next = read(position);
      if (next.operation.params["group"] !== group) {
        break;
      }
      unit.push(next);
    }
    yield unit;
  }
}

function readInBlock(text: string, at: Place, rules: ReadonlyMap<string, RuledOperation>): InBlock {
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
  return { at, text, operation, ruled, request, keys: temporaryKeysOf(ruled, request) };
}

function replayUnit(
  executor: Executor,
  unit: readonly [InBlock, ...InBlock[]],
  builder: BlockBuilder,
  onSignature: OnSignature | undefined,
): void {
  const [{ at, operation }] = unit;
  if (operation.params["group"] !== undefined) {
    checkGroup(executor, unit);
  }
  if (onSignature !== undefined) {
    for (const one of unit) {
      for (const claim of claimsOf(executor, one)) {
        onSignature(claim);
      }
    }
  }
  let outcome: Outcome;
  try {
    outcome = executor.execute(unit, builder);
  } catch (thrown) {
    throw thrown instanceof InvalidDecision ? new InvalidBlock(at, thrown.message) : thrown;
  }
  if (outcome.kind === "repeat") {
    throw new InvalidBlock(at, `it repeats ${outcome.transactionIds[0]}`);
  }
  if (outcome.kind === "refused") {
    const reason = `the rules refuse it: ${explain(outcome.fault).detail}`;
    throw new InvalidBlock(unit[outcome.index ?? 0]?.at ?? at, reason);
  }
}

/** A group must be whole, in order and allowed by the rules. Source: batches §2.5, §2.12. */
function checkGroup(executor: Executor, unit: readonly [InBlock, ...InBlock[]]): void {
  const [{ at }] = unit;
  const stranger = unit.find(
    ({ ruled, operation: { params } }) =>
      !isGroupable(ruled.operation) || params["signed"] !== "full",
  );
  if (stranger !== undefined) {
    throw new InvalidBlock(stranger.at, "it names a group, in which it cannot be");
  }
  if (unit.length < GROUP_MIN || unit.length > GROUP_MAX) {
    throw new InvalidBlock(
      at,
      `it begins a group of ${unit.length} operations, not of ${GROUP_MIN} to ${GROUP_MAX}`,
    );
  }
  const { ledgerId } = executor;
  const members = unit.map(({ operation: { op, params } }) => ({ op, params }));
  if (refuseGroupId(members, groupId(members, { ledgerId, sha256 })) !== undefined) {
    throw new InvalidBlock(at, "it begins a group whose id is that of other operations");
  }
  const refused = refuseMembers(
    unit.map(({ ruled: { operation }, request }) => ({ operation, request })),
  );
  if (refused !== undefined) {
    throw new InvalidBlock(unit[refused.index ?? 0]?.at ?? at, explain(refused.fault).detail);
  }
}

function claimsOf({ state, ledgerId }: Executor, one: InBlock): readonly SignatureClaim[] {
  const { at } = one;
  const { actor, decided } = one.operation;
  const signers = signersOf(one, actor as Address);
  const unknown = signers.findIndex((address) => state.addressNumber(address) === undefined);
  if (unknown !== -1) {
    const who = unknown === 0 ? "actor" : one.ruled.operation.signers[unknown]?.address;
    throw new InvalidBlock(at, `its ${who} is unknown`);
  }
  const required = requiredSignatures(state, one, signers, { ledgerId, decided });
  if (required instanceof Refused) {
    throw new InvalidBlock(at, explain(required.fault).detail);
  }
  return required.flatMap(({ address, claims, isShort }) =>
    claims.map(
      ({ parameter, publicKey, signedTexts, signature, exact, refused }): SignatureClaim => {
        if (refused !== undefined) {
          throw new InvalidBlock(at, explain(refused.fault).detail);
        }
        if (parseSignature(signature) === undefined) {
          throw new InvalidBlock(at, `its ${parameter} is none`);
        }
        if (isShort) {
          throw new InvalidBlock(
            at,
            `${address} accepts full signatures only, not its ${parameter}`,
          );
        }
        const claim = { ...at, publicKey, signedTexts, signature };
        return exact === undefined ? claim : { ...claim, exact };
      },
    ),
  );
}

/** Exactly what the description names and no parameter has. */
function isDecided({ decided, params }: LedgerOperation, names: readonly string[] = []): boolean {
  const open = names.filter((name) => params[name] === undefined);
  const given = Object.keys(decided);
  return given.length === open.length && open.every((name) => given.includes(name));
}
