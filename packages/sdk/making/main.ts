// Prints what is made from the descriptions, as JSON by file. `scripts/generate.mjs` writes it.
import { apiText } from "./api-text.ts";
import { parametersText } from "./parameters-text.ts";

process.stdout.write(JSON.stringify({ api: apiText(), parameters: parametersText() }));
