import { nearest } from "@moneta/protocol";
import type { Command } from "./command.ts";

export const COMMANDS_MEANT: Readonly<Record<string, readonly string[]>> = {
  ...{ swap: ["exchange", "group", "order request"], trade: ["order request", "token buy"] },
  ...{ send: ["transfer"], pay: ["transfer"], airdrop: ["multitransfer"] },
  ...{ mint: ["item create", "units create"], nft: ["item", "project"], collection: ["project"] },
  ...{ find: ["search"], lookup: ["search"], wallet: ["key", "address"], account: ["address"] },
  ...{ login: ["key new"], status: ["info"], version: ["info"], events: ["watch"] },
  ...{ tail: ["watch"], txs: ["transactions"], mempool: ["watch"], approve: ["grant"] },
  ...{ mrc010: ["token"], mrc020: ["seal"], mrc040: ["order"], mrc400: ["project"] },
  ...{ mrc401: ["item"], mrc402: ["units"] },
};

const COMMANDS_MAX = 5;

/** ` Did you mean moneta token sell?`, or nothing. `prefix` precedes each command. */
export function commandsMeant(
  given: readonly string[],
  commands: readonly Command[],
  prefix = "moneta ",
): string {
  const meant = meantBy(given, commands);
  const names = meant.slice(0, COMMANDS_MAX).map((each) => `${prefix}${each}`);
  return names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;
}

function meantBy(given: readonly string[], commands: readonly Command[]): readonly string[] {
  const [typed = ""] = given;
  const [first = "", second = ""] = given.map((word) => word.toLowerCase());
  const words = commands.flatMap((command) => [command.words, ...(command.otherWords ?? [])]);
  const firsts = new Set(words.map((each) => each.split(" ")[0] as string));
  const names = [...firsts, ...Object.keys(COMMANDS_MEANT)];
  const ofOperation = commands.filter(({ operation }) => operation?.toLowerCase() === first);
  if (!names.includes(first) && ofOperation.length > 0) {
    return ofOperation.map((command) => command.words);
  }
  const ofSecond = words.filter((each) => each.endsWith(` ${first}`));
  if (!names.includes(first) && ofSecond.length > 0) {
    return ofSecond;
  }
  const begun = first.length > 2 ? names.find((one) => one.startsWith(first)) : undefined;
  const name = names.includes(first) ? first : (begun ?? nearest(first, names));
  if (name === undefined) {
    return [];
  }
  const groups = firsts.has(name) ? [name] : (COMMANDS_MEANT[name] ?? []);
  const within = groups.flatMap((group) => {
    const inGroup = words.filter((each) => each.startsWith(`${group} `));
    const seconds = inGroup.map((each) => each.slice(group.length + 1));
    const like = seconds.includes(second) ? second : nearest(second, seconds);
    return second === "" || like === undefined ? [] : [`${group} ${like}`];
  });
  return within.length > 0 || firsts.has(typed) ? within : groups;
}
