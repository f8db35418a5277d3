import { isNodeWord, runNode } from "./commands/node.ts";

const args = process.argv.slice(2);
const [word = "", asked = ""] = args;
if (isNodeWord(word) || (word === "help" && isNodeWord(asked))) {
  await runNode(args);
} else {
  const { heedReaders, runClient } = await import("./client.ts");
  const { Output } = await import("./terminal/output.ts");
  const output = new Output();
  heedReaders(output);
  process.exitCode = await runClient(args, output);
  if (output.isUnread) {
    process.exit(); // standard input may still be open
  }
}
