import { execFile, spawn, spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { cleanUpAtExit, ended } from "../../packages/node/testing/exit-cleanup.ts";
import { processTreeMicroseconds } from "../usage.ts";

// Payers pay 1 to any of many payees, or all to one.

export const PAYERS = 2_000;
export const PAYEES = 10_000;
export const FUNDS = 1_000_000_000;

export interface Work {
  readonly payees: number;
  readonly seconds: number;
  readonly clients: number;
  readonly folder: string;
}

export interface Rate {
  readonly perSecond: number;
  readonly microseconds: number;
}

export interface System {
  readonly name: string;
  readonly command?: string;
  readonly answered: string;
  readonly measure: (work: Work) => Promise<Rate>;
}

export function isThere(command: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
}

interface Payments {
  readonly payments: number;
  readonly seconds: number;
}

export async function rateOf(
  pids: readonly number[],
  work: () => Promise<Payments>,
): Promise<Rate> {
  const used = (): number => pids.reduce((sum, pid) => sum + processTreeMicroseconds(pid), 0);
  const before = used();
  const { payments, seconds } = await work();
  return { perSecond: payments / seconds, microseconds: (used() - before) / payments };
}

export async function closedLoop(
  { clients, seconds, payees }: Work,
  pay: (payer: number, payee: number, client: number) => Promise<unknown>,
): Promise<Payments> {
  const below = (count: number): number => Math.floor(Math.random() * count);
  const begin = performance.now();
  let payments = 0;
  const client = async (_: unknown, index: number): Promise<void> => {
    while (performance.now() - begin < 1000 * seconds) {
      await pay(1 + below(PAYERS), 1 + below(payees), index);
      payments += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { payments, seconds: (performance.now() - begin) / 1000 };
}

export async function output(command: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(command, args, { maxBuffer: 1e8 })).stdout;
}

export function serve(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): AsyncDisposable & { readonly pid: number } {
  const child = spawn(command, args, { env: { ...process.env, ...environment }, stdio: "ignore" });
  const forget = cleanUpAtExit(() => child.kill("SIGKILL"));
  return {
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended(child);
      forget();
    },
  };
}

export async function untilUp(attempt: () => Promise<unknown>): Promise<void> {
  for (let left = 600; ; left -= 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0) {
        throw error;
      }
      await delay(100);
    }
  }
}
