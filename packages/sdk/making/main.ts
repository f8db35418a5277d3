// Prints the text of api.ts. `scripts/generate.mjs` writes it.
import { apiText } from "./api-text.ts";

process.stdout.write(apiText());
