import { mrc020 } from "@moneta/protocol";
import { openingKey, seal } from "@moneta/sdk";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { writeNew } from "../session/key-file.ts";
import { ledgerTime } from "../session/ledger-time.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { wrongForm } from "../values/request-form.ts";
import { secondsOf, TIME_FORMS, timeText, utcText } from "../values/times.ts";

export const sealKey: Command = {
  words: "seal key",
  about:
    "Makes a new key with random characters, and the keyhash for moneta seal create. Sends nothing.",
  args: [
    { name: "reference", about: "1 to 64 of 0-9A-Za-z_, new among the address's sealed texts" },
    {
      name: "date",
      about: `the earliest time at which it can be opened: ${TIME_FORMS}`,
    },
    {
      name: "text",
      about: "what is sealed, to which 16 random bytes are added; 32 random bytes if left out",
      isOptional: true,
    },
  ],
  flags: [
    { name: "data", placeholder: "TEXT", about: "a ciphertext, which the key decrypts" },
    {
      name: "algorithm",
      placeholder: "TEXT",
      about: "the algorithm by which the key decrypts the data",
    },
    {
      name: "out",
      placeholder: "FILE",
      about: "a new file that only you can read, for the key; else it is printed",
    },
  ],
  details:
    "Keep the key, and keep it secret until the date: without it the text cannot be opened. It is bound to the ledger, the address, the reference, the date and the data, which moneta seal create must get as they are here.",
  async run(given, session) {
    const { output } = session;
    const [data, algorithm] = [given.get("data"), given.get("algorithm")];
    const date = secondsOf(given.get("date") ?? "", "DATE");
    const { ledger_id: ledgerId } = await session.service();
    const sealing = {
      ...{ ledgerId, owner: await session.ownAddress(), opendate: Number(date) },
      ...{ referencekey: given.get("reference") ?? "", data, algorithm },
    };
    const file = given.get("out");
    const key = keyOf(given.get("text"));
    if (file !== undefined || !output.isJson) {
      refuseLines(key);
    }
    const { keyhash } = await seal(sealing, key);
    refuseForm({ ...sealing, opendate: date, keyhash });
    const now = await ledgerTime(sealing.owner, session);
    if (now !== undefined && sealing.opendate <= now) {
      throw new WrongUse(
        `DATE is ${timeText(sealing.opendate, true)} but must be later than the ledger's time, ${timeText(now, true)}`,
      );
    }
    if (file !== undefined) {
      writeNew(file, `${linesOf(key, keyhash)}\n`, KEY_EXISTS);
    }
    const same = data === undefined && algorithm === undefined ? "" : ", with the same data";
    // The keyhash is bound to address and ledger: with others, no key opens the text.
    const bound = ["from", "url"].flatMap((name) => {
      const value = given.get(name);
      return value ? [`--${name}`, shellWord(value)] : [];
    });
    const create = [
      "moneta seal create",
      sealing.referencekey,
      utcText(sealing.opendate),
      "--key-hash",
      keyhash,
    ];
    output.result(
      { ...(file === undefined && { key }), keyhash, opendate: date },
      file === undefined ? linesOf(key, keyhash) : keyhash,
      session.withSameKey(
        `Keep ${file ?? "the key"}. To seal it${same}: ${[...create, ...bound].join(" ")}`,
      ),
    );
    return EXIT.done;
  },
};

const KEY_EXISTS = "a key is never overwritten: name another file with --out FILE";

/** Unescaped, because any other text would open nothing. */
function linesOf(key: string, keyhash: string): string {
  return `key      ${key}\nkeyhash  ${keyhash}`;
}

/** Throws a `WrongUse` for a key that would change when it is read from its line. */
function refuseLines(key: string): void {
  if (/^\s|[\n\r]/.test(key)) {
    throw new WrongUse(
      "TEXT begins with a blank or has line ends, but its key is kept in one line: join the lines; or --json without --out prints the key of any text",
    );
  }
}

/** Parameters that are arguments; the others are flags. */
const ARGUMENTS: Readonly<Record<string, string>> = { referencekey: "REFERENCE", opendate: "DATE" };

function refuseForm(params: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(params).filter(
    (each): each is [string, string] => each[1] !== undefined && each[0] in mrc020.parameters,
  );
  // Only an unlikely time names no parameter.
  const { detail, parameter = "opendate" } = wrongForm(mrc020, Object.fromEntries(given)) ?? {};
  if (detail !== undefined) {
    throw new WrongUse(detail.replace(parameter, ARGUMENTS[parameter] ?? `--${parameter}`));
  }
}

function keyOf(text: string | undefined): string {
  try {
    return openingKey(text);
  } catch (thrown) {
    throw new WrongUse(`TEXT cannot be sealed: ${(thrown as Error).message}`);
  }
}
