import type { SeededRandom } from "../testing/seeded-random.ts";
import type { EngineServer } from "./engine-server.ts";
import type { Link } from "./network.ts";
import type { ServerSession } from "./server-session.ts";
import type { BlockRow } from "./session-host.ts";
import type { SimulatedNode } from "./simulated-node.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface Disturbed {
  readonly nodes: readonly SimulatedNode[];
  /** A primary and its standby, in any order. */
  readonly servers: readonly [EngineServer, EngineServer];
  readonly links: readonly {
    readonly node: SimulatedNode;
    readonly server: EngineServer;
    readonly link: Link;
  }[];
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly random: SeededRandom;
  /** Lost by a restored primary, including acknowledged ones. */
  readonly gone: BlockRow[];
  /** An old primary commits alone that one node must not believe: nothing else happens. */
  isParted: boolean;
}

type Disturb = (world: Disturbed) => void;

const KINDS: readonly { readonly weight: number; readonly disturb: Disturb }[] = [
  { weight: 4, disturb: crashNode },
  { weight: 4, disturb: stopNode },
  { weight: 4, disturb: cutWay },
  { weight: 2, disturb: slowWay },
  { weight: 5, disturb: meetMishap },
  { weight: 3, disturb: endSession },
  { weight: 5, disturb: cancelCommit },
  { weight: 3, disturb: losePrimary },
  { weight: 3, disturb: restartPrimary },
  { weight: 4, disturb: loseStandby },
  { weight: 3, disturb: partPrimary },
];

const WEIGHTS: number = KINDS.reduce((sum, { weight }) => sum + weight, 0);

export function disturbUntil(world: Disturbed, untilMs: number): void {
  const { time, random } = world;
  const next = (): void => {
    time.after(random.integer({ min: 20, max: 1500 }), () => {
      if (time.nowMs < untilMs) {
        if (!world.isParted) {
          disturbOnce(world);
        }
        next();
      }
    });
  };
  next();
}

function disturbOnce(world: Disturbed): void {
  let left = world.random.integer({ min: 1, max: WEIGHTS });
  for (const { weight, disturb } of KINDS) {
    left -= weight;
    if (left <= 0) {
      disturb(world);
      return;
    }
  }
}

/** And restarts everything that is down. */
export function calm({ nodes, servers, links, trace }: Disturbed): void {
  trace.add("world", "everything comes back");
  for (const { link } of links) {
    link.toNode.isCut = false;
    link.toServer.isCut = false;
    link.toNode.slowMs = 0;
    link.toServer.slowMs = 0;
    link.mishap = undefined;
    link.isBarred = false;
  }
  const newest = newestPrimary(servers);
  if (!newest.isRunning) {
    newest.restart();
  }
  const other = servers.find((server) => server !== newest) as EngineServer;
  if (other.role !== "standby" || !other.isRunning || newest.standby !== other) {
    other.cloneFrom(newest);
  } else {
    newest.isStreaming = true;
    newest.replicate();
  }
  for (const node of nodes) {
    node.resume();
    if (!node.isRunning) {
      node.start();
    }
  }
}

/** That a node would take, running or not. */
export function newestPrimary(servers: readonly EngineServer[]): EngineServer {
  return servers
    .filter(({ role }) => role === "primary")
    .toSorted((one, other) => other.timeline - one.timeline)[0] as EngineServer;
}

function crashNode({ nodes, time, random }: Disturbed): void {
  const node = random.pick(nodes);
  if (node.isRunning) {
    node.crash();
    time.after(random.integer({ min: 1, max: 8000 }), () => node.isRunning || node.start());
  }
}

/** SIGSTOP, and SIGCONT later. */
function stopNode({ nodes, time, random }: Disturbed): void {
  const node = random.pick(nodes);
  node.stop();
  time.after(random.integer({ min: 1, max: 20_000 }), () => node.resume());
}

