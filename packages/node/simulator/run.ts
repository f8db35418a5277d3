import { SeededRandom } from "../testing/seeded-random.ts";
import {
  BASE_TIME,
  type BaseLedger,
  type Chances,
  type Holder,
  operationOf,
  transferOf,
} from "./base-ledger.ts";
import { keyChanges } from "./crossing-keys.ts";
import { calm, type Disturbed, disturbUntil } from "./disturbances.ts";
import { EngineServer } from "./engine-server.ts";
import { Link, SimulatedEngine } from "./network.ts";
import { brokenPromises } from "./promises.ts";
import { disturbRarely } from "./rare-disturbances.ts";
import type { BlockRow, ServerPace } from "./session-host.ts";
import { SimulatedClient } from "./simulated-client.ts";
import { SimulatedNode, TOLERANCE_SECONDS } from "./simulated-node.ts";
import { Trace } from "./trace.ts";
import { VirtualTime } from "./virtual-time.ts";

export interface Run {
  readonly seed: number;
  /** In words; none if all were kept. */
  readonly broken: readonly string[];
  /** SHA-256 of the trace, hex. */
  readonly digest: string;
  readonly lines: number;
  readonly operations: number;
  readonly blocks: number;
}

const NODES = ["A", "B", "C"];
const CLIENTS = 4;
const DISTURBED_MS = 20_000;
const REST_MS = 300_000;
/** For derived seeds, outside the range of tried ones. */
const RARE = 2 ** 31;
const SETTINGS = 2 ** 32;
const TRADES = 2 ** 33;
/** Runs with a client whose keys change; runs with a stored seed have none. */
const KEYS = 2 ** 30 + 124;
const KEYS_ONE_OF = 4;
/** The same for runs in which nodes keep state trees. */
const TREES = 2 ** 29 + 1;
const TREES_ONE_OF = 4;
const FIRST_KEY = 1000;

