import { isNodeWord, runNode } from "./commands/node.ts";

const args = process.argv.slice(2);
const [word = "", asked = ""] = args;
if (isNodeWord(word) || (word === "help" && isNodeWord(asked))) {
  await runNode(args);
} else {
  const { endQuietly, runClient } = await import("./client.ts");
  endQuietly();
  process.exitCode = await runClient(args);
}
