import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TemporaryDirectory } from "./temporary-directory.ts";

const PACK = fileURLToPath(new URL("../../../scripts/pack.mjs", import.meta.url));
let packed: TemporaryDirectory | undefined;

/** Copies the packages as they would be published into a folder. Test files of a process share them. */
export function packInto(folder: string): void {
  if (packed === undefined) {
    packed = new TemporaryDirectory("packed");
    execFileSync(process.execPath, [PACK, packed.path], { stdio: "pipe" });
  }
  cpSync(packed.path, folder, { recursive: true });
}
