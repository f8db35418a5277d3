import {
  type Actor,
  type BundledOperation,
  expiresAt,
  isTransactionOf,
  type KeySet,
  Moneta,
  type PreparedWrite,
  ProblemError,
  type Proposal,
  type SentBundle,
  type SentWrite,
  signTogether,
} from "@moneta/sdk";
import type { ProofReport } from "@moneta/sdk/proof";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { moneta, NODE_URL } from "../../ledger/node.ts";
import { service, serviceKnown } from "../../ledger/service.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { actorOf, signerOf } from "../accounts/accounts.ts";
import { database, onChangeElsewhere, stored, tellOtherTabs } from "../database.ts";
import {
  CHANGE_OF_KEYS,
  knownKeySet,
  needsOthers,
  placeOf,
  readKeySet,
  signedOnce,
} from "../keys/key-sets.ts";
import {
  type BundleRequest,
  type DoneState,
  isDone,
  type Refusal,
  type SendingState,
  type Write,
  type WriteState,
} from "./write.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** So many settled writes stay in the list. */
const KEPT_MAX = 50;
const PROOF_ATTEMPTS = 5;

/** Refused for now, before anything was written. Source: conventions §3. */
const NOT_NOW: ReadonlySet<string> = new Set(["9001", "9002", "9003"]);
/** Refused without saying whether anything was written. Source: conventions §3. */
const UNCLEAR: ReadonlySet<string> = new Set(["9408", "9500"]);
/** The key was not issued to this actor or has expired; it has served. Source: conventions §3. */
export const OF_KEY: ReadonlySet<string> = new Set(["2020", "2021"]);
/** The operations' parameters of temporary keys. */
const KEY_NAMES = ["tkey", "checkkey", "Temporarykey", "fromTkey", "toTkey"];

/** The operations of an order that is a bundle, whose key the actor takes next; else undefined. */
export function bundledBy(
  actor: Actor,
  { operation, request }: { readonly operation: string; readonly request: object },
): readonly BundledOperation[] | undefined {
  if (operation !== "bundle") {
    return undefined;
  }
  const { tkey, operations } = request as BundleRequest;
  actor.keepKey(tkey);
  return operations;
}

/** Whether an earlier page may have sent it. */
type Sent = "new" | "perhaps sent";

const known = signal<readonly Write[]>([]);
/** Writes that this tab sends, or will send once another tab is closed. */
const followed = new Set<string>();
/** Temporary keys of refused writes, by address: the next write takes them. */
const unused = new Map<string, string>();
/** Outcomes of writes in this tab that could not be stored: full or broken storage. */
const unstored = new Map<string, Write>();

/** The writes of this browser at this ledger, newest first. */
export const writes: ReadonlySignal<readonly Write[]> = computed(() =>
  known.value.filter(({ ledgerId }) => ledgerId === service.value?.ledger_id),
);

/**
 * Signs an operation, stores the signed request, and sends it until its outcome is known, also after
 * a reload. Returns its id in `writes`; undefined if other keys have to sign it, too: then it is in
 * `proposed`. Throws if it could not be signed or stored, and then nothing was sent. Source: explorer §3.
 */
export async function submit(order: {
  readonly account: OpenAccount;
  readonly operation: string;
  readonly request: object;
  /** Its effect, in the reader's words, for the list of writes. */
  readonly title: string;
}): Promise<string | undefined> {
  const { account, operation, request, title } = order;
  const keySet = knownKeySet(account.address) ?? (await readKeySet(account.address));
  if (needsOthers(account, keySet, order)) {
    await (await import("../swap/sign-proposal.ts")).proposeWrite(order);
    return undefined;
  }
  const sign = signedOnce(await signerOf(account));
  const actor = await actorOf(account, sign);
  actor.keepKey(takeUnused(account.address));
  const proof =
    operation === CHANGE_OF_KEYS
      ? { proof: signTogether([[placeOf(account, request as KeySet), sign]]) }
      : {};
  const bundled = bundledBy(actor, order);
  const prepared =
    bundled === undefined
      ? await actor.prepare(operation, { ...request, ...proof })
      : await actor.prepareBundle(bundled);
  return await submitPrepared({ account, prepared, title });
}

