import { readdirSync, readFileSync } from "node:fs";

const TICK_MICROSECONDS = 10_000;

/** CPU time of a process and its descendants since they began, those that have ended included. */
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
    // It has ended meanwhile.
    return [];
  }
}

function timesOf(pid: number): { readonly ticks: number; readonly endedTicks: number } {
  try {
    // What follows the program's name, which may have spaces: state is the first field.
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
