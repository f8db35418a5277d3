import assert from "node:assert/strict";
import type { Wallet } from "../clients/wallet.ts";
import { type LightResponse, lightFetch } from "../light-fetch.ts";
import { publicPem, signatureOf } from "../test-node.ts";
import { type Answer, LIST_END, type Read, UNKNOWN_MARK, type Write } from "./ledger-model.ts";

/** Responses that are not final: the same request has another one later. */
const LATER = /^900[12346]$/;

/** A node, and the newest block that the client has seen, if the response must include it. */
export interface Target {
  readonly url: string;
  readonly newest?: number;
}

export function headersOf({ newest }: Target): Record<string, string> {
  return newest === undefined ? {} : { "Ledger-Height-Min": String(newest) };
}

export interface Request {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Sent instead of a form with the parameters. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The request of a write, signed by `signer`; a new address gets its public key. */
export function requestOf(
  { wish, key, mark, ballast = "" }: Write,
  signer: Pick<Wallet, "privateKey">,
  ledgerId: string,
): Request {
  if (wish.kind === "open") {
    const params = { publickey: publicPem(signer.privateKey), addinfo: mark };
    return { path: "/address", params, headers: { "Idempotency-Key": key } };
  }
  const memo = ballast === "" ? mark : `${mark} ${ballast}`;
  switch (wish.kind) {
    case "pay": {
      const { by: from, to, amount } = wish;
      const params = { from, to, token: "0", amount: String(amount), checkkey: key, memo };
      return signed({ path: "/transfer", params }, "from|to|token|amount|checkkey", signer);
    }
    case "bundle": {
      const json = JSON.stringify({
        ...{ actor: wish.by, tkey: key },
        operations: wish.payments.map(({ to, amount }) => ({
          operation: "transfer",
          ...{ from: wish.by, to, token: "0", amount: String(amount), memo },
        })),
        ...(wish.skips ? { skip: ["5001"] } : {}),
      });
      const signature = signatureOf(`moneta|1|${ledgerId}|bundle|${json}`, signer);
      return { path: "/bundle", params: {}, json, headers: { "Moneta-Signature": signature } };
    }
    case "sell":
    case "unsell": {
      const { by: seller, item: id } = wish;
      const element = wish.kind === "sell" ? { id, price: String(wish.price), token: "0" } : id;
      const params = { seller, itemdata: JSON.stringify([element]), tkey: key };
      return signed({ path: `/mrc401/${wish.kind}`, params }, "seller|itemdata|tkey", signer);
    }
    case "buy": {
      const params = { mrc401id: wish.item, buyer: wish.by, tkey: key };
      return signed({ path: `/mrc401/buy/${wish.item}`, params }, "mrc401id|tkey", signer);
    }
    case "give": {
      const { by: fromAddr, to: toAddr, item: mrc401id } = wish;
      const params = { fromAddr, toAddr, mrc401id, tkey: key };
      const path = `/mrc401/transfer/${mrc401id}`;
      return signed({ path, params }, "fromAddr|toAddr|mrc401id|tkey", signer);
    }
  }
}

/** `project` is that of the items. */
export function pathOf({ kind, of }: Read, project: string): string {
  switch (kind) {
    case "balance":
      return `/balance/${of}`;
    case "item":
      return `/mrc401/${of}`;
    case "transaction":
      return `/transaction/${of}`;
    case "history":
      return `/address/${of}/transactions?limit=100`;
    case "owned":
      return `/address/${of}/items?limit=100`;
    case "onSale":
      return `/mrc401?mrc400id=${project}&state=sale&limit=100`;
  }
}

/** The part of a response that the model compares. `isMark`: whether a write has this mark. */
export function shownBy(
  { kind }: Read,
  body: unknown,
  isMark: (text: string) => boolean,
): string | readonly string[] {
  switch (kind) {
    case "balance":
      return (body as readonly { balance: string }[]).map(({ balance }) => balance).join(" ");
    case "item": {
      const { holder, sell_price: price } = body as { holder: string; sell_price: string };
      return `${holder} ${price}`;
    }
    case "transaction": {
      const record = body as RecordShown;
      const left = record.type === "transfer" ? ` ${record.values.balance?.[0]?.balance}` : "";
      return [`${record.id} ${markOf(record, isMark)}${left}`];
    }
    case "history": {
      const { items, cursor } = body as { items: readonly RecordShown[]; cursor?: string };
      const entries = items.map((record) => `${record.id} ${markOf(record, isMark)}`);
      return cursor === undefined ? [...entries, LIST_END] : entries;
    }
    case "owned":
    case "onSale":
      return (body as { items: readonly { id: string }[] }).items.map(({ id }) => id).sort();
  }
}

function markOf({ type, parameters }: RecordShown, isMark: (text: string) => boolean): string {
  const mark =
    type === "transfer" || type === "receive"
      ? parameters[7]?.split(" ")[0]
      : type === "NewWallet"
        ? parameters[2]
        : parameters.at(-1);
  return mark !== undefined && isMark(mark) ? mark : UNKNOWN_MARK;
}

interface RecordShown {
  readonly id: string;
  readonly type: string;
  readonly parameters: readonly string[];
  readonly values: { readonly balance?: readonly { readonly balance: string }[] };
}

export function isLater(answer: Answer | undefined): boolean {
  return answer?.is === "refused" && LATER.test(answer.code);
}

export function refusalOf(status: number, text: string): Answer & { readonly is: "refused" } {
  assert.ok(status >= 400, text);
  const { code, spendable, index } = JSON.parse(text) as {
    readonly code: string;
    readonly spendable?: string;
    readonly index?: number;
  };
  return {
    is: "refused",
    code,
    ...(index === undefined ? {} : { index }),
    ...(spendable === undefined ? {} : { spendable: BigInt(spendable) }),
  };
}

export function signed(
  { path, params }: Request,
  fields: string,
  by: Pick<Wallet, "privateKey">,
): Request {
  const text = fields
    .split("|")
    .map((field) => params[field] ?? "")
    .join("|");
  return { path, params: { ...params, signature: signatureOf(text, by) } };
}

export function post(
  url: string,
  { path, params, json, headers = {} }: Request,
): Promise<LightResponse> {
  // Parameters in the path are not repeated.
  const form = Object.entries(params).filter(([, value]) => !path.endsWith(`/${value}`));
  return lightFetch(url + path, {
    method: "POST",
    body: json ?? new URLSearchParams(form),
    headers: { ...(json === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
  });
}