/**
 * Has a proposal done, which all have signed, in the same way: followed by one of its operations,
 * that of the account if it has one. Source: batches §2.
 */
export async function submitProposal(order: {
  readonly account: OpenAccount;
  readonly proposal: Proposal;
  readonly title: string;
}): Promise<string> {
  const { account, proposal, title } = order;
  const { operations, ledgerId } = proposal;
  const followed =
    operations.find(({ signers }) => signers.includes(account.address)) ?? operations[0];
  const [signature] = Object.values(followed?.signatures ?? {});
  if (followed === undefined || signature === undefined) {
    throw new Error("a signature of the proposal is missing");
  }
  const { operation, params, signatures } = followed;
  const [actor = "", ...others] = followed.signers;
  const preparedAt = Math.floor(moneta.clock.now());
  const prepared = { operation, actor, params, signature, ledgerId, preparedAt };
  return operations.length === 1 && others.length === 0
    ? await submitPrepared({ account, prepared: { ...prepared, ...signatures }, title })
    : await submitPrepared({ account, prepared, title, proposal: proposal.toJSON() });
}

/** Stores a signed write, and begins to send it. Returns its id in `writes`; throws as `submit`. */
async function submitPrepared({
  account,
  prepared,
  ...about
}: Pick<Write, "title" | "proposal"> & {
  readonly account: OpenAccount;
  readonly prepared: PreparedWrite;
}): Promise<string> {
  const write: Write = {
    ...about,
    id: crypto.randomUUID(),
    ledgerId: account.ledgerId,
    address: account.address,
    operation: prepared.operation,
    prepared,
    state: { is: "sending", attempts: 0 },
    createdAt: prepared.preparedAt,
  };
  // Another tab that finds it waits for this one, which alone knows that it was never sent.
  await new Promise<void>((resolve, reject) => {
    const first = async (): Promise<void> => {
      await stored(store(write));
      show(write);
      resolve();
    };
    follow(write.id, "new", first).catch(reject);
  });
  return write.id;
}

/** Reads the writes, and continues with those whose outcome or proof is not known. */
export async function loadWrites(): Promise<void> {
  try {
    await readWrites();
  } catch {
    return; // the accounts are missing too, and the page shows why
  }
  onChangeElsewhere(() => void readWrites().then(followAll));
  await followAll();
}

/** Continues with all writes as soon as the tab that sends them is closed. */
async function followAll(): Promise<void> {
  // Those of other ledgers wait: a node of this one would refuse them.
  const { ledger_id } = await serviceKnown();
  for (const { id, ledgerId, prepared } of known.value) {
    if (prepared !== undefined && ledgerId === ledger_id && !followed.has(id)) {
      void follow(id, "perhaps sent");
    }
  }
}

/** Removes a write with a known outcome from the list. */
export async function dismiss(id: string): Promise<void> {
  const db = await database();
  const write = await db.get("writes", id);
  if (write !== undefined && write.state.is !== "sending") {
    await db.delete("writes", id);
    tellOtherTabs();
    await readWrites();
  }
}

async function readWrites(): Promise<void> {
  const all = await (await database()).getAll("writes");
  known.value = newestFirst(all.map((write) => unstored.get(write.id) ?? write));
}