function cutWay({ links, time, trace, random }: Disturbed): void {
  const { node, server, link } = random.pick(links);
  const ways = random.pick([[link.toNode], [link.toServer], [link.toNode, link.toServer]]);
  trace.add(
    "network",
    `cuts ${ways.length === 2 ? "both ways" : ways[0] === link.toNode ? "the way to" : "the way from"} ${node.name}, ${server.name}`,
  );
  for (const way of ways) {
    way.isCut = true;
  }
  time.after(random.integer({ min: 1, max: 15_000 }), () => {
    trace.add("network", `mends ${node.name}, ${server.name}`);
    for (const way of ways) {
      way.isCut = false;
    }
  });
}

function slowWay({ links, time, trace, random }: Disturbed): void {
  const { node, server, link } = random.pick(links);
  trace.add("network", `is slow between ${node.name} and ${server.name}`);
  link.toNode.slowMs = random.integer({ min: 0, max: 1000 });
  link.toServer.slowMs = random.integer({ min: 0, max: 1000 });
  time.after(random.integer({ min: 100, max: 10_000 }), () => {
    link.toNode.slowMs = 0;
    link.toServer.slowMs = 0;
  });
}

function meetMishap({ links, random }: Disturbed): void {
  const { link } = random.pick(links);
  link.mishap = random.pick([
    { kind: "answerLost" },
    { kind: "late", ms: random.integer({ min: 10, max: 8000 }) },
  ] as const);
}

function endSession({ servers, random }: Disturbed): void {
  const sessions = servers.flatMap((server) => [...server.sessions]);
  if (sessions.length > 0) {
    random.pick(sessions).terminate();
  }
}

/** After losing the standby for a moment, so that some commits wait. */
function cancelCommit(world: Disturbed): void {
  const { servers, time, random } = world;
  loseStandby(world);
  time.after(random.integer({ min: 1, max: 3000 }), () => {
    for (const session of servers.flatMap((server) => [...server.sessions])) {
      if (random.integer({ min: 0, max: 2 }) > 0) {
        session.cancel();
      }
    }
    if (random.integer({ min: 0, max: 2 }) === 0) {
      time.after(random.integer({ min: 1, max: 3000 }), () => losePrimary(world));
    }
  });
}

/** The old primary comes back before a copy is made of the new one. */
function losePrimary(world: Disturbed): void {
  const { servers, nodes, time, random } = world;
  const primary = newestPrimary(servers);
  const standby = servers.find((server) => server !== primary) as EngineServer;
  if (standby.role !== "standby" || primary.standby !== standby) {
    return;
  }
  if (primary.isRunning) {
    primary.crash();
  }
  const { timeline } = primary;
  time.after(random.integer({ min: 10, max: 3000 }), () => {
    if (primary.isRunning || standby.role !== "standby" || primary.timeline !== timeline) {
      return;
    }
    standby.isRunning = true;
    standby.promote();
    // As with an empty `synchronous_standby_names`.
    standby.standsAlone = random.integer({ min: 0, max: 1 }) === 0;
    if (standby.standsAlone && random.integer({ min: 0, max: 2 }) > 0) {
      returnAlone(world, { old: primary, successor: standby, untilMs: time.nowMs + 4000 });
      return;
    }
    if (random.integer({ min: 0, max: 1 }) === 0) {
      time.after(random.integer({ min: 10, max: 4000 }), () => {
        if (!primary.isRunning && primary.role === "primary") {
          // A node that has seen its successor must not take it, even if it commits alone.
          primary.standsAlone = nodes.every((node) => node.highestTimeline > primary.timeline);
          primary.restart();
        }
      });
    }
    time.after(random.integer({ min: 500, max: 8000 }), () => {
      if (standby.role === "primary" && standby.standby === undefined) {
        primary.cloneFrom(standby);
      }
    });
  });
}

