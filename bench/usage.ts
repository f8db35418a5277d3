import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const TICK_MICROSECONDS = 10_000;

export interface Usage {
  readonly threads: readonly ThreadUsage[];
  readonly generatorMicroseconds: number;
  /** Other processes, the system's own threads, the machine's neighbours. */
  readonly othersCores: number;
  /** Pages of files that it has changed. */
  readonly writtenBytes: number;
  readonly memory: {
    readonly beforeBytes: number;
    readonly afterBytes: number;
    readonly peakBytes: number;
  };
}

export interface ThreadUsage {
  readonly name: string;
  readonly threads: number;
  readonly microseconds: number;
}

export async function usageDuring<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly usage: Usage }> {
  const usageSince = watchUsage(pids);
  const result = await work();
  return { result, usage: usageSince() };
}

/** The returned function gives the use since then, and throws if a process has ended. */
export function watchUsage(pids: readonly number[]): () => Usage {
  const [first = 0] = pids;
  const times = (): ThreadTimes => new Map(pids.flatMap((pid) => [...threadTimes(pid)]));
  const beforeBytes = statusBytes(first, "VmRSS");
  const threads = times();
  const writtenBefore = writtenBytes(first);
  const own = process.cpuUsage();
  const busy = busyMicroseconds();
  const startMs = performance.now();
  return () => {
    const used = usedSince(threads, times());
    const { user, system } = process.cpuUsage(own);
    const others = busyMicroseconds() - busy - user - system - sumOf(used);
    return {
      threads: used,
      generatorMicroseconds: user + system,
      othersCores: Math.max(0, others / (1000 * (performance.now() - startMs))),
      writtenBytes: writtenBytes(first) - writtenBefore,
      memory: {
        beforeBytes,
        afterBytes: statusBytes(first, "VmRSS"),
        peakBytes: statusBytes(first, "VmHWM"),
      },
    };
  };
}

export function sumOf(threads: readonly ThreadUsage[]): number {
  return threads.reduce((sum, { microseconds }) => sum + microseconds, 0);
}

export function perOperation(usage: Usage, operations: number): Usage {
  return {
    ...usage,
    threads: usage.threads.map((thread) => ({
      ...thread,
      microseconds: thread.microseconds / operations,
    })),
    generatorMicroseconds: usage.generatorMicroseconds / operations,
    writtenBytes: usage.writtenBytes / operations,
  };
}

export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

type ThreadTimes = ReadonlyMap<string, { readonly name: string; readonly nanoseconds: number }>;

function threadTimes(pid: number): ThreadTimes {
  const folder = `/proc/${pid}/task`;
  return new Map(
    readdirSync(folder).map((id) => {
      const name = readFileSync(`${folder}/${id}/comm`, "utf8").trim();
      const [nanoseconds] = readFileSync(`${folder}/${id}/schedstat`, "utf8").split(" ");
      return [id, { name, nanoseconds: Number(nanoseconds) }];
    }),
  );
}

function usedSince(before: ThreadTimes, after: ThreadTimes): ThreadUsage[] {
  const byName = new Map<string, ThreadUsage>();
  for (const [id, { name: own, nanoseconds }] of after) {
    const name = own.replace(/-\d+$/, "");
    const { threads, microseconds } = byName.get(name) ?? { threads: 0, microseconds: 0 };
    const used = (nanoseconds - (before.get(id)?.nanoseconds ?? 0)) / 1000;
    byName.set(name, { name, threads: threads + 1, microseconds: microseconds + used });
  }
  return [...byName.values()].sort((a, b) => b.microseconds - a.microseconds);
}

/** Includes time taken away by the hypervisor. */
function busyMicroseconds(): number {
  const [cpu = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = cpu
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * TICK_MICROSECONDS;
}

function statusBytes(pid: number, field: "VmRSS" | "VmHWM"): number {
  return 1024 * valueIn(`/proc/${pid}/status`, field);
}

function writtenBytes(pid: number): number {
  return valueIn(`/proc/${pid}/io`, "write_bytes");
}

function valueIn(file: string, field: string): number {
  const value = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(file, "utf8"))?.[1];
  if (value === undefined) {
    throw new Error(`${file} has no ${field}`);
  }
  return Number(value);
}

export function processTreeMicroseconds(pid: number): number {
  const { ticks, endedTicks } = timesOf(pid);
  const children = childrenOf(pid).reduce((sum, child) => sum + processTreeMicroseconds(child), 0);
  return (ticks + endedTicks) * TICK_MICROSECONDS + children;
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
        .split(" ")
        .filter((id) => id !== "")
        .map(Number),
    );
  } catch {
    return [];
  }
}

function timesOf(pid: number): { readonly ticks: number; readonly endedTicks: number } {
  try {
    // The program's name may have spaces.
    const [, fields = ""] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
      .split(" ")
      .slice(11, 15)
      .map(Number);
    return { ticks: user + system, endedTicks: endedUser + endedSystem };
  } catch {
    return { ticks: 0, endedTicks: 0 };
  }
}
