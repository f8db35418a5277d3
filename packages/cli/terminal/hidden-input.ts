import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { WrongUse } from "../command-line/wrong-use.ts";

/** Reads a line without echo; throws a `WrongUse` if the user gives up. */
export async function readHidden(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const unseen = new Writable({ write: (_piece, _encoding, done) => done() });
  // `terminal` makes the terminal itself echo nothing.
  const reader = createInterface({ input: stdin, output: unseen, terminal: true, historySize: 0 });
  stderr.write(prompt);
  try {
    return await new Promise<string>((resolve, reject) => {
      const giveUp = (): void => reject(new WrongUse("given up: nothing was read or written"));
      reader.once("line", resolve);
      reader.once("SIGINT", giveUp);
      reader.once("close", giveUp);
    });
  } finally {
    reader.close();
    stderr.write("\n");
  }
}
