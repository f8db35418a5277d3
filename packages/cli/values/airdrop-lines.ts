import { createHash } from "node:crypto";
import { mrc401Create } from "@moneta/protocol";
import { attributeValue } from "@moneta/sdk";
import Papa from "papaparse";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { OperationLine, WrongLine } from "./operation-lines.ts";
import { secondsOf } from "./times.ts";

const HANDED_OUT = ["to", "item", "amount"] as const;

/** Members of a new item: one created for another address cannot be listed. */
const CREATED = [
  ...["to", "item_id", "item_url", "item_image_url", "groupid", "sell_fee", "melt_fee"],
  ...["transferable", "expiredate", "face_price", "face_token", "initial_reserve", "initial_token"],
] as const;
const AMOUNTS: Readonly<Record<string, string>> = {
  face_price: "face_token",
  initial_reserve: "initial_token",
};

const ATTRIBUTE = /^attribute:([^:]{1,64})$/;
const ITEM_NUMBER = /^[0-9A-Za-z]{40}$/;

export interface Airdrop {
  readonly lines: readonly (OperationLine | WrongLine)[];
  readonly creates: boolean;
}

/**
 * Reads a CSV table with column names: each line creates an item of `project` for `to`, or
 * transfers `item`. `unitsOf` converts decimals. Throws a `WrongUse` for a contradictory table.
 * Source: policies §9.
 */
export async function readAirdrop(
  text: string,
  {
    project,
    unitsOf,
  }: {
    readonly project: string | undefined;
    readonly unitsOf: (amount: string, name: string, token: string) => Promise<string>;
  },
): Promise<Airdrop> {
  const [head, ...rows] = rowsOf(text.replace(/^\ufeff/, ""));
  const titles = head?.cells ?? [];
  const creates = !titles.includes("item");
  const columns: readonly string[] = creates ? CREATED : HANDED_OUT;
  const unknown = titles.find((title) => !columns.includes(title) && !attributeOf(title, creates));
  if (!titles.includes("to")) {
    throw new WrongUse("the first line must name the columns, and there is none of the name to");
  }
  if (unknown !== undefined || new Set(titles).size < titles.length) {
    throw new WrongUse(
      unknown === undefined
        ? "a column occurs twice"
        : `there is no column ${unknown || "without a name"}: a table ${
            creates
              ? `of new items may have ${columns.join(", ")}, name and attribute:NAME; one with item hands out existing ones`
              : `with item may have ${columns.join(", ")}`
          }`,
    );
  }
  if (creates && project === undefined) {
    throw new WrongUse(
      "there is no column item, so that items are created: --project PROJECT names their project",
    );
  }
  if (rows.length === 0) {
    throw new WrongUse("there is no line behind the names of the columns");
  }
  const taken = new Map<string, number>();
  const lines: (OperationLine | WrongLine)[] = [];
  for (const { number, cells } of rows) {
    const values = Object.fromEntries(
      titles.flatMap((title, index) => {
        const cell = cells[index] ?? "";
        return cell === "" ? [] : [[title, cell] as const];
      }),
    );
    const wrong = wrongCells(values, { cells, titles, creates });
    const item = values["item"];
    const before = item === undefined ? undefined : taken.get(item);
    if (wrong !== undefined) {
      lines.push({ number, wrong });
    } else if (before !== undefined && values["amount"] === undefined) {
      lines.push({ number, wrong: `column item: line ${before} hands out the same` });
    } else {
      taken.set(item ?? "", number);
      try {
        const write = creates
          ? await creation(values, { project: project as string, unitsOf })
          : transfer(values, project);
        const hash = createHash("sha256")
          .update(JSON.stringify([write, cells]))
          .digest("hex");
        lines.push({ number, hash, write });
      } catch (thrown) {
        if (!(thrown instanceof WrongUse)) {
          throw thrown;
        }
        lines.push({ number, wrong: thrown.message });
      }
    }
  }
  return { lines, creates };
}

type Cells = Readonly<Record<string, string>>;

function attributeOf(title: string, creates: boolean): string | undefined {
  return creates ? (title === "name" ? "name" : ATTRIBUTE.exec(title)?.[1]) : undefined;
}

function wrongCells(
  values: Cells,
  {
    cells,
    titles,
    creates,
  }: {
    readonly cells: readonly string[];
    readonly titles: readonly string[];
    readonly creates: boolean;
  },
): string | undefined {
  const missing = (creates ? ["to"] : ["to", "item"]).find((title) => values[title] === undefined);
  if (missing !== undefined) {
    return `column ${missing} is empty`;
  }
  return cells.slice(titles.length).some((cell) => cell !== "")
    ? "it has more cells than there are columns: put quotes around a cell with a comma in it"
    : undefined;
}

/** Of units if there is an amount, or if the id can only be of units. */
function transfer(
  { to = "", item = "", amount }: Cells,
  project: string | undefined,
): OperationLine["write"] {
  const id = ITEM_NUMBER.test(item) && project !== undefined ? `${project}_${item}` : item;
  return amount === undefined && !id.startsWith("MRC402_")
    ? { operation: "mrc401transfer", mrc401id: id, toAddr: to }
    : { operation: "mrc402transfer", mrc402id: id, toAddr: to, amount: amount ?? "1" };
}

async function creation(
  values: Cells,
  {
    project,
    unitsOf,
  }: Pick<Parameters<typeof readAirdrop>[1], "unitsOf"> & { readonly project: string },
): Promise<OperationLine["write"]> {
  const item: Record<string, unknown> = {};
  const attributes: Record<string, unknown> = {};
  for (const [title, text] of Object.entries(values)) {
    const attribute = attributeOf(title, true);
    const ofToken = AMOUNTS[title];
    if (attribute !== undefined) {
      attributes[attribute] = attributeValue(text);
    } else if (ofToken !== undefined) {
      item[title] = await unitsOf(text, `column ${title}`, values[ofToken] ?? "0");
    } else {
      item[title] = title === "expiredate" ? secondsOf(text, `column ${title}`) : text;
    }
  }
  const itemdata = [Object.keys(attributes).length === 0 ? item : { ...item, attributes }];
  return { operation: mrc401Create.name, mrc400id: project, itemdata };
}

interface CsvRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Non-empty rows, with the delimiter of the first line. */
function rowsOf(text: string): readonly CsvRow[] {
  const { data } = Papa.parse<string[]>(text, {
    delimiter: /[,;\t]/.exec(text.split("\n", 1)[0] ?? "")?.[0] ?? ",",
  });
  let next = 1;
  return data.flatMap((cells) => {
    const number = next;
    next += cells
      .join("")
      .replace(/\r$/, "")
      .split(/\r\n|\r|\n/).length;
    const trimmed = cells.map((cell) => cell.trim());
    return trimmed.every((cell) => cell === "") ? [] : [{ number, cells: trimmed }];
  });
}
