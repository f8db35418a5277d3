import { Agent, get } from "node:http";
import { report } from "./progress.ts";
import { below, pick } from "./random.ts";
import { Service } from "./service.ts";
import { CATEGORIES, GROUPS, type Known, nameOf, WideLedger } from "./wide-ledger.ts";

export interface PageFigures {
  readonly list: string;
  readonly smallMs: number;
  readonly largeMs: number;
  readonly ratio: number;
  readonly entries: number;
  readonly smallEntries: number;
}

export interface Pages {
  readonly smallSize: number;
  readonly largeSize: number;
  readonly addresses: number;
  readonly figures: readonly PageFigures[];
}

const ASKED = 300;
const WARM_UP = 30;

/**
 * Limits so low that pages get no fuller beyond 100,000 transactions; below, compare entries, too.
 */
const LISTS: Readonly<Record<string, (known: Known) => string>> = {
  "history of anybody": ({ addresses }) => `/address/${pick(addresses)}/transactions`,
  "history of the shop": ({ shop }) => `/address/${shop}/transactions`,
  "of the shop, by type": ({ shop }) => `/address/${shop}/transactions?type=receive`,
  "of the shop, by a type it has not": ({ shop }) => `/address/${shop}/transactions?type=transfer`,
  "of the shop, by token": ({ shop }) => `/address/${shop}/transactions?token=0`,
  "of the shop, by a token it has not": ({ shop, tokens }) =>
    `/address/${shop}/transactions?token=${pick(tokens)}`,
  "of the shop, until some time": (known) =>
    `/address/${known.shop}/transactions?until=${someTime(known)}`,
  "of a creator, by three types": ({ creators }) =>
    `/address/${pick(creators)}/transactions?type=tokenRegister,mrc400create,mrc401create&limit=10`,
  "of a creator, by type and token": ({ creators, tokens }) =>
    `/address/${pick(creators)}/transactions?type=tokenRegister,token_reserve&token=${pick(tokens)}`,
  "all transactions": () => "/transactions",
  "all, by type": () => "/transactions?type=mrc400create",
  "all, by token": ({ tokens }) => `/transactions?token=${pick(tokens)}`,
  "all, by type and token": ({ tokens }) =>
    `/transactions?type=tokenRegister&token=${pick(tokens)}`,
  "all, in some time": (known) => {
    const since = someTime(known);
    return `/transactions?since=${since}&until=${since + 1}`;
  },
  blocks: () => "/blocks",
  tokens: () => "/tokens",
  "tokens of an owner": ({ creators }) => `/tokens?owner=${pick(creators)}&limit=5`,
  "tokens by symbol": () => `/tokens?symbol=T${below(100)}&limit=1`,
  "holders of the coin": () => "/token/holders/0",
  "holders of the coin by balance": () => "/token/holders/0?order=balance",
  "projects of an owner": ({ creators }) => `/mrc400?owner=${pick(creators)}&limit=5`,
  "projects by category and owner": ({ creators }) =>
    `/mrc400?owner=${pick(creators)}&category=category ${below(CATEGORIES)}&limit=1`,
  items: () => "/mrc401",
  "items of a project": ({ projects }) => `/mrc401?mrc400id=${pick(projects).id}`,
  "items on sale": () => "/mrc401?state=sale",
  "items of an owner on auction": ({ creators }) => `/mrc401?state=auction&owner=${pick(creators)}`,
  "items by group and owner": ({ creators }) =>
    `/mrc401?groupid=group ${below(GROUPS)}&owner=${pick(creators)}&limit=5`,
  "items by project, group and state": ({ projects }) =>
    `/mrc401?mrc400id=${pick(projects).id}&groupid=group 0&state=idle&limit=1`,
  "items for a token in which nothing is offered": ({ tokens }) => `/mrc401?token=${pick(tokens)}`,
  "what a creator owns": ({ creators }) => `/address/${pick(creators)}/items`,
  "what anybody owns": ({ addresses }) => `/address/${pick(addresses)}/items`,
  "multi-unit items of a creator": ({ creators }) => `/mrc402?creator=${pick(creators)}&limit=5`,
  "holders of a multi-unit item": ({ unitItems }) => `/mrc402/holders/${pick(unitItems)}?limit=5`,
  "search for a word": () => `/search?text=${word()}`,
  "search for a letter": () => "/search?text=s&limit=20",
  "search for words that few names have together": () => `/search?text=sword ${word()} ${word()}`,
  "search for a shortened id": ({ projects }) =>
    `/search?text=${pick(projects).id.slice(7, 13)}..${pick(projects).id.slice(-4)}`,
  "units of an address": ({ creators }) => `/mrc402/balance/${pick(creators)}?limit=5`,
};

/** Measures at a hundredth of so many transactions, and again at all of them. */
export async function runPages(
  transactions: number,
  node: { readonly main: string; readonly data: string },
): Promise<Pages> {
  {
    await using _service = await Service.start(node);
  }
  const ledger = new WideLedger(node.data);
  const small = await ledger.grow(Math.ceil(transactions / 100));
  const before = await measure(small, node);
  const large = await ledger.grow(transactions);
  const after = await measure(large, node);
  return {
    smallSize: small.size,
    largeSize: large.size,
    addresses: large.addresses.length,
    figures: after.map(({ list, ms, entries }, index) => {
      const { ms: smallMs, entries: smallEntries } = before[index] as Measured;
      return { list, smallMs, largeMs: ms, ratio: ms / smallMs, entries, smallEntries };
    }),
  };
}

interface Measured {
  readonly list: string;
  readonly ms: number;
  readonly entries: number;
}

async function measure(
  known: Known,
  node: { readonly main: string; readonly data: string },
): Promise<Measured[]> {
  await using service = await Service.start(node);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const measured: Measured[] = [];
  for (const [list, path] of Object.entries(LISTS)) {
    report(`pages of ${known.size} transactions: ${list}`);
    const times: number[] = [];
    let entries = 0;
    for (let asked = -WARM_UP; asked < ASKED; asked += 1) {
      const url = `http://127.0.0.1:${service.port}${encodeURI(path(known))}`;
      const started = performance.now();
      const body = await answer(url, agent);
      if (asked >= 0) {
        times.push(performance.now() - started);
        const read = JSON.parse(body) as unknown[] | { readonly items: unknown[] };
        entries += (Array.isArray(read) ? read : read.items).length;
      }
    }
    measured.push({ list, ms: median(times), entries: entries / ASKED });
  }
  agent.destroy();
  return measured;
}

function answer(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body += text;
      });
      response.on("end", () =>
        response.statusCode === 200 ? resolve(body) : reject(new Error(`${url}: ${body}`)),
      );
    }).on("error", reject);
  });
}

function word(): string {
  return nameOf(below(1_000_000)).split(" ")[2] as string;
}

function someTime({ time, size }: Known): number {
  return time - below(Math.ceil(size / 500));
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
