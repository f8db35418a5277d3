import {
  type AddressEntry,
  isFullOnly,
  KEY_SET,
  KEY_USE,
  keySetOf,
  type LedgerReader,
  PROTOCOL,
} from "@moneta/ledger";
import {
  type Address,
  addressByKey,
  addressRead,
  type BalanceCursor,
  type Block,
  type BlockName,
  balance,
  balanceOfToken,
  block,
  blockRaw,
  blocksRaw,
  blockText,
  checkpoint,
  checkpointConsistency,
  checkpointKey,
  entryBundle,
  events,
  getkey,
  groupRead,
  type Header,
  height,
  KeyProblem,
  NATIVE_COIN,
  nonce,
  OPERATIONS,
  orderBook,
  orderTrade,
  parsePublicKey,
  publicKeyText,
  Refused,
  refuse,
  restriction,
  search,
  service as serviceRead,
  TOTAL_STEPS,
  TOTAL_STEPS_MAX,
  type TokenId,
  type TotalStep,
  tile,
  token,
  tokenCandles,
  tokenImageRead,
  totalSupply,
  totals,
  transaction,
  transactionProof,
} from "@moneta/protocol";
import type { Service } from "../../service.ts";
import { transactionText } from "../../transaction-text.ts";
import { VERSION } from "../../version.ts";
import { type Answer, type ChunkedAnswer, json, jsonText, plain } from "../responses/answer.ts";
import { ENTRY_HANDLERS } from "./entries.ts";
import { streamEvents } from "./events.ts";
import { LIST_HANDLERS } from "./lists.ts";
import { showBook, showOrderTrade } from "./orders.ts";
import {
  showCheckpoint,
  showCheckpointKey,
  showConsistency,
  showEntryBundle,
  showTile,
  showTransactionProof,
} from "./proof-reads.ts";
import { handled, type ReadHandler, type Values } from "./read-handler.ts";
import { findAll } from "./search.ts";
import { sinceOfSteps } from "./steps.ts";
import { showCandles, showToken, showTokenImage, showTotalSupply } from "./tokens.ts";

export const READ_HANDLERS: ReadonlyMap<string, ReadHandler> = new Map<string, ReadHandler>([
  ...LIST_HANDLERS,
  ...ENTRY_HANDLERS,
  handled(serviceRead, showService),
  handled(addressRead, showAddress),
  handled(addressByKey, listAddressesOfKey),
  handled(nonce, (values, reader, service) => issueKeys({ ...values, kind: "" }, reader, service)),
  handled(getkey, issueKeys),
  handled(balance, listBalances),
  handled(balanceOfToken, listBalances),
  handled(height, (_values, reader) => plain(String(reader.height))),
  handled(block, showBlock),
  handled(blockRaw, showRawBlock),
  handled(blocksRaw, streamRawBlocks),
  handled(transaction, showTransaction),
  handled(groupRead, showGroup),
  handled(totals, listTotals),
  handled(search, findAll),
  handled(transactionProof, showTransactionProof),
  handled(checkpoint, showCheckpoint),
  handled(checkpointKey, showCheckpointKey),
  handled(checkpointConsistency, showConsistency),
  handled(tile, showTile),
  handled(entryBundle, showEntryBundle),
  handled(events, streamEvents),
  handled(token, showToken),
  handled(tokenImageRead, showTokenImage),
  handled(totalSupply, showTotalSupply),
  handled(tokenCandles, showCandles),
  handled(orderBook, showBook),
  handled(orderTrade, showOrderTrade),
]);

const PAGE_OF_BALANCES = 10_000;
const PAGE_OF_ADDRESSES = 1000;
export const PAGE_OF_RAW_BLOCKS = 100;
/** Where a page of raw blocks ends early. Source: chain §2. */
export const RAW_BYTES_MAX = 16 << 20;
const RAW_CHUNK_LENGTH = 256 << 10;

