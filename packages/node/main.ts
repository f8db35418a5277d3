import { runNodeCommand } from "./command-line.ts";

await runNodeCommand(process.argv.slice(2));
