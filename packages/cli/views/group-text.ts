import {
  type DescribedRecord,
  describe,
  type Group,
  type GroupEffects,
  type GroupForecast,
  type GroupOwnerPowers,
  type GroupWarning,
  type OpenTerm,
  ownerPowersText,
  type Thing,
} from "@moneta/sdk";
import { inTokens, placeOf } from "../session/explain-error.ts";
import type { Session } from "../session/session.ts";
import type { Output } from "../terminal/output.ts";
import { keyValues } from "../terminal/table.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";

/** What depends on the state in which the group is done. Source: batches §2.11. */
const DEPENDS: { readonly [term in OpenTerm]: string } = {
  fees: "which part of the price goes to others than the seller",
  reserve: "how much the reserve pays out",
  outcome: "whether the bid stands, buys at once, or is refused",
  draft: "which draft becomes the token",
};

/** Members that every operation of a group has, and that say nothing about it. */
const OF_EVERY_OPERATION: ReadonlySet<string> = new Set(["group", "signed"]);

/** What is in a group: its id, its time, its operations with all that is signed. */
export function groupText(group: Group, output: Output): string {
  const head = keyValues(
    [
      ["group", group.id],
      ["ledger", group.ledgerId],
      ["valid until", timeText(group.expiresAt, true)],
    ],
    output,
  );
  const operations = group.operations.map(({ operation, actor, params, signature }, index) => {
    const title = `${index + 1}. ${operation} by ${actor}, ${signature === undefined ? "not signed yet" : "signed"}`;
    const shown = Object.entries(params).filter(
      ([name, value]) => !OF_EVERY_OPERATION.has(name) && value !== actor,
    );
    const lines = shown.map(([name, value]) => `   ${name}: ${visible(value)}`);
    return [output.styled("bold", title), ...lines].join("\n");
  });
  return [head, ...operations].join("\n\n");
}

/** What a signer should know, a sentence each. */
export function warningTexts(group: Group): readonly string[] {
  return group.warnings().map(warningText);
}

/** What owners of projects may still change of the items in a group, a sentence each. */
export function powersTexts(all: readonly GroupOwnerPowers[]): readonly string[] {
  return all.map(({ item, powers }) =>
    visible(
      powers === "unknown"
        ? `${item} is not on the ledger yet: the owner of its project may change its fees, and bind it if it is Temporary`
        : `${item}: ${ownerPowersText(powers)}`,
    ),
  );
}

function warningText(warning: GroupWarning): string {
  switch (warning.is) {
    case "long":
      return `the group can be done until ${timeText(warning.expiresAt)}, in more than an hour: whoever signs last can wait so long and see how prices change`;
    case "expired":
      return `the first temporary key has expired at ${timeText(warning.expiresAt)}: the group can no longer be done`;
    case "unguarded":
      return `operation ${warning.index + 1} would pay any price, or for any lot, without ${warning.missing.join(" and ")}: moneta group sign refuses it`;
    case "open":
      return `operation ${warning.index + 1} depends on the state when the group is done: ${warning.depends.map((term) => DEPENDS[term]).join(", and ")}`;
  }
}

/** Effects as JSON, for each address that they concern. */
export function shownEffects(group: Group, forecast: GroupForecast): readonly object[] {
  return parties(group, forecast).map(({ address, gives, gets }) => ({ address, gives, gets }));
}

/** What each party gives and gets, first the one that reads it. */
export async function effectsText(
  group: Group,
  forecast: GroupForecast,
  { address, session }: { readonly address?: string | undefined; readonly session: Session },
): Promise<string> {
  const { problem } = forecast;
  const all = parties(group, forecast).toSorted(
    (a, b) => Number(b.address === address) - Number(a.address === address),
  );
  const blocks: string[] = [""];
  if (problem !== undefined) {
    const text = visible(await inTokens(problem, session));
    const means = isUnfinished(problem)
      ? "The node has not finished its forecast"
      : "Now it would be refused";
    blocks.push(`${means}: ${placeOf(problem)}${text} (${problem.code})`);
    blocks.push("The operations before that:");
  }
  for (const effects of all) {
    const lines = [
      ...(await Promise.all(effects.gives.map((one) => thingText("gives", one, session)))),
      ...(await Promise.all(effects.gets.map((one) => thingText("gets", one, session)))),
      ...termsOf(effects),
    ];
    const who = effects.address === address ? `${effects.address} (you)` : effects.address;
    blocks.push([who, ...(lines.length === 0 ? ["gives and gets nothing"] : lines)].join("\n  "));
  }
  return blocks.join("\n");
}

/** Whether the node only had no time for more of a forecast. Source: batches §2, Clients. */
export function isUnfinished({ code }: { readonly code: string }): boolean {
  return code === "9002";
}

/** Signers first, then others that it concerns. */
function parties(group: Group, forecast: GroupForecast): readonly GroupEffects[] {
  const all = new Set([...group.signers, ...forecast.addresses]);
  return [...all].map((address) => forecast.of(address));
}

async function thingText(verb: string, thing: Thing, session: Session): Promise<string> {
  switch (thing.is) {
    case "item":
      return `${verb} ${visible(thing.item)}`;
    case "units":
      return `${verb} ${thing.amount === 1n ? "1 unit" : `${thing.amount} units`} of ${visible(thing.item)}`;
    case "token": {
      const { token } = thing;
      const amount = String(thing.amount);
      // A token that the group itself creates is not on the ledger yet.
      const known = session.isInUnits
        ? undefined
        : await session.units(token).catch(() => undefined);
      const text = known === undefined ? `${amount} of token ${token}` : amountText(amount, known);
      return `${verb} ${visible(text)}`;
    }
  }
}

/** What it does besides: records that move nothing, such as putting on sale. */
function termsOf({ steps }: GroupEffects): readonly string[] {
  const silent = steps.filter(
    ({ movement: { tokens, items, units } }) => tokens.size + items.size + units.size === 0,
  );
  return silent.map(({ record }) => sentence(record));
}

function sentence(record: DescribedRecord): string {
  const { says, about } = describe(record);
  return visible([says === "" ? record.type : says, ...about].join(" "));
}