/** The seed decides everything; `print` gets the trace. Source: cluster §9. */
export async function simulate(
  seed: number,
  base: BaseLedger,
  print?: (line: string) => void,
): Promise<Run> {
  const random = new SeededRandom(seed);
  const time = new VirtualTime();
  const trace = new Trace({ nowMs: () => time.nowMs, print });
  const millis = (min: number, max: number): (() => number) => {
    return () => random.integer({ min: min * 1000, max: max * 1000 }) / 1000;
  };
  const pace: ServerPace = {
    statementMs: millis(0.02, 0.2),
    flushMs: millis(0.1, 2),
    replicationMs: millis(0.1, 3),
  };
  const failures: string[] = [];
  const servers = ["P", "S"].map(
    (name) =>
      new EngineServer(name, { time, trace, pace, onMisuse: (what) => failures.push(what) }),
  ) as [EngineServer, EngineServer];
  const [primary, standby] = servers;
  for (const row of base.rows) {
    primary.wal.push({ row });
    primary.rows.set(row.height, row);
  }
  standby.cloneFrom(primary);

  const links: Disturbed["links"][number][] = [];
  const shown = new Map<number, Map<string, string>>();
  const hasTree = new SeededRandom(seed + TREES).integer({ min: 1, max: TREES_ONE_OF }) === 1;
  const nodes: SimulatedNode[] = NODES.map((name): SimulatedNode => {
    const node: SimulatedNode = new SimulatedNode(name, {
      ...{ base, time, trace, hasTree },
      // Offsets of nodes' clocks have no effect.
      clockOffsetMs: random.pick([0, 0, 3_600_000, -3_600_000]),
      writeMs: random.pick([1000, 5000, 20_000]),
      makeEngine: (gate) =>
        new SimulatedEngine(
          name,
          servers.map((server) => ({
            server,
            link: links.find((one) => one.node === node && one.server === server)?.link as Link,
          })),
          { time, trace, gate, delayMs: millis(0.1, 3) },
        ),
      onShown: ({ height, id }) => {
        const ids = shown.get(height) ?? new Map<string, string>();
        shown.set(height, ids.set(id, ids.get(id) ?? name));
      },
      onFailure: (reason) => failures.push(`${name} has failed: ${reason}`),
      onBroken: (promise) => failures.push(promise),
    });
    for (const server of servers) {
      links.push({ node, server, link: new Link() });
    }
    return node;
  });
  const clients: readonly SimulatedClient[] = Array.from({ length: CLIENTS }, (_, index) => {
    const holder = base.holders[index] as (typeof base.holders)[number];
    const trades = tradesOf(holder, base.chances[index] as Chances);
    const choices = new SeededRandom(seed + TRADES + index);
    let keys = 0;
    return new SimulatedClient(`client ${index}`, {
      ...{ nodes, time, trace, random },
      make: () => {
        keys += 1;
        const payee = random.pick(base.holders.filter(({ number }) => number !== holder.number));
        const number = FIRST_KEY * keys + index;
        const trade = trades(choices, number);
        if (trade !== undefined) {
          return trade;
        }
        const paid = (amount: number): ReturnType<typeof transferOf> =>
          transferOf(holder, { to: payee.address, amount: String(amount), key: number });
        const { text, key } = paid(1);
        return { text, key, rival: paid(2).text };
      },
    });
  });
  const ofKeys = new SeededRandom(seed + KEYS);
  const keyClient =
    ofKeys.integer({ min: 1, max: KEYS_ONE_OF }) > 1
      ? undefined
      : keyClientOf(base, { nodes, time, trace, random: ofKeys });
  const allClients = [...clients, ...(keyClient === undefined ? [] : [keyClient])];

  const world: Disturbed = {
    nodes,
    servers,
    links,
    time,
    trace,
    random,
    gone: [],
    isParted: false,
  };
  try {
    for (const node of nodes) {
      node.start();
    }
    disturbUntil(world, DISTURBED_MS);
    disturbRarely(world, new SeededRandom(seed + RARE), DISTURBED_MS);
    changeSettings(servers, {
      time,
      random: new SeededRandom(seed + SETTINGS),
      untilMs: DISTURBED_MS,
    });
    for (const client of allClients) {
      void client.run();
    }
    await time.passUntil(() => false, DISTURBED_MS);
    await time.passUntil(() => false, DISTURBED_MS + 25_000);
    calm(world);
    for (const client of allClients) {
      client.finish();
    }
    const calmedMs = time.nowMs;
    const hasRest = ({ stored, isDiverged, isAccepting }: SimulatedNode): boolean =>
      isDiverged
        ? world.gone.some(({ id }) => id === stored.id)
        : isAccepting && stored.id === newestOf(servers).newest?.id;
    const restless = (): readonly string[] =>
      [
        ...allClients.filter((client) => !client.isAtRest),
        ...nodes.filter((node) => !hasRest(node)),
      ].map(({ name }) => name);
    const isAtRest = await time.passUntil(() => restless().length === 0, calmedMs + REST_MS);
    const { rows } = newestOf(servers);
    const book = allClients.flatMap((client) => client.book);
    const broken = [
      ...failures,
      ...brokenPromises({ rows, shown, book, gone: world.gone }),
      ...wrongTimes(rows, time.nowMs),
      ...(isAtRest ? [] : [`not at rest after ${REST_MS / 1000} s: ${restless().join(", ")}`]),
    ];
    return {
      ...{ seed, broken, digest: trace.digest(), lines: trace.lines },
      operations: book.length,
      blocks: rows.size - base.rows.length,
    };
  } finally {
    for (const node of nodes) {
      node.remove();
    }
  }
}

function keyClientOf(
  { holders }: BaseLedger,
  parts: Pick<
    ConstructorParameters<typeof SimulatedClient>[1],
    "nodes" | "time" | "trace" | "random"
  >,
): SimulatedClient {
  const [payee, holder] = [holders[0], holders[CLIENTS]] as [Holder, Holder];
  let keys = 0;
  const nextKey = (): number => {
    keys += 1;
    return FIRST_KEY * keys + CLIENTS;
  };
  return new SimulatedClient("client of keys", {
    ...parts,
    cross: keyChanges(holder, { to: payee.address, random: parts.random, nextKey }),
  });
}