function showService(_values: unknown, reader: LedgerReader, service: Service): Answer {
  const coin = reader.state.token(NATIVE_COIN);
  const protocol = reader.state.find(PROTOCOL, "");
  return json({
    name: "Moneta",
    version: VERSION,
    interface: "2.1",
    deployment: service.settings.deployment,
    verifier: service.verifier,
    ledger: service.ledgerName,
    ledger_id: service.ledgerId,
    height: reader.height,
    ...(reader.firstKept > 1 ? { first_block: reader.firstKept } : {}),
    ...(service.archive?.url === undefined ? {} : { archive: service.archive.url }),
    // No other read shows an announced version. Source: chain §7.
    protocol: protocol && {
      version: protocol.version,
      next: protocol.next,
      height: protocol.height,
      operator: protocol.operator,
    },
    coin: coin && {
      token: coin.id,
      name: coin.name,
      symbol: coin.symbol,
      decimal: coin.decimal,
      totalsupply: String(coin.totalsupply),
    },
    ...(service.checkpoints === undefined
      ? {}
      : { checkpoint_keys: service.checkpoints.verifierKeys }),
    ...(service.faucet === undefined ? {} : { faucet: "POST /faucet" }),
    passkey_rpid: service.settings["passkey-rpid"],
    passkey_origins: service.settings["passkey-origins"],
    documentation: "/docs",
    openapi: "/openapi.json",
  });
}

/** Source: accounts §5. */
function showAddress(
  { address, view }: Values<typeof addressRead>,
  reader: LedgerReader,
): Answer | Refused {
  const entry = knownAddress(reader, address, 404);
  if (entry instanceof Refused) {
    return entry;
  }
  const page = reader.balances.list({
    addressNumber: entry.number,
    after: undefined,
    limit: PAGE_OF_BALANCES,
    at: reader.state.time,
  });
  return json({
    address,
    createdate: entry.createdate,
    balance: page.items,
    ...(view === "full" ? ownersOf(entry, reader) : {}),
  });
}

/** Source: accounts §5, authority §1.7. */
function ownersOf(entry: AddressEntry, { state }: LedgerReader): object {
  const keySet = keySetOf(state, entry.address);
  return {
    addinfo: entry.addinfo,
    publickey: publicKeyText(keySet.keys[0]?.publickey ?? entry.publickey),
    signed: isFullOnly(state, entry) ? "full" : entry.signed,
    keyset: KEY_SET.jsonWithDefaults?.(keySet),
  };
}

/** Source: accounts §6. */
function listAddressesOfKey(
  { publickey, limit, after }: Values<typeof addressByKey>,
  reader: LedgerReader,
): Answer | Refused {
  const refuseKey = (reason: string): Refused =>
    refuse({ code: "3090", parameter: "publickey", reason, status: 404 });
  const key = parsePublicKey(publickey);
  if (key instanceof KeyProblem) {
    return refuseKey(`publickey has no address: ${key.reason}`);
  }
  const most = limit ?? PAGE_OF_ADDRESSES;
  const first = reader.addresses.withKey(key.body, -1, 1);
  if (first.addresses.length === 0 && first.last === undefined) {
    return refuseKey("publickey has no address on this ledger: POST /address creates one.");
  }
  let afterNumber = -1;
  if (after !== undefined) {
    const entry = reader.state.address(after);
    const isOfKey =
      entry?.publickey === key.body ||
      reader.state.find(KEY_USE, `${after}/${key.body}`) !== undefined;
    if (entry === undefined || !isOfKey) {
      return refuse({ code: "3090", parameter: "after", address: after, status: 404 });
    }
    afterNumber = entry.number;
  }
  const { addresses, last } = reader.addresses.withKey(key.body, afterNumber, most);
  return { ...json(addresses), ...(last === undefined ? {} : { next: { after: last } }) };
}

const OPERATION_NAMES: ReadonlySet<string> = new Set(OPERATIONS.map(({ name }) => name));

