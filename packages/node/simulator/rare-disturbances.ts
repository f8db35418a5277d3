import type { SeededRandom } from "../testing/seeded-random.ts";
import { type Disturbed, newestPrimary } from "./disturbances.ts";
import type { EngineServer } from "./engine-server.ts";
import type { SimulatedNode } from "./simulated-node.ts";

/** False if it could not be done now. */
type Disturb = (world: Disturbed, random: SeededRandom) => boolean;

/** Each in one run of ten. */
const KINDS: readonly Disturb[] = [fillDisk, restorePrimary, fillNodes, jumpClocks];
const ONE_OF = 10;
const AGAIN_MS = 100;

/** `random` is not the world's: a new kind changes only the runs that it disturbs. */
export function disturbRarely(world: Disturbed, random: SeededRandom, untilMs: number): void {
  const { time } = world;
  const disturb = KINDS[random.integer({ min: 0, max: ONE_OF - 1 })];
  if (disturb !== undefined) {
    const begin = (): void => {
      const isDone = !world.isParted && disturb(world, random);
      if (!isDone && time.nowMs < untilMs) {
        time.after(AGAIN_MS, begin);
      }
    };
    time.after(random.integer({ min: 1000, max: untilMs - 1000 }), begin);
  }
}

/** For some time: it refuses each row, and the COMMIT after it rolls back. */
function fillDisk({ servers, time, trace }: Disturbed, random: SeededRandom): boolean {
  const primary = newestPrimary(servers);
  trace.add(primary.name, "has no space left");
  primary.isFull = true;
  time.after(random.integer({ min: 100, max: 6000 }), () => {
    trace.add(primary.name, "has space again");
    primary.isFull = false;
  });
  return true;
}

const DAY_MS = 86_400_000;

/** Of the primary, of a node or of both, to another year for some seconds. */
function jumpClocks({ servers, nodes, time, trace }: Disturbed, random: SeededRandom): boolean {
  const jumpMs = random.pick([400 * DAY_MS, -400 * DAY_MS, 2 * DAY_MS, 3_600_000, -3_600_000]);
  const clocks = random.pick([[newestPrimary(servers)], [random.pick(nodes)], servers, nodes]);
  for (const clock of clocks) {
    trace.add(clock.name, `has a clock that jumps by ${jumpMs} ms`);
    clock.clockOffsetMs += jumpMs;
  }
  time.after(random.integer({ min: 10, max: 10_000 }), () => {
    for (const clock of clocks) {
      trace.add(clock.name, "has a clock that is right again");
      clock.clockOffsetMs -= jumpMs;
    }
  });
  return true;
}

const LACKED = { min: 1, max: 4 } as const;
const COMPARE_EVERY_MS = 5;
const COMPARE_MS = 20_000;

/** One node writes another history; a stopped one continues at its own height: only ids differ. */
function restorePrimary(world: Disturbed, random: SeededRandom): boolean {
  const { nodes, servers } = world;
  const height = (newestPrimary(servers).newest?.height ?? 0) - random.integer(LACKED);
  return restoreTo(height, { world, random, nodes });
}

function restoreTo(
  height: number,
  {
    world: { servers, time, gone },
    random,
    nodes,
  }: {
    readonly world: Disturbed;
    readonly random: SeededRandom;
    readonly nodes: readonly SimulatedNode[];
  },
): boolean {
  const primary = newestPrimary(servers);
  const standby = servers.find((server) => server !== primary) as EngineServer;
  const stopped = random.pick(nodes);
  const rebuilt = random.pick(nodes.filter((node) => node !== stopped));
  const isWhole = primary.isRunning && primary.standby === standby;
  if (!isWhole || standby.role !== "standby" || height < rebuilt.firstHeight) {
    return false;
  }
  stopped.stop();
  gone.push(...primary.restoreTo(height));
  standby.cloneFrom(primary);
  rebuilt.rebuild();
  const untilMs = time.nowMs + COMPARE_MS;
  const resume = (): void => {
    if (primary.newest?.height === stopped.stored.height || time.nowMs >= untilMs) {
      stopped.resume();
    } else if (stopped.isStopped) {
      time.after(COMPARE_EVERY_MS, resume);
    }
  };
  time.after(random.integer({ min: 10, max: 3000 }), resume);
  return true;
}

const FULL = { min: 100, max: 12_000 } as const;

/** Certain blocks cannot be stored. Sometimes the primary is restored to before such a block. */
function fillNodes(world: Disturbed, random: SeededRandom): boolean {
  const { nodes, time, trace } = world;
  const full = random.integer({ min: 0, max: 2 }) === 0 ? nodes : [random.pick(nodes)];
  for (const node of full) {
    trace.add(node.name, "has no space left");
    node.isFull = true;
    time.after(random.integer(FULL), () => {
      trace.add(node.name, "has space again");
      node.isFull = false;
    });
  }
  if (random.integer({ min: 0, max: 1 }) === 0) {
    const restore = (): void => {
      const waiting = full.find(({ isUnstored }) => isUnstored);
      const others = nodes.filter((node) => node !== waiting);
      const isDone =
        !world.isParted &&
        waiting !== undefined &&
        restoreTo(waiting.stored.height, { world, random, nodes: others });
      if (!isDone && nodes.some(({ isFull }) => isFull)) {
        time.after(COMPARE_EVERY_MS, restore);
      }
    };
    restore();
  }
  return true;
}
