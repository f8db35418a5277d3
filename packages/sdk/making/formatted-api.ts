import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { apiText } from "./api-text.ts";

const BIOME = fileURLToPath(
  new URL("../../../node_modules/@biomejs/biome/bin/biome", import.meta.url),
);

/** What `api.ts` must be. */
export function formattedApi(): string {
  return execFileSync(
    process.execPath,
    [BIOME, "format", "--stdin-file-path=packages/sdk/api.ts"],
    {
      input: apiText(),
      encoding: "utf8",
      cwd: fileURLToPath(new URL("../../../", import.meta.url)),
    },
  );
}