/** Two with the same temporary key. */
interface NewOperation {
  readonly text: string;
  readonly key: string;
  readonly rival: string;
}

/** Undefined if a transfer is due or a kind is used up. */
function tradesOf(
  holder: Holder,
  { project, offered, unlisted, own }: Chances,
): (random: SeededRandom, key: number) => NewOperation | undefined {
  const { address } = holder;
  const left = { offered: [...offered], unlisted: [...unlisted], own: [...own] };
  return (random, key) => {
    const made = (op: string, params: object, other: object): NewOperation => {
      const [one, rival] = [params, other].map((given) =>
        operationOf(holder, op, { params: { ...given, signed: "full" }, key }),
      ) as [ReturnType<typeof operationOf>, ReturnType<typeof operationOf>];
      return { text: one.text, key: one.key, rival: rival.text };
    };
    switch (random.pick(["pay", "pay", "offer", "accept", "withdraw", "sell"])) {
      case "offer": {
        const terms = { buyer: address, id: project, token: "0", end: String(BASE_TIME + 90_000) };
        return made("mrc401offer", { ...terms, price: "1" }, { ...terms, price: "2" });
      }
      case "accept": {
        const one = left.offered.pop();
        const accepted = { offerid: one?.offerid, seller: address, mrc401id: one?.item };
        return one && made("mrc401acceptoffer", accepted, { ...accepted, atleast: "1" });
      }
      case "withdraw": {
        const [offerid, other] = left.own.pop() ?? [];
        const [one, rival] = [offerid, other].map((id) => ({ offerid: id, buyer: address }));
        return offerid === undefined
          ? undefined
          : made("mrc401unoffer", one as object, rival as object);
      }
      case "sell": {
        const id = left.unlisted.pop();
        const sale = { id, token: "0", sell_end: String(BASE_TIME + 90_000) };
        const [one, rival] = ["1", "2"].map((price) => ({
          seller: address,
          itemdata: JSON.stringify([{ ...sale, price }]),
        }));
        return id === undefined ? undefined : made("mrc401sell", one as object, rival as object);
      }
      default:
        return undefined;
    }
  };
}

/** Of a role, database or server; no promise may depend on them. */
const ANY_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  client_min_messages: ["notice", "warning", "error"],
  synchronous_commit: ["on", "local", "off"],
  statement_timeout: ["0", "200", "5000"],
};

/** As ALTER SYSTEM and ALTER ROLE do. */
function changeSettings(
  servers: readonly EngineServer[],
  { time, random, untilMs }: { time: VirtualTime; random: SeededRandom; untilMs: number },
): void {
  for (const server of servers) {
    server.settings = new Map(
      Object.entries(ANY_SETTINGS).map(([name, values]) => [name, random.pick(values)]),
    );
  }
  if (time.nowMs < untilMs) {
    time.after(random.integer({ min: 500, max: 5000 }), () =>
      changeSettings(servers, { time, random, untilMs }),
    );
  }
}

/** Ahead by at most what clocks may differ. Source: cluster §5. */
function* wrongTimes(rows: ReadonlyMap<number, BlockRow>, nowMs: number): Iterable<string> {
  for (const { height, header } of rows.values()) {
    const { timestamp } = JSON.parse(header) as { readonly timestamp: number };
    if (timestamp > BASE_TIME + nowMs / 1000 + TOLERANCE_SECONDS) {
      yield `block ${height} bears a time that no two clocks agreed on: ${timestamp}`;
    }
  }
}

function newestOf(servers: readonly [EngineServer, EngineServer]): EngineServer {
  const [one, other] = servers;
  return other.role === "primary" && other.timeline > one.timeline ? other : one;
}
