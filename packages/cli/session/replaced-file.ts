import { renameSync, writeFileSync } from "node:fs";

/** Writes a value as JSON. Replaces the file as a whole, so that no crash leaves half of it. */
export function writeJson(file: string, value: unknown): void {
  const part = `${file}.part`;
  writeFileSync(part, `${JSON.stringify(value, undefined, 2)}\n`);
  renameSync(part, file);
}
