import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "./command-line/read-command-line.ts";
import { NODE_COMMANDS } from "./commands/node.ts";
import { COMMANDS } from "./commands/registry.ts";

// Commands, arguments and flags in the documentation exist.

const ROOT = new URL("../../", import.meta.url);
const NODE_WORDS = NODE_COMMANDS.map(({ words }) => words);

/** Split as by a shell. */
function commandsIn(page: string): string[][] {
  const text = readFileSync(fileURLToPath(new URL(page, ROOT)), "utf8");
  const blocks = [...text.matchAll(/^```bash\n(.*?)^```/gms)].flatMap(([, block = ""]) =>
    block.split("\n"),
  );
  const indented = [...text.matchAll(/^ {4}(npx --no moneta .*)$/gm)].map(([, line = ""]) => line);
  const inline = [...text.matchAll(/`((?:npx --no )?moneta [^`]+)`/g)].map(([, code = ""]) => code);
  return [...blocks, ...indented, ...inline]
    .flatMap((line) => line.replace(/ {2,}#? ?.*$/, "").split(/ \| | && |<\(| > /))
    .map((line) => line.replace(/\)$/, "").trim())
    .filter((line) => /^(npx --no )?moneta( |$)/.test(line))
    .map((line) =>
      [...line.matchAll(/(["'])(.*?)\1|(\S+)/g)].map(
        ([, , quoted, plain]) => quoted ?? plain ?? "",
      ),
    )
    .map((words) => words.slice(words[0] === "npx" ? 3 : 1));
}

for (const page of ["docs/command-line.md", "docs/genesis.md", "README.md"]) {
  const commands = commandsIn(page).filter(([word = ""]) => !NODE_WORDS.includes(word));

  test(`${page} has commands of moneta`, () => assert.ok(commands.length > 0));

  for (const args of new Set(commands.map((words) => words.join("\u0000")))) {
    const words = args.split("\u0000");
    test(`${page}: moneta ${words.join(" ")}`, () => {
      // A command's name alone is no use of it.
      const isName = COMMANDS.some((command) => command.words === words.join(" "));
      if (words[0] !== "--version" && !isName) {
        readCommandLine(words, COMMANDS);
      }
    });
  }
}