function newestFirst(all: readonly Write[]): readonly Write[] {
  return all.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

function show(write: Write): void {
  known.value = newestFirst([...known.value.filter(({ id }) => id !== write.id), write]);
}

/**
 * Stores a write and drops the oldest settled ones, all of it or nothing, and durably: sent writes
 * must survive a power cut.
 */
async function store(write: Write): Promise<void> {
  const settled = known.value.filter(({ prepared }) => prepared === undefined);
  const { store: kept, done } = (await database()).transaction("writes", "readwrite", {
    durability: "strict",
  });
  await Promise.all([
    kept.put(write),
    ...settled.slice(KEPT_MAX).map(({ id }) => kept.delete(id)),
    done,
  ]);
  tellOtherTabs();
}

/** Keeps the outcome of a write; in this tab alone if it cannot be stored. */
async function keep(write: Write): Promise<void> {
  show(write);
  try {
    await store(write);
    unstored.delete(write.id);
  } catch {
    // The next visit repeats the stored request, and gets the same response.
    unstored.set(write.id, write);
  }
}

/**
 * Sends a write until its outcome is known, in one tab; another continues if that one is closed.
 * Does
 * `first` before, and rejects as that does.
 */
async function follow(id: string, was: Sent, first?: () => Promise<void>): Promise<void> {
  followed.add(id);
  await navigator.locks.request(`moneta write ${id}`, async () => {
    await first?.();
    let write = await (await database()).get("writes", id);
    for (let attempt = 0; write?.prepared !== undefined; attempt += 1) {
      if (write.state.is !== "sending") {
        await settle(write, write.prepared);
        return;
      }
      if (attempt > 0) {
        await pause(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS));
      }
      write = { ...write, state: await send(write, write.prepared, { state: write.state, was }) };
      await keep(write);
    }
  });
}

/** Checks the proof of what was done, and drops the signed request. */
async function settle(write: Write, prepared: PreparedWrite): Promise<void> {
  const state = isDone(write) ? await checked(write.state, prepared) : write.state;
  if (state !== undefined) {
    const { proposal: _, ...settled } = write;
    await keep({ ...settled, state, prepared: undefined });
  }
}

/** What is known after one more attempt with the same signed request. */
async function send(
  { proposal }: Write,
  prepared: PreparedWrite,
  { state, was }: { readonly state: SendingState; readonly was: Sent },
): Promise<WriteState> {
  const { attempts, refusal, keyRefusal } = state;
  const client = clientFor(prepared);
  try {
    const { transaction_id, ...result } = await (proposal === undefined
      ? client.send<SentWrite>(prepared)
      : (await import("../swap/send-proposal.ts")).sendProposal(client, proposal, prepared));
    const { results } = result as Partial<SentBundle>;
    return doneAs(transaction_id, results === undefined ? result : Object.assign({}, ...results));
  } catch (error) {
    if (!(error instanceof ProblemError) || UNCLEAR.has(error.code)) {
      return { ...state, attempts: attempts + 1 };
    }
    const { code, message, parameter } = error;
    if (NOT_NOW.has(code)) {
      return state;
    }
    const refused = { code, message, parameter };
    if (OF_KEY.has(code)) {
      // Of a proposal, another one's key may have served: nothing of it was done, for that reason.
      const reason = refusal ?? (proposal === undefined ? undefined : refused);
      const found = await lookFor(prepared, { client, proposal, reason });
      return found ?? { ...state, keyRefusal: refused };
    }
    // The ledger has not used the key: an earlier attempt that arrives now may still be done.
    if (was !== "new" || attempts > 0 || keyRefusal !== undefined) {
      return { ...state, refusal: refused };
    }
    if (proposal === undefined) {
      keepUnused(prepared);
    }
    return { is: "refused", ...refused };
  }
}

/**
 * Keeps the key of a refused write for the one that its user signs instead: a node that only says
 * that it was refused can then do one of them and not both. Source: conventions §3, §5.2.
 */
export function keepUnused({ actor, params }: Pick<PreparedWrite, "actor" | "params">): void {
  const [key] = keysOf(params);
  if (key !== undefined) {
    unused.set(actor, key);
  }
}

