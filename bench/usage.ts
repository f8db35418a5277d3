// What a process uses, from Linux' /proc.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Usage {
  /**
   * The process' threads, those of one name, but for a number at its end, together, the busiest
   * first.
   */
  readonly threads: readonly ThreadUsage[];
  /** CPU of our own process: the load generator's. */
  readonly generatorMicroseconds: number;
  /**
   * Cores that neither the process nor ours had: other processes, the system's own threads, the
   * machine's neighbours.
   */
  readonly othersCores: number;
  readonly memory: {
    readonly beforeBytes: number;
    readonly afterBytes: number;
    /** Since the process began. */
    readonly peakBytes: number;
  };
}

export interface ThreadUsage {
  readonly name: string;
  readonly threads: number;
  readonly microseconds: number;
}

/** So much of the cores others may have without being noticed in the figures. */
export const QUIET_CORES: number = 0.15;

/** CPU and memory of process `pid`, and CPU of ours, while `work` goes on. */
export async function usageDuring<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly usage: Usage }> {
  const usageSince = watchUsage(pid);
  const result = await work();
  return { result, usage: usageSince() };
}

/**
 * Begins to watch CPU and memory of process `pid`, and CPU of ours. The function that it returns
 * says what has been used since then, and throws if the process has ended.
 */
export function watchUsage(pid: number): () => Usage {
  const beforeBytes = statusBytes(pid, "VmRSS");
  const threads = threadTimes(pid);
  const own = process.cpuUsage();
  const others = watchOthers();
  return () => {
    const used = usedSince(threads, threadTimes(pid));
    const othersCores = others(used.reduce((sum, { microseconds }) => sum + microseconds, 0));
    const { user, system } = process.cpuUsage(own);
    return {
      threads: used,
      generatorMicroseconds: user + system,
      othersCores,
      memory: {
        beforeBytes,
        afterBytes: statusBytes(pid, "VmRSS"),
        peakBytes: statusBytes(pid, "VmHWM"),
      },
    };
  };
}

/** CPU of the threads of several processes, together by name, while `work` goes on. */
export async function threadsDuring<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly threads: readonly ThreadUsage[] }> {
  const times = (): ThreadTimes => new Map(pids.flatMap((pid) => [...threadTimes(pid)]));
  const before = times();
  const result = await work();
  return { result, threads: usedSince(before, times()) };
}

/**
 * Begins to watch what others do on the machine. The function that it returns says how many cores
 * neither we nor, by its argument, the service have had on the average since then.
 */
export function watchOthers(): (serviceMicroseconds?: number) => number {
  const busy = busyMicroseconds();
  const startMs = performance.now();
  const own = process.cpuUsage();
  return (serviceMicroseconds = 0) => {
    const { user, system } = process.cpuUsage(own);
    const others = busyMicroseconds() - busy - user - system - serviceMicroseconds;
    return Math.max(0, others / (1000 * (performance.now() - startMs)));
  };
}

export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** CPU time of each thread since it began, by its id. */
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
    const name = own.replace(/-\d+$/, ""); // "signatures-0" and "signatures-1" do the same work
    const { threads, microseconds } = byName.get(name) ?? { threads: 0, microseconds: 0 };
    const used = (nanoseconds - (before.get(id)?.nanoseconds ?? 0)) / 1000;
    byName.set(name, { name, threads: threads + 1, microseconds: microseconds + used });
  }
  return [...byName.values()].sort((a, b) => b.microseconds - a.microseconds);
}

/** CPU time that all cores have been busy for, or were taken away by the hypervisor. */
function busyMicroseconds(): number {
  const [cpu = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = cpu
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * 10_000; // a tick is 10 ms
}

function statusBytes(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  if (kilobytes === undefined) {
    throw new Error(`/proc/${pid}/status has no ${field}`);
  }
  return Number(kilobytes) * 1024;
}
