import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { COMMANDS } from "../commands/registry.ts";
import { CommandRuns } from "../testing/command-runs.ts";
import { completionScript, type Shell } from "./completion-script.ts";

// Run by the shells themselves.

const run = promisify(execFile);

let user: CommandRuns;

before(() => {
  user = new CommandRuns("http://127.0.0.1:1");
  for (const shell of ["bash", "zsh", "fish"] as const) {
    user.file(`moneta.${shell}`, completionScript(shell, COMMANDS));
  }
  user.file("key-of-mine.pem", "");
});
after(() => user[Symbol.dispose]());

type Complete = (words: readonly string[]) => Promise<string[]>;

/** As after TAB: the words, the place of the cursor, and the registered function. */
const bash: Complete = async (words) => {
  const script = `
    source "$1"; shift
    COMP_WORDS=(moneta "$@"); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    function=$(complete -p moneta | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
    "$function" moneta; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["-c", script, "bash", "moneta.bash", ...words], {
    cwd: user.home,
  });
  return offered(stdout);
};

/** zsh's own completion needs a terminal: its function is called, and its offers are printed. */
const zsh: Complete = async (words) => {
  const script = `
    compdef() { handler="$1" }
    compadd() { while [[ "$1" != -- ]]; do shift; done; shift; for each in "$@"; do [[ "$each" == "$PREFIX"* ]] && print -r -- "$each"; done }
    _files() { for each in *; do [[ "$each" == "$PREFIX"* ]] && print -r -- "$each"; done }
    source "$1"; shift
    words=(moneta "$@"); CURRENT=\${#words}; PREFIX="\${words[-1]}"
    "$handler"; true`;
  const { stdout } = await run("zsh", ["-fc", script, "zsh", "./moneta.zsh", ...words], {
    cwd: user.home,
  });
  return offered(stdout);
};

const fish: Complete = async (words) => {
  const line = ["moneta", ...words].map((word) => (word === "" ? "" : `'${word}'`)).join(" ");
  const script = `source moneta.fish; complete -C (echo $argv[1])`;
  // fish completes the last word literally, without quotes.
  const plain = line.replaceAll("'", "");
  const { stdout } = await run("fish", ["-N", "-c", script, plain], {
    cwd: user.home,
    env: { PATH: process.env["PATH"], HOME: user.home },
  });
  return offered(stdout.replaceAll(/\t.*$/gm, ""));
};

function offered(stdout: string): string[] {
  return stdout
    .split("\n")
    .filter((word) => word !== "")
    .toSorted();
}

const SHELLS: readonly (readonly [Shell, Complete])[] = [
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
];

const CASES: readonly { readonly typed: readonly string[]; readonly offers: readonly string[] }[] =
  [
    { typed: ["bal"], offers: ["balance"] },
    { typed: ["m"], offers: ["mcp", "multitransfer"] },
    { typed: ["token", "un"], offers: ["unauction", "unsell"] },
    { typed: ["key", ""], offers: ["export", "import", "new", "show"] },
    { typed: ["token", "market", "--s"], offers: ["--side", "--signer", "--state"] },
    { typed: ["token", "market", "--side", ""], offers: ["auction", "buy", "sell"] },
    { typed: ["token", "market", "--json", "--side", "b"], offers: ["buy"] },
    { typed: ["token", "market", "--url", "http://x", "--st"], offers: ["--state"] },
    { typed: ["--url", "http://x", "fau"], offers: ["faucet"] },
    { typed: ["transfer", "MTx", "1", "--me"], offers: ["--memo"] },
    { typed: ["completion", ""], offers: ["bash", "fish", "zsh"] },
    { typed: ["balance", "--key", "key-of"], offers: ["key-of-mine.pem"] },
    { typed: ["balance", "--from", ""], offers: [] },
    { typed: ["verify", "key-of"], offers: ["key-of-mine.pem"] },
    { typed: ["frobnicate", ""], offers: [] },
  ];

for (const [shell, complete] of SHELLS) {
  const isThere = spawnSync(shell, ["--version"]).error === undefined;
  const skip = isThere ? false : `not on this machine: ${shell}`;
  for (const { typed, offers } of CASES) {
    test(`${shell} completes moneta ${typed.join(" ")}`, { skip }, async () => {
      assert.deepEqual(await complete(typed), [...offers].toSorted());
    });
  }

  test(`${shell} offers every command and every flag`, { skip }, async () => {
    const all = COMMANDS.flatMap(({ words, otherWords = [] }) => [words, ...otherWords]);
    const firsts = new Set(all.map((words) => words.split(" ")[0] as string));
    assert.deepEqual(await complete([""]), [...firsts].toSorted());
    assert.deepEqual(await complete(["help", ""]), [...firsts].toSorted());
    for (const words of ["token save", "units create", "watch", "blocks raw"]) {
      const command = COMMANDS.find((each) => each.words === words);
      const flags = command?.flags.map(({ name }) => `--${name}`) ?? [];
      const found = await complete([...words.split(" "), "--"]);
      assert.deepEqual(
        flags.filter((flag) => !found.includes(flag)),
        [],
        words,
      );
    }
  });

  test(`${shell} finds the syntax right`, { skip }, async () => {
    await run(shell, ["-n", join(user.home, `moneta.${shell}`)]);
  });
}
