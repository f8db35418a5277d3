import { entryOf } from "@moneta/ledger";
import type { Address, RecordPart, TransactionRecord } from "@moneta/protocol";
import type { AuditContext } from "./audit-context.ts";
import { assertSame } from "./compare-blocks.ts";
import { Finding, shortened } from "./finding.ts";
import { followBlocks } from "./follow-blocks.ts";
import { Declined, parsedJson, Unreachable } from "./node-client.ts";
import { sampleOf } from "./sample.ts";

/** Entries of a history on one page. Source: chain §10. */
const PAGE = 100;
/** Maximum of entries in one answer. Source: accounts §9. */
const BALANCES_MAX = 10_000;
/**
 * An answer may reflect a block or two more than it says, because the node reads what is stored
 * before it learns that it is. So many are tried, so often.
 */
const BLOCKS_TRIED = 8;
const ATTEMPTS = 3;

/**
 * Compares balances and newest history of addresses with the copy, which it brings up to the blocks
 * that the answers reflect. The addresses are those of the newest transaction, and of a sample of
 * all: a node may lie about one that has long been idle. Each takes two requests, so the sample is
 * smaller than that of proofs. Source: accounts §9, chain §10.
 */
export async function compareAddresses(context: AuditContext, size: number): Promise<void> {
  const { replica, sample } = context;
  const addresses = new Set<Address>();
  for (const number of sampleOf(0, size, Math.ceil(sample / 4))) {
    const shown = replica.shown(replica.nameOf(number)) as unknown as TransactionRecord;
    const parts = [shown, ...shown.effects].filter(({ address }) => address !== "");
    // At most one of the many that a transaction may concern, besides its actor.
    for (const { address } of [...parts.slice(0, 1), ...parts.slice(-1)]) {
      addresses.add(address as Address);
    }
  }
  for (const address of addresses) {
    await compareAnswer(context, `/balance/${address}`, (served, place) =>
      compareBalances(context, address, served, place),
    );
    const path = `/address/${address}/transactions?limit=${PAGE}`;
    await compareAnswer(context, path, (served, place) =>
      compareHistory(context, address, served, place),
    );
  }
}

/** Where an answer is from: its block, and the request. */
type Place = readonly [block: string, answer: string];

/** Throws the finding of `compare` if the answer is not that of the block that it reflects. */
async function compareAnswer(
  context: AuditContext,
  path: string,
  compare: (served: unknown, place: Place) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { text, height } = await answerOf(context, path);
    const answer = `GET ${path}`;
    const served = parsedJson(answer, text);
    let last = height;
    for (let at = height; at <= last; at += 1) {
      await followBlocks(context, at);
      try {
        compare(served, [`block ${height}`, answer]);
        return;
      } catch (thrown) {
        if (!(thrown instanceof Finding)) {
          throw thrown;
        }
        const newest = at === height ? Number((await context.client.text("/block")).text) : last;
        last = Math.min(height + BLOCKS_TRIED, Number.isSafeInteger(newest) ? newest : height);
        if (at >= last && attempt === ATTEMPTS) {
          throw thrown;
        }
      }
    }
  }
}

async function answerOf(
  { client, replica }: AuditContext,
  path: string,
): Promise<{ readonly text: string; readonly height: number }> {
  let answer: Awaited<ReturnType<typeof client.text>>;
  try {
    answer = await client.text(path);
  } catch (thrown) {
    // The copy has the address, so the node must have it.
    throw thrown instanceof Declined ? new Finding(thrown.message) : thrown;
  }
  const { text, headers } = answer;
  const said = headers.get("ledger-height") ?? "";
  if (!/^(0|[1-9][0-9]{0,14})$/.test(said)) {
    throw new Finding(`GET ${path}: Ledger-Height names no block: ${shortened(said)}`);
  }
  const height = Number(said);
  if (height < replica.head.height) {
    throw new Unreachable(
      `GET ${path}: the answer is of block ${height}, but the node has served block ${replica.head.height}`,
    );
  }
  return { text, height };
}

/**
 * Compares balances with those at a time that the node's clock may show. The answer itself says
 * which locks are over by then: those that it does not show.
 */
function compareBalances(
  { replica }: AuditContext,
  address: Address,
  served: unknown,
  [place, answer]: Place,
): void {
  const reader = replica.read();
  const listAt = (at: number): ReturnType<typeof reader.balances.list> =>
    reader.balances.list({
      addressNumber: reader.state.address(address)?.number ?? -1,
      after: undefined,
      limit: BALANCES_MAX,
      at,
    });
  const { time } = reader.state;
  const { items, hasMore } = listAt(time);
  // As if all locks were over: then a page has the fewest tokens.
  if (hasMore || listAt(Number.MAX_SAFE_INTEGER).hasMore) {
    return;
  }
  const shown = new Set((Array.isArray(served) ? served : []).map(placeOfLock));
  const over = items.filter((lock) => lock.unlockdate > time && !shown.has(placeOfLock(lock)));
  const at = Math.max(time, ...over.map(({ unlockdate }) => unlockdate));
  assertSame(place, answer, served, listAt(at).items);
}

function placeOfLock(entry: unknown): string {
  const { token, unlockdate } = { ...(entry as Record<string, unknown> | null) };
  return JSON.stringify([token, unlockdate]);
}

/** Compares a page of a history, which may end early, with the newest of the copy. */
function compareHistory(
  { replica }: AuditContext,
  address: Address,
  served: unknown,
  [place, answer]: Place,
): void {
  const reader = replica.read();
  const everything = { types: undefined, token: undefined, from: 0, before: replica.head.size };
  let search = reader.history.search(reader.state.address(address)?.number ?? -1, everything, {
    after: undefined,
    limit: PAGE + 1,
  });
  // However many kinds of records others have given the address: nobody waits for a turn here.
  while (search.rest.length > 0) {
    search = reader.history.searchOn(search);
  }
  const due = reader.history.entries(search);
  const { items, cursor } = { ...(served as { items?: unknown; cursor?: unknown } | null) };
  if (!Array.isArray(items) || items.length > PAGE) {
    throw new Finding(`${place}: ${answer}: no page of a history: ${shortened(served)}`);
  }
  const count = cursor === undefined || items.length === 0 ? due.length : items.length;
  const computed = due.slice(0, count).map((number) => {
    const { transaction, record } = entryOf(number);
    const { effects, ...primary } = replica.shown(
      replica.nameOf(transaction),
    ) as unknown as TransactionRecord;
    return { ...primary, ...([primary, ...effects][record] as RecordPart) };
  });
  assertSame(
    place,
    answer,
    { items, hasMore: cursor !== undefined },
    {
      items: computed,
      hasMore: due.length > count,
    },
  );
}
