import { isTransactionOf, Moneta, type PreparedWrite, ProblemError } from "@moneta/sdk";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { NODE_URL } from "../../ledger/node.ts";
import { service, serviceKnown } from "../../ledger/service.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { actorOf } from "../accounts/accounts.ts";
import { database, onChangeElsewhere, tellOtherTabs } from "../database.ts";
import { type DoneState, isDone, type Write, type WriteState } from "./write.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** So many settled writes stay in the list. */
const KEPT_MAX = 50;
const PROOF_ATTEMPTS = 5;

/** Refused for now, before anything was written, or without saying whether. Source: conventions §3. */
const COME_BACK: ReadonlySet<string> = new Set(["9001", "9002", "9003", "9408", "9500"]);

const stored = signal<readonly Write[]>([]);

/** The writes of this browser at this ledger, newest first. */
export const writes: ReadonlySignal<readonly Write[]> = computed(() =>
  stored.value.filter(({ ledgerId }) => ledgerId === service.value?.ledger_id),
);

/**
 * Signs an operation, stores the signed request, and sends it until its outcome is known, also after
 * a reload. Returns its id in `writes`; throws if it could not be signed, and then nothing was sent.
 * Source: explorer §3.
 */
export async function submit(order: {
  readonly account: OpenAccount;
  readonly operation: string;
  readonly request: object;
  /** What it does, in the reader's words, for the list of writes. */
  readonly title: string;
}): Promise<string> {
  const { account, operation, request, title } = order;
  const prepared = await (await actorOf(account)).prepare(operation, request);
  const write: Write = {
    id: crypto.randomUUID(),
    ledgerId: account.ledgerId,
    address: account.address,
    title,
    operation,
    prepared,
    state: { is: "sending", attempts: 0 },
    createdAt: prepared.preparedAt,
  };
  await put(write);
  void follow(write.id);
  return write.id;
}

/** Reads the writes, and goes on with those whose outcome or proof is not known. */
export async function loadWrites(): Promise<void> {
  await readWrites();
  onChangeElsewhere(() => void readWrites());
  // Those of other ledgers wait: a node of this one would refuse them.
  const { ledger_id } = await serviceKnown();
  for (const { id, ledgerId, prepared } of stored.value) {
    if (prepared !== undefined && ledgerId === ledger_id) {
      void follow(id);
    }
  }
}

/** Takes a write whose outcome is known out of the list. */
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
  stored.value = all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

async function put(write: Write): Promise<void> {
  const db = await database();
  await db.put("writes", write);
  const settled = stored.value.filter(({ prepared }) => prepared === undefined);
  for (const { id } of settled.slice(KEPT_MAX)) {
    await db.delete("writes", id);
  }
  tellOtherTabs();
  await readWrites();
}

/** Sends a write until its outcome is known, in one tab; another goes on if that one is closed. */
async function follow(id: string): Promise<void> {
  await navigator.locks.request(`moneta write ${id}`, async () => {
    for (let attempt = 0; ; attempt += 1) {
      const write = await (await database()).get("writes", id);
      if (write?.prepared === undefined) {
        return;
      }
      if (isDone(write)) {
        await put({
          ...write,
          state: await checked(write.state, write.prepared),
          prepared: undefined,
        });
        return;
      }
      if (write.state.is !== "sending") {
        await put({ ...write, prepared: undefined });
        return;
      }
      const state = await send(write.prepared, write.state.attempts);
      await put({ ...write, state });
      if (state.is === "sending") {
        await pause(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS));
      }
    }
  });
}

/** What is known after one more attempt with the same signed request. */
async function send(prepared: PreparedWrite, attempts: number): Promise<WriteState> {
  const client = clientFor(prepared);
  const unknown: WriteState = { is: "sending", attempts: attempts + 1 };
  try {
    const { transaction_id, ...result } = await client.send(prepared);
    return doneAs(transaction_id, result);
  } catch (error) {
    if (!(error instanceof ProblemError) || COME_BACK.has(error.code)) {
      return unknown;
    }
    const { code, message, parameter } = error;
    if (code !== "2020" && code !== "2021") {
      return { is: "refused", code, message, parameter };
    }
    // The key serves nothing any more: what is not in the history now was not done.
    try {
      const found = await client.findSent(prepared);
      return found === undefined ? { is: "expired" } : doneAs(found.transaction_id, {});
    } catch {
      return unknown;
    }
  }
}

function doneAs(transactionId: string, result: Readonly<Record<string, unknown>>): DoneState {
  const height = Number.parseInt(transactionId.slice(0, 16), 16);
  return { is: "done", transactionId, height, result, proof: "unchecked" };
}

/** Checks that what is in the ledger is what was signed; unchecked if the node does not answer. */
async function checked(state: DoneState, prepared: PreparedWrite): Promise<DoneState> {
  const client = clientFor(prepared);
  const { verifyTransaction } = await import("@moneta/sdk/proof");
  for (let attempt = 0; attempt < PROOF_ATTEMPTS; attempt += 1) {
    try {
      const shown = await client.transaction({ transaction_id: state.transactionId });
      const { verdict } = await verifyTransaction(client, shown);
      const isOurs = await isTransactionOf(prepared, shown);
      if (verdict !== "unchecked") {
        return { ...state, proof: verdict === "verified" && isOurs ? "verified" : "wrong" };
      }
    } catch {
      // The node does not answer, or has not caught up.
    }
    await pause(FIRST_PAUSE_MS * 2 ** attempt);
  }
  return state;
}

/** A client without retries of its own: each attempt is one request. */
function clientFor({ ledgerId }: PreparedWrite): Moneta {
  return new Moneta(NODE_URL, { ledgerId, retries: 0 });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
