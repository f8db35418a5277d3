const NODE_WORDS: ReadonlySet<string | undefined> = new Set([
  "serve",
  "verify",
  "audit",
  "rebuild",
  "snapshot",
]);

const args = process.argv.slice(2);
if (NODE_WORDS.has(args[0])) {
  const { runNode } = await import("./commands/node.ts");
  await runNode(args);
} else {
  const { endQuietly, runClient } = await import("./client.ts");
  endQuietly();
  process.exitCode = await runClient(args);
}
