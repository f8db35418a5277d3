import { runNodeProcess } from "./commands/command-line.ts";

await runNodeProcess(process.argv.slice(2));
