import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { claimBatch } from "./claim-batch.ts";

export interface NativeVerifier {
  verify(batch: ReturnType<typeof claimBatch>): Uint8Array;
}

/** Gives the reason in words for the operator. */
export class AddonProblem extends Error {
  override readonly name: string = "AddonProblem";
}

/** The addon that `npm run build:native` has built; undefined if it has not. */
export function findAddon(): string | undefined {
  const file = fileURLToPath(new URL(`native-verifier.${platformName()}.node`, import.meta.url));
  return existsSync(file) ? file : undefined;
}

/**
 * Its verifier belongs to the calling thread and keeps up to `keyBytesMax` of keys, twice. Throws
 * `AddonProblem`.
 */
export function loadAddon(file: string, keyBytesMax: number): NativeVerifier {
  let exported: { readonly NativeVerifier: new (keyBytesMax: number) => NativeVerifier };
  try {
    exported = createRequire(import.meta.url)(file);
  } catch (thrown) {
    throw new AddonProblem(`${file} cannot be loaded: ${(thrown as Error).message}`);
  }
  return new exported.NativeVerifier(keyBytesMax);
}

function platformName(): string {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform === "win32") {
    return `${name}-msvc`;
  }
  return process.platform === "linux" ? `${name}-${isGlibc() ? "gnu" : "musl"}` : name;
}

function isGlibc(): boolean {
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as {
    readonly header: { readonly glibcVersionRuntime?: string };
  };
  return header.glibcVersionRuntime !== undefined;
}
