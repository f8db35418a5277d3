import { readFileSync } from "node:fs";

/** The most memory that a process has had so far; Linux alone. */
export function peakBytes(pid: number): number {
  const [, kibibytes = ""] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}
