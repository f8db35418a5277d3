import {
  type AnyListRead,
  type AnyRead,
  checkpointConsistency,
  Refused,
  search,
  TILE_WIDTH,
  tile,
  tileNameText,
  tokenCandles,
  tokens,
  totals,
  transactionProof,
} from "@moneta/protocol";
import { Finding, mismatch, shortened } from "../follower/finding.ts";
import { followBlocks } from "../follower/follow-blocks.ts";
import {
  Declined,
  parsedJson,
  Unreachable,
  utf8Text,
  type WholeAnswer,
} from "../follower/node-client.ts";
import { newestBlock } from "../follower/served-block.ts";
import { assertSigned } from "../follower/served-checkpoint.ts";
import type { Answer } from "../http/responses/answer.ts";
import type { AuditContext } from "./audit-context.ts";
import { pathOf } from "./draw-read.ts";
import { jsonDifference } from "./json-difference.ts";
import { OldBlocks } from "./old-blocks.ts";
import type { DrawnRead } from "./own-answers.ts";

/**
 * A response may be newer than its `Ledger-Height`: a node reads blocks before it learns of them.
 */
const BLOCKS_TRIED = 8;
const ATTEMPTS = 3;
const STEPS: ReadonlySet<AnyRead> = new Set([totals, tokenCandles]);

/** Throws a `Finding` if a response differs from the copy's as of the block it reflects. */
export async function compareRead(context: AuditContext, read: DrawnRead): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const finding = await findingOf(context, read);
    if (finding === undefined) {
      return;
    }
    if (attempt === ATTEMPTS) {
      throw finding;
    }
  }
}

export async function compareConsistency(
  context: AuditContext,
  from: number,
  to: number,
): Promise<void> {
  const parameters = { from: String(from), to: String(to) };
  await compareRead(context, { description: checkpointConsistency, parameters });
}

/** Compares leaf hashes from number `from` on and all levels above. Source: chain §12. */
export async function compareTiles(context: AuditContext, from: number): Promise<void> {
  const { size } = context.replica.head;
  if (from >= size) {
    return;
  }
  const show = context.progress("comparing tiles", size);
  for (let level = 0, width = 1; width <= size; level += 1, width *= TILE_WIDTH) {
    const count = Math.floor(size / width);
    const first = Math.floor(Math.floor(from / width) / TILE_WIDTH);
    for (let index = first; index * TILE_WIDTH < count; index += 1) {
      const name = { index, width: Math.min(TILE_WIDTH, count - index * TILE_WIDTH) };
      const parameters = { level: String(level), tile: tileNameText(name) };
      await compareRead(context, { description: tile, parameters });
      if (level === 0) {
        show(index * TILE_WIDTH + name.width);
      }
    }
  }
}

async function findingOf(context: AuditContext, read: DrawnRead): Promise<Finding | undefined> {
  const { client, replica, own } = context;
  const path = pathOf(read);
  const served = await client.whole(path).catch((thrown: unknown) => {
    if (thrown instanceof Declined) {
      return thrown;
    }
    throw thrown;
  });
  // Immutable responses may come from a cache, and a refusal names no block.
  const isOfHeight = !(served instanceof Declined) && read.description.cache !== "immutable";
  const height = isOfHeight ? heightOf(context, read, served) : replica.head.height;
  const times = timesOf(served);
  let first: Finding | undefined;
  let last = height;
  for (let at = height; at <= last; at += 1) {
    await followBlocks(context, at);
    for (const time of times) {
      const computed = await own.answer(read, time);
      const finding = await difference(context, read, served, computed, `block ${at}`);
      if (finding === undefined) {
        return undefined;
      }
      first ??= finding;
    }
    if (at === height) {
      const newest = await newestBlock(client);
      last = Math.min(height + BLOCKS_TRIED, newest.height);
    }
  }
  return first;
}

/** Possible Unix seconds of the response; 0 is the time of the newest block. */
function timesOf({ headers }: WholeAnswer | Declined): readonly number[] {
  const date = Date.parse(headers.get("date") ?? "") / 1000;
  return Number.isSafeInteger(date) ? [date, date - 1, date + 1, 0] : [0];
}

/** The newest of the copy for a response as of an earlier block. */
function heightOf({ replica }: AuditContext, read: DrawnRead, { headers }: WholeAnswer): number {
  const path = pathOf(read);
  const text = headers.get("ledger-height") ?? "";
  const { height: asked } = read.parameters;
  if (asked !== undefined) {
    if (text !== asked) {
      throw new Finding(`GET ${path}: Ledger-Height is ${shortened(text)}`);
    }
    return replica.head.height;
  }
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) {
    throw new Finding(`GET ${path}: Ledger-Height names no block: ${shortened(text)}`);
  }
  const height = Number(text);
  if (height < replica.head.height) {
    throw new Unreachable(
      `GET ${path}: the answer is of block ${height}, but the node has served block ${replica.head.height}`,
    );
  }
  return height;
}

