import { moneta } from "../../ledger/node.ts";
import { keep as keepText, kept } from "../../parts/kept.ts";

/** Stored to notice later if another ledger takes its place. */
export interface ProofMemory {
  /** Trusted verifier keys: the first ones seen. */
  readonly keys: readonly string[];
  readonly earlier:
    | {
        readonly note: string;
        readonly key: string;
        readonly size: number;
        /** Unix seconds. */
        readonly seen: number;
      }
    | undefined;
}

const NOTHING: ProofMemory = { keys: [], earlier: undefined };
const KEYS_MAX = 16;

/** Empty if nothing is stored, or storage is closed. */
export function rememberedProof(ledgerId: string): ProofMemory {
  try {
    return memoryIn(JSON.parse(kept(place(ledgerId)) ?? "{}"));
  } catch {
    return NOTHING;
  }
}

/** Keeps the largest checkpoint, and its key if none is known. */
export function rememberCheckpoint(
  ledgerId: string,
  seen: { readonly note: string; readonly key: string; readonly size: number },
): void {
  const { keys, earlier } = rememberedProof(ledgerId);
  const { note, key, size } = seen;
  keep(ledgerId, {
    keys: keys.length === 0 ? [key] : keys,
    earlier:
      earlier !== undefined && earlier.size >= size
        ? earlier
        : { note, key, size, seen: Math.floor(moneta.clock.now()) },
  });
}

/** Trusts only these keys from now on. A checkpoint of another key is forgotten. */
export function believeKeys(ledgerId: string, keys: readonly string[]): void {
  const { earlier } = rememberedProof(ledgerId);
  const isOfThem = earlier !== undefined && keys.includes(earlier.key);
  keep(ledgerId, { keys: keys.slice(0, KEYS_MAX), earlier: isOfThem ? earlier : undefined });
}

function keep(ledgerId: string, memory: ProofMemory): void {
  keepText(place(ledgerId), JSON.stringify(memory));
}

function place(ledgerId: string): string {
  return `moneta-proof-${ledgerId}`;
}

function memoryIn(value: unknown): ProofMemory {
  const { keys, earlier } = membersOf(value);
  const { note, key, size, seen } = membersOf(earlier);
  const isWhole =
    typeof note === "string" && isKey(key) && typeof size === "number" && typeof seen === "number";
  return {
    keys: Array.isArray(keys) ? keys.filter(isKey).slice(0, KEYS_MAX) : [],
    earlier: isWhole ? { note, key, size, seen } : undefined,
  };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function isKey(value: unknown): value is string {
  return (
    typeof value === "string" && /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{20,}={0,2}$/.test(value)
  );
}
