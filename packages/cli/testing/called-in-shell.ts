import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { IS_LAST_LANE } from "../../ledger/testing/lane.ts";
import { type CommandRuns, ENTRY } from "./command-runs.ts";

/** Calls of this process, except the command that reads its input. */
const CALLED = `moneta() {
  if [ "$1" = propose ]; then command moneta "$@"; return; fi
  eval "$(printf '%s\\0' "$PWD" "\${MONETA_KEY-}" "$@" | curl -sS --data-binary @- "$CALLS")"
}
`;

/** Puts the program and its Node at a clone's places in the user's home. */
export function linkPrograms(home: string): void {
  const programs = join(home, "node_modules", ".bin");
  mkdirSync(programs, { recursive: true });
  symlinkSync(ENTRY, join(programs, "moneta"));
  symlinkSync(process.execPath, join(programs, "node"));
}

/**
 * What makes `moneta` in bash a call of this process: a call takes a sixth of the CPU of a process,
 * which the last lane uses.
 */
export class CalledInShell implements Disposable {
  /** First lines of the script. */
  readonly definition: string;
  readonly #server: Server | undefined;

  private constructor(definition: string, server: Server | undefined) {
    this.definition = definition;
    this.#server = server;
  }

  /** The user's home must have the linked programs. */
  static async start(user: CommandRuns): Promise<CalledInShell> {
    if (IS_LAST_LANE) {
      return new CalledInShell("", undefined);
    }
    const server = createServer(async (request, response) => {
      const [folder = "", key = "", ...args] = (await text(request)).split("\0").slice(0, -1);
      const ownFolder = process.cwd();
      process.chdir(folder);
      let answer: string;
      try {
        const { code, stdout, stderr } = await user.call(
          args,
          key === "" ? {} : { MONETA_KEY: key },
        );
        answer = `printf %s ${quoted(stdout)}; printf %s ${quoted(stderr)} >&2; (exit ${code ?? 1})`;
      } catch (thrown) {
        answer = `printf %s ${quoted(inspect(thrown))} >&2; (exit 70)`;
      } finally {
        process.chdir(ownFolder);
      }
      response.end(answer);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return new CalledInShell(`CALLS=http://127.0.0.1:${port}\n${CALLED}`, server);
  }

  [Symbol.dispose](): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

function quoted(printed: string): string {
  return `'${printed.replaceAll("'", "'\\''")}'`;
}
