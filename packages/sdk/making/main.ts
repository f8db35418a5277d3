import { apiText } from "./api-text.ts";
import { parametersText } from "./parameters-text.ts";

process.stdout.write(JSON.stringify({ api: apiText(), parameters: parametersText() }));
