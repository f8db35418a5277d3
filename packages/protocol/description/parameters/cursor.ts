import { crc32 } from "../../keys/crc32.ts";
import { parseAmount, parseTokenId, type TokenId } from "../../text/amount.ts";
import { type Refused, refuse } from "../faults.ts";
import { optional, type Parameter, parameter, refuseValue } from "../parameter.ts";
import { UNLOCK_DATE_MAX } from "./dates.ts";
import { boundedInteger } from "./integers.ts";

export function pageLimit(): Parameter<number | undefined> {
  return optional(boundedInteger({ min: 1n, max: 100n }));
}

/** Source: chain §10. */
export interface Cursor<T extends number | string> {
  readonly last: T;
  readonly of: string;
}

const MALFORMED =
  "does not belong to this list: send the cursor of the previous response, or none for the first page";
const OTHER_FILTERS =
  "belongs to this list with another address or other filters: send those of its request, or no cursor for the first page";

/** `list` is part of all its cursors. */
export function cursor(list: string): Parameter<Cursor<number> | undefined> {
  return cursorOf(list, "[1-9][0-9]{0,14}", Number);
}

export function textCursor(list: string): Parameter<Cursor<string> | undefined> {
  return cursorOf(list, "[0-9A-Za-z_]{1,100}", String);
}

/** A number, or two with `_` between them; the first may have many digits, such as a price. */
export type PlaceCursor = Cursor<string>;

export function placeCursor(list: string): Parameter<PlaceCursor | undefined> {
  return cursorOf(list, "[1-9][0-9]{0,14}|[0-9]{1,43}_[1-9][0-9]{0,14}", String);
}

function cursorOf<T extends number | string>(
  list: string,
  last: string,
  toLast: (text: string) => T,
): Parameter<Cursor<T> | undefined> {
  const form = new RegExp(`^${list}\\.(${last})\\.([0-9a-f]{8})$`);
  return optional(
    parameter<Cursor<T> | undefined>({
      meaning: "",
      wanted: "the cursor of the previous answer",
      schema: { type: "string" },
      refusals: ["3005"],
      read(given, name) {
        const [, text, of] = form.exec(given) ?? [];
        return text === undefined || of === undefined
          ? refuse({ code: "3005", parameter: name, reason: MALFORMED })
          : { last: toLast(text), of };
      },
      settle(value, name, values): Cursor<T> | undefined | Refused {
        return value === undefined || value.of === checksumOf(values)
          ? value
          : refuse({ code: "3005", parameter: name, reason: OTHER_FILTERS });
      },
    }),
  );
}

export function cursorText(
  list: string,
  last: number | string,
  values: Readonly<Record<string, unknown>>,
): string {
  return `${list}.${last}.${checksumOf(values)}`;
}

function checksumOf(values: Readonly<Record<string, unknown>>): string {
  const filters = Object.keys(values)
    .filter((name) => name !== "limit" && name !== "cursor")
    .map((name) => [name, String(values[name] ?? "")])
    .filter(([, text]) => text !== "")
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  const text = encodeURIComponent(JSON.stringify(filters));
  return crc32(text).toString(16).padStart(8, "0");
}

/** After `<token>:<unlockdate>`. Source: accounts §9. */
export type BalanceCursor = { readonly token: TokenId; readonly unlockDate: number };

export function balanceCursor(): Parameter<BalanceCursor> {
  const wanted = "<token>:<unlockdate> of the last entry seen";
  return parameter<BalanceCursor>({
    wanted,
    schema: { type: "string", pattern: "^[0-9]+:[0-9]+$" },
    refusals: ["3005"],
    read(given, name) {
      const [token, date, ...more] = given.split(":", 3);
      const tokenId = parseTokenId(token ?? "");
      const unlockDate = parseAmount(date ?? "");
      return tokenId === undefined ||
        unlockDate === undefined ||
        unlockDate > UNLOCK_DATE_MAX ||
        more.length > 0
        ? refuseValue(wanted, name)
        : { token: tokenId, unlockDate: Number(unlockDate) };
    },
  });
}