/** Out of reach for nodes that do not know its successor; a node that does reaches only it. */
function returnAlone(
  world: Disturbed,
  parts: {
    readonly old: EngineServer;
    readonly successor: EngineServer;
    readonly untilMs: number;
  },
): void {
  const { nodes, links, time, trace, random } = world;
  const { old, successor, untilMs } = parts;
  const knows = (node: SimulatedNode): boolean => node.highestTimeline > old.timeline;
  const alone = nodes.find((node) => knows(node) && old.has(node.stored));
  if (alone === undefined && time.nowMs < untilMs && successor.standby === undefined) {
    time.after(1, () => returnAlone(world, parts));
    return;
  }
  if (alone !== undefined) {
    trace.add("network", `parts ${alone.name} from ${successor.name}`);
    for (const { node, server, link } of links) {
      if (server === old ? !knows(node) : node === alone) {
        link.bar();
      }
    }
    old.standsAlone = true;
    old.restart();
  }
  time.after(random.integer({ min: 500, max: 8000 }), () => {
    if (successor.role === "primary" && successor.standby === undefined) {
      old.cloneFrom(successor);
    }
    for (const { link } of links) {
      link.isBarred = false;
    }
  });
}

const ARRIVES_MS = 2500;

/**
 * The standby is promoted while the primary lives: one node reads at the new one, and its other
 * session stays at the old one.
 */
function partPrimary(world: Disturbed): void {
  const { nodes, servers, links, time, trace, random } = world;
  const old = newestPrimary(servers);
  const successor = servers.find((server) => server !== old) as EngineServer;
  const node = random.pick(nodes);
  const own = links.filter((link) => link.node === node);
  const isWhole =
    old.isRunning && old.standby === successor && successor.isRunning && !old.standsAlone;
  const isThere = node.isRunning && !node.isStopped && own.every(({ link }) => link.isOpen);
  const readerAt = (server: EngineServer): ServerSession | undefined =>
    [...server.sessions].find(({ client, isListening }) => client === node.name && isListening);
  if (!isWhole || !isThere || successor.role !== "standby" || readerAt(old) === undefined) {
    return;
  }
  world.isParted = true;
  for (const { link } of own) {
    link.mishap = undefined;
    link.toNode.slowMs = 0;
    link.toServer.slowMs = 0;
  }
  trace.add("network", `parts the reader of ${node.name} from ${old.name}`);
  successor.promote();
  successor.standsAlone = true;
  readerAt(old)?.terminate("parted");
  const untilMs = time.nowMs + 2000;
  const end = (): void => {
    old.cloneFrom(successor);
    for (const { link } of links) {
      link.isBarred = false;
    }
    time.after(ARRIVES_MS, () => {
      world.isParted = false;
    });
  };
  const wait = (): void => {
    if (readerAt(successor) === undefined) {
      time.after(1, time.nowMs < untilMs ? wait : end);
      return;
    }
    time.after(random.integer({ min: 20, max: 200 }), () => {
      for (const { node: other, server, link } of links) {
        if (server === old && other !== node) {
          link.bar();
        }
      }
      old.standAlone();
      time.after(random.integer({ min: 100, max: 3000 }), end);
    });
  };
  wait();
}

function restartPrimary({ servers, time, random }: Disturbed): void {
  const primary = newestPrimary(servers);
  if (!primary.isRunning) {
    return;
  }
  primary.crash();
  time.after(random.integer({ min: 10, max: 3000 }), () => {
    if (!primary.isRunning && primary.role === "primary" && newestPrimary(servers) === primary) {
      primary.restart();
    }
  });
}

function loseStandby({ servers, time, trace, random }: Disturbed): void {
  const primary = newestPrimary(servers);
  primary.isStreaming = false;
  trace.add(primary.name, "does not reach its standby");
  time.after(random.integer({ min: 10, max: 8000 }), () => {
    trace.add(primary.name, "reaches its standby again");
    primary.isStreaming = true;
    primary.replicate();
  });
}