/** Source: batches §2.4. */
function showGroup({ id }: Values<typeof groupRead>, reader: LedgerReader): Answer | Refused {
  const ids = reader.groupTransactions(id);
  if (ids === undefined) {
    reader.assertNotOlder({ parameter: "id", given: id });
    return refuse({ code: "6009", given: id });
  }
  return json(ids);
}

interface AskedKeys {
  readonly address: Address;
  readonly kind: string;
  readonly count: number | undefined;
  readonly valid: number | undefined;
}

/** Source: accounts §7, cluster §4. */
function issueKeys(
  asked: AskedKeys,
  reader: LedgerReader,
  service: Service,
): Answer | Refused | Promise<Answer | Refused> {
  if (service.log === undefined || reader.state.addressNumber(asked.address) !== undefined) {
    return keysOf(asked, reader, service);
  }
  // Another node may have made the address just now.
  return service.admission
    .reachLog()
    .then((late) =>
      late === undefined ? keysOf(asked, service.readingNewest(), service) : refuse(late),
    );
}

function keysOf(
  { address, kind, count, valid: seconds }: AskedKeys,
  reader: LedgerReader,
  { keys, settings }: Service,
): Answer | Refused {
  const max = settings["temporary-key-seconds-max"];
  if (seconds !== undefined && seconds > max) {
    const wanted = `an integer from 1 to ${max}: decimal digits without sign or leading zero`;
    return refuse({ code: "1101", parameter: "valid", given: String(seconds), wanted });
  }
  const entry = knownAddress(reader, address, 400);
  if (entry instanceof Refused) {
    return entry;
  }
  const restrictedTo = restriction(kind, OPERATION_NAMES);
  const { time } = reader.state;
  const issue = (): string => keys.issue(entry.number, time, { restrictedTo, seconds });
  return count === undefined ? plain(issue()) : json(Array.from({ length: count }, issue));
}

/** Source: accounts §9. */
function listBalances(
  {
    address,
    token,
    limit = PAGE_OF_BALANCES,
    after,
    height,
    at,
  }: {
    address: Address;
    token?: TokenId;
    limit: number | undefined;
    after: BalanceCursor | undefined;
    height: number | undefined;
    at: number | undefined;
  },
  reader: LedgerReader,
): Answer | Refused {
  const entry = knownAddress(reader, address, 404);
  if (entry instanceof Refused) {
    return entry;
  }
  if (token !== undefined && reader.state.token(token) === undefined) {
    return refuse({ code: "4001", parameter: "token", token });
  }
  const page = reader.balances.list({
    addressNumber: entry.number,
    ...(token === undefined ? {} : { token }),
    after,
    limit,
    at: reader.state.time,
  });
  const last = page.items.at(-1);
  const behind = page.next ?? (last && { token: last.token, unlockDate: last.unlockdate });
  if (!page.hasMore || behind === undefined) {
    return json(page.items);
  }
  const path = `/balance/${address}${token === undefined ? "" : `/${token}`}`;
  const next = { after: `${behind.token}:${behind.unlockDate}` };
  const past = Object.entries({ height, at })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `&${name}=${value}`);
  const link = `<${path}?limit=${limit}&after=${next.after}${past.join("")}>; rel="next"`;
  return { ...json(page.items, { Link: link }), next };
}

/** Source: chain §2. */
function showBlock({ block: name }: Values<typeof block>, reader: LedgerReader): Answer | Refused {
  const found = reader.block(name);
  if (found === undefined) {
    return unknownBlock(name, reader);
  }
  return blockAnswer(found, reader.transactionIds(found));
}

export function blockAnswer(
  {
    header: { sn, timestamp },
    id,
  }: { readonly header: Pick<Header, "sn" | "timestamp">; readonly id: string },
  transactions: readonly string[],
): Answer {
  const transaction = transactions.map((each) => ({ id: each, timestamp }));
  return json({ sn, id, timestamp, transaction });
}