async function difference(
  context: AuditContext,
  read: DrawnRead,
  served: WholeAnswer | Declined,
  computed: Answer | Refused,
  place: string,
): Promise<Finding | undefined> {
  const answer = `GET ${pathOf(read)}`;
  if (served instanceof Declined) {
    const isSame = computed instanceof Refused && computed.fault.code === served.code;
    const isNotKept = served.code === "6012" && read.parameters["height"] !== undefined;
    if (isSame || isNotKept) {
      return undefined;
    }
    const isOld =
      served.code === "6013" &&
      !(computed instanceof Refused) &&
      (await OldBlocks.of(context)).mayDecline(read, jsonIn(computed));
    return isOld ? undefined : served;
  }
  if (computed instanceof Refused) {
    return new Finding(`${place}: ${answer}: served, but must be refused: ${computed.fault.code}`);
  }
  const bytes = Buffer.from(computed.body);
  if (!computed.contentType.startsWith("application/json")) {
    const at = bytes.findIndex((byte, index) => byte !== served.bytes[index]);
    return Buffer.compare(bytes, served.bytes) === 0
      ? undefined
      : mismatch({
          place,
          answer,
          member: `from byte ${at === -1 ? bytes.length : at} on`,
          served: excerpt(served.bytes, at),
          computed: excerpt(bytes, at),
        });
  }
  const own = JSON.parse(bytes.toString()) as unknown;
  const theirs = parsedJson(answer, utf8Text(answer, served.bytes));
  const { checkpoint = "" } = { ...(theirs as { readonly checkpoint?: unknown } | null) };
  if (read.description === transactionProof && checkpoint !== "") {
    // The node's newest one, if the proof is for its tree.
    const { root, tree_size } = own as { readonly root: string; readonly tree_size: number };
    const note = typeof checkpoint === "string" ? checkpoint : "";
    await assertSigned(`${place}: ${answer}: checkpoint`, note, context.memory.state.keys);
    const [, size, noted] = note.split("\n");
    Object.assign(own as object, {
      checkpoint: size === String(tree_size) && noted === root ? note : "",
    });
  }
  const found = jsonDifference(theirs, own);
  if (found !== undefined && (await leavesOutOld(context, { read, theirs, own, computed }))) {
    return undefined;
  }
  return found && mismatch({ place, answer, member: found.path || "the answer", ...found });
}

function jsonIn({ contentType, body }: Answer): unknown {
  return contentType.startsWith("application/json")
    ? JSON.parse(Buffer.from(body).toString())
    : undefined;
}

async function leavesOutOld(
  context: AuditContext,
  {
    read,
    theirs,
    own,
    computed: { next },
  }: {
    readonly read: DrawnRead;
    readonly theirs: unknown;
    readonly own: unknown;
    readonly computed: Answer;
  },
): Promise<boolean> {
  if (Array.isArray(theirs) && Array.isArray(own)) {
    const old = await OldBlocks.of(context);
    return read.description === search
      ? old.mayNotFind(theirs, own)
      : STEPS.has(read.description) && old.mayLackSteps(theirs, own);
  }
  const itemsOf = (page: unknown): readonly unknown[] =>
    (page as { readonly items: readonly unknown[] } | undefined)?.items ?? [];
  const { isOfBlocks } = read.description as Partial<AnyListRead>;
  const { items, cursor }: Record<string, unknown> = { ...(theirs as object | null) };
  if (!Array.isArray(items)) {
    return false;
  }
  if (read.description === tokens) {
    return (
      jsonDifference({ ...(theirs as object), items: [] }, { ...(own as object), items: [] }) ===
        undefined && (await OldBlocks.of(context)).mayLackTrades(items, itemsOf(own))
    );
  }
  if (isOfBlocks !== true) {
    return false;
  }
  const old = await OldBlocks.of(context);
  // Each last page names the archive, also one that lacks nothing.
  const rest = { ...(theirs as object), archive: undefined };
  if (old.stated !== "" && cursor === undefined && jsonDifference(rest, own) === undefined) {
    return true;
  }
  const following =
    next && (await context.own.answer({ ...read, parameters: { ...read.parameters, ...next } }));
  const nextPage =
    following === undefined || following instanceof Refused ? undefined : jsonIn(following);
  return old.mayEnd({ items, cursor }, itemsOf(own), itemsOf(nextPage));
}

function excerpt(bytes: Uint8Array, at: number): string {
  return Buffer.from(bytes.subarray(Math.max(0, at), Math.max(0, at) + 32)).toString("hex");
}