/** A temporary key for a bundle of an address: an unused one, or a new one. Throws as `moneta.nonce`. */
export async function keyForBundle(address: string): Promise<string> {
  return takeUnused(address) ?? String(await moneta.nonce({ address }));
}

/** The key of a refused write or of a forecast, for the next write of an address; null if there is none. */
export function takeUnused(address: string): string | null {
  const key = unused.get(address);
  unused.delete(address);
  return key !== undefined && expiresAt(key) > moneta.clock.now() ? key : null;
}

/**
 * The outcome of a write whose key serves nothing any more, as a node says to the client that it has
 * refused: what that reads reflects all that the refusal did, at any node. Undefined if it is not
 * known. A node that lies could still do what is not in the history it shows, and the reader would
 * sign it a second time: only the key's expiry rules that out.
 */
async function lookFor(
  prepared: PreparedWrite,
  {
    client,
    proposal,
    reason,
  }: {
    readonly client: Moneta;
    readonly proposal: Write["proposal"];
    readonly reason: Refusal | undefined;
  },
): Promise<WriteState | undefined> {
  const isOver = moneta.clock.hasPassed(expiryOf(prepared, proposal)); // before the history is read
  try {
    const found = await client.findSent(prepared);
    if (found !== undefined) {
      return doneAs(found.transaction_id, {});
    }
  } catch {
    return undefined;
  }
  return !isOver
    ? undefined
    : reason !== undefined
      ? { is: "refused", ...reason }
      : { is: "expired" };
}

/** When the first of its temporary keys expires, Unix seconds: nothing of it is done afterwards. */
function expiryOf({ params }: PreparedWrite, proposal: Write["proposal"]): number {
  const operations = proposal?.operations ?? [params];
  return Math.min(...operations.flatMap(keysOf).map(expiresAt));
}

/** The temporary keys of an operation; that of a bundle stands in its body. */
function keysOf(params: Readonly<Record<string, unknown>>): readonly string[] {
  const named = typeof params["body"] === "string" ? JSON.parse(params["body"]) : params;
  return KEY_NAMES.flatMap((name) => named[name] ?? []);
}

function doneAs(transactionId: string, result: Readonly<Record<string, unknown>>): DoneState {
  const height = Number.parseInt(transactionId.slice(0, 16), 16);
  return { is: "done", transactionId, height, result, proof: "unchecked" };
}

/** Checks that what is in the ledger is what was signed; undefined if the node does not answer. */
async function checked(state: DoneState, prepared: PreparedWrite): Promise<DoneState | undefined> {
  const { checkProof } = await import("../../explorer/proof/check-proof.ts");
  for (let attempt = 0; attempt < PROOF_ATTEMPTS; attempt += 1) {
    try {
      const transaction = await moneta.transaction({ transaction_id: state.transactionId });
      const { ledgerId, report, growth } = await checkProof({ transaction }, {});
      if (ledgerId === prepared.ledgerId) {
        const isOurs = await isTransactionOf(prepared, transaction);
        return { ...state, proof: isOurs ? verdictOf(report, growth) : "wrong" };
      }
    } catch {
      // The node does not answer, or has not caught up.
    }
    await pause(FIRST_PAUSE_MS * 2 ** attempt);
  }
  return undefined;
}

/** One word for the proof and for the growth of the ledger since an earlier visit. */
function verdictOf(report: ProofReport, growth: ProofReport | undefined): DoneState["proof"] {
  const reports = growth === undefined ? [report] : [report, growth];
  const failed = reports.flatMap(({ checks }) => checks.filter(({ result }) => result === "fails"));
  return failed.length === 0
    ? report.verdict === "verified"
      ? "verified"
      : "unsigned"
    : failed.every(({ name }) => name === "key")
      ? "otherKey"
      : "wrong";
}

/** A client without retries of its own: each attempt is one request. */
export function clientFor({ ledgerId }: Pick<PreparedWrite, "ledgerId">): Moneta {
  return new Moneta(NODE_URL, { ledgerId, retries: 0 });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