/** Source: chain §2. */
function showRawBlock(
  { block: name }: Values<typeof block>,
  reader: LedgerReader,
): Answer | Refused {
  const found = reader.block(name);
  const stored = found && reader.log.block(found.header.sn);
  if (stored === undefined) {
    return unknownBlock(name, reader);
  }
  return jsonText(blockText(stored));
}

/** With all types in each step, some 10 ms. */
const TOTAL_STEPS_PER_TURN = 180;

/** Source: explorer §5. */
function listTotals(
  values: Values<typeof totals>,
  reader: LedgerReader,
  _service: Service,
  { later }: Parameters<ReadHandler>[3],
): Answer | Refused | Promise<Answer> {
  const { step, until = reader.state.time } = values;
  if (step === "day") {
    return jsonText(`[${reader.totals.day(until)}]`);
  }
  const seconds = TOTAL_STEPS[step];
  const since = sinceOfSteps({ ...values, until, seconds, stepsMax: TOTAL_STEPS_MAX });
  if (since instanceof Refused) {
    return since;
  }
  // Earlier parts are complete, whatever blocks follow.
  const span = TOTAL_STEPS_PER_TURN * seconds;
  const newest = Math.max(since, Math.min(until, reader.newest.header.timestamp) - span + 1);
  const part = reader.totals.list(step, newest, until);
  return newest === since
    ? jsonText(`[${part.join(",")}]`)
    : withEarlierTotals({ part, step, since, before: newest, span }, later);
}

/** `span` seconds in each turn. */
async function withEarlierTotals(
  {
    part,
    step,
    since,
    before,
    span,
  }: {
    readonly part: readonly string[];
    readonly step: TotalStep;
    readonly since: number;
    readonly before: number;
    readonly span: number;
  },
  later: Parameters<ReadHandler>[3]["later"],
): Promise<Answer> {
  const parts = [part];
  for (let end = before; end > since; end -= span) {
    const from = Math.max(since, end - span);
    parts.unshift(await later(({ totals }) => totals.list(step, from, end - 1)));
  }
  return jsonText(`[${parts.flat().join(",")}]`);
}

/** Source: chain §2. */
function streamRawBlocks(
  { from = 0, limit = PAGE_OF_RAW_BLOCKS }: Values<typeof blocksRaw>,
  reader: LedgerReader,
  service: Service,
): ChunkedAnswer {
  const end = Math.min(from + limit, reader.height + 1);
  if (end > 1) {
    reader.assertKept(Math.max(from, 1));
  }
  return { contentType: "application/x-ndjson", chunks: rawLines(from, end, service) };
}

/** A slow client keeps one chunk in memory, and others are handled between. */
export async function* rawLines(
  from: number,
  end: number,
  { reading }: Service,
  before = 0,
): AsyncGenerator<string> {
  let chunk = "";
  let bytes = before;
  for (let height = from; height < end; height += 1) {
    const line = `${blockText(reading().log.block(height) as Block)}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes > RAW_BYTES_MAX && (height > from || before > 0)) {
      break;
    }
    chunk += line;
    if (chunk.length >= RAW_CHUNK_LENGTH) {
      yield chunk;
      chunk = "";
    }
  }
  yield chunk;
}

function unknownBlock(name: BlockName, reader: LedgerReader): Refused {
  if ("id" in name) {
    reader.assertNotOlder({ parameter: "block", given: name.id });
  }
  return refuse({ code: "6001", given: "height" in name ? String(name.height) : name.id });
}

/** Source: chain §3. */
function showTransaction(
  { transaction_id: name }: Values<typeof transaction>,
  reader: LedgerReader,
): Answer | Refused {
  const found = reader.transaction(name);
  if (found === undefined) {
    return refuse({ code: "6008", given: name.id });
  }
  return jsonText(transactionText(name.id, found.block, found.transaction.record));
}

function knownAddress(
  reader: LedgerReader,
  address: Address,
  status: 400 | 404,
): AddressEntry | Refused {
  return (
    reader.state.address(address) ?? refuse({ code: "3090", parameter: "address", address, status })
  );
}
