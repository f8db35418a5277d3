// Writes api.ts, formatted.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formattedApi } from "./formatted-api.ts";

writeFileSync(fileURLToPath(new URL("../api.ts", import.meta.url)), formattedApi());
