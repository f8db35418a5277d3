import { runNodeCommand } from "./commands/command-line.ts";

await runNodeCommand(process.argv.slice(2));
