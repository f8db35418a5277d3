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
import { inDecimals } from "../../parts/problem.tsx";
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
const KEPT_MAX = 50;
const PROOF_ATTEMPTS = 5;

/** Before anything was written. Source: conventions §3. */
const NOT_NOW: ReadonlySet<string> = new Set(["9001", "9002", "9003"]);
/** Something may have been written. Source: conventions §3. */
const UNCLEAR: ReadonlySet<string> = new Set(["9408", "9500"]);
/** Not issued to this actor, expired, or used. Source: conventions §3. */
export const OF_KEY: ReadonlySet<string> = new Set(["2020", "2021"]);
const KEY_NAMES = ["tkey", "checkkey", "Temporarykey", "fromTkey", "toTkey"];

/** Undefined unless it is a bundle, whose key the actor takes next. */
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

type Sent = "new" | "perhaps sent";

const known = signal<readonly Write[]>([]);
/** This tab sends them, perhaps once another one is closed. */
const followed = new Set<string>();
/** Keys of refused writes by address, for the next write. */
const unused = new Map<string, string>();
/** Outcomes that could not be stored. */
const unstored = new Map<string, Write>();

/** At this ledger, newest first. */
export const writes: ReadonlySignal<readonly Write[]> = computed(() =>
  known.value.filter(({ ledgerId }) => ledgerId === service.value?.ledger_id),
);

/**
 * Signs an operation, stores it, and sends it until its outcome is known, also after a reload.
 * Returns its id; undefined if other keys have to sign: then it is in `proposed`. Throws if it
 * could not be signed or stored; nothing was sent then. Source: explorer §3.
 */
export async function submit(order: {
  readonly account: OpenAccount;
  readonly operation: string;
  readonly request: object;
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

/** For a fully signed proposal; follows one of its operations. Source: batches §2. */
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

/** Stores a signed write, then begins to send it. Throws as `submit`. */
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
  // Another tab waits for this one: only this one can see that it was never sent.
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

/** Continues with those without outcome or proof. */
export async function loadWrites(): Promise<void> {
  try {
    await readWrites();
  } catch {
    return; // the accounts are missing too, and the page shows why
  }
  onChangeElsewhere(() => void readWrites().then(followAll));
  await followAll();
}

/** Continues as soon as the tab that sends a write is closed. */
async function followAll(): Promise<void> {
  // A node of this ledger would refuse those of others.
  const { ledger_id } = await serviceKnown();
  for (const { id, ledgerId, prepared } of known.value) {
    if (prepared !== undefined && ledgerId === ledger_id && !followed.has(id)) {
      void follow(id, "perhaps sent");
    }
  }
}

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

/** Also drops the oldest settled writes; durably: sent writes must survive a power cut. */
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

/** In this tab alone if it cannot be stored. */
async function keep(write: Write): Promise<void> {
  show(write);
  try {
    await store(write);
    unstored.delete(write.id);
  } catch {
    // The next visit repeats the request, and gets the same response.
    unstored.set(write.id, write);
  }
}

/**
 * Sends a write in one tab until its outcome is known; another continues if it is closed. Does
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

/** Checks the proof, and drops the signed request. */
async function settle(write: Write, prepared: PreparedWrite): Promise<void> {
  const state = isDone(write) ? await checked(write.state, prepared) : write.state;
  if (state !== undefined) {
    const { proposal: _, ...settled } = write;
    await keep({ ...settled, state, prepared: undefined });
  }
}

/** The state after one more attempt with the same signed request. */
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
    const { code, parameter } = error;
    const message = inDecimals(error);
    if (NOT_NOW.has(code)) {
      return state;
    }
    const refused = { code, message, parameter };
    if (OF_KEY.has(code)) {
      // Another signer's key may have served: then nothing of the proposal was done.
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
 * Keeps a refused write's key for the user's next one: a node that falsely reports the refusal can
 * do only one of them. Source: conventions §3, §5.2.
 */
export function keepUnused({ actor, params }: Pick<PreparedWrite, "actor" | "params">): void {
  const [key] = keysOf(params);
  if (key !== undefined) {
    unused.set(actor, key);
  }
}

/** An unused key, or a new one. Throws as `moneta.nonce`. */
export async function keyForBundle(address: string): Promise<string> {
  return takeUnused(address) ?? String(await moneta.nonce({ address }));
}

/** The key of a refused write or a forecast; null if there is none. */
export function takeUnused(address: string): string | null {
  const key = unused.get(address);
  unused.delete(address);
  return key !== undefined && expiresAt(key) > moneta.clock.now() ? key : null;
}

/**
 * The outcome of a write whose key serves no more; undefined if it is not known. A read after the
 * refusal reflects it at any node. A lying node could still do what its history omits, and the
 * reader would sign it again: only the key's expiry rules that out.
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

/** Of the first key, Unix seconds: nothing is done afterwards. */
function expiryOf({ params }: PreparedWrite, proposal: Write["proposal"]): number {
  const operations = proposal?.operations ?? [params];
  return Math.min(...operations.flatMap(keysOf).map(expiresAt));
}

/** A bundle has its key in the body. */
function keysOf(params: Readonly<Record<string, unknown>>): readonly string[] {
  const named = typeof params["body"] === "string" ? JSON.parse(params["body"]) : params;
  return KEY_NAMES.flatMap((name) => named[name] ?? []);
}

function doneAs(transactionId: string, result: Readonly<Record<string, unknown>>): DoneState {
  const height = Number.parseInt(transactionId.slice(0, 16), 16);
  return { is: "done", transactionId, height, result, proof: "unchecked" };
}

/** Compares the ledger with what was signed; undefined if the node does not respond. */
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
      // Not responding, or not caught up.
    }
    await pause(FIRST_PAUSE_MS * 2 ** attempt);
  }
  return undefined;
}

/** For the proof and for the growth since an earlier visit. */
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

/** Without retries of its own: each attempt is one request. */
export function clientFor({ ledgerId }: Pick<PreparedWrite, "ledgerId">): Moneta {
  return new Moneta(NODE_URL, { ledgerId, retries: 0 });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
