// Writes docs/record-types.md.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { recordTypesPage } from "./record-types-page.ts";

writeFileSync(
  fileURLToPath(new URL("../docs/record-types.md", import.meta.url)),
  recordTypesPage(),
);
