import {
  type OpenTerm,
  ownerPowersText,
  type Proposal,
  type ProposalEffects,
  type ProposalForecast,
  type ProposalOwnerPowers,
  type ProposalWarning,
  type SignerWeight,
  type Thing,
} from "@moneta/sdk";
import { inTokens, placeOf } from "../session/explain-error.ts";
import type { Session } from "../session/session.ts";
import { keyValues } from "../terminal/table.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText, unitsText } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";
import { itemText, sentenceText } from "./sentence.ts";

/** Depends on the state at execution. Source: batches §2.11. */
const DEPENDS: { readonly [term in OpenTerm]: string } = {
  fees: "the part of the price that goes to others than the seller",
  reserve: "how much the reserve pays out",
  outcome: "whether the bid stands, buys at once, or is refused",
  draft: "which draft becomes the token",
};

const OF_EVERY_OPERATION: ReadonlySet<string> = new Set(["group", "signed"]);
/** `exchangeLines` shows these as amounts. */
const OF_SIDES = /^(?:from|to)(?:Addr|Amount|Token|Feesendto|Feeamount|Feetoken)$/;

export async function proposalText(proposal: Proposal, session: Session): Promise<string> {
  const { output } = session;
  const { weights } = proposal;
  const head = keyValues(
    [
      ["id", proposal.id],
      ["ledger", proposal.ledgerId],
      ["valid until", timeText(proposal.expiresAt, true)],
    ],
    output,
  );
  const operations = await Promise.all(
    proposal.operations.map(async (one, index) => {
      const { operation, params, signers } = one;
      const states = weights
        .filter(({ address }) => signers.includes(address))
        .map((weight) => `${whoseKeys(weight)}, ${signedText(weight)}`);
      const title = `${index + 1}. ${operation} by ${states.join("; ")}`;
      const isExchange = operation === "exchange";
      const shown = Object.entries(params).filter(
        ([name, value]) =>
          !OF_EVERY_OPERATION.has(name) &&
          !signers.includes(value) &&
          !(isExchange && OF_SIDES.test(name)),
      );
      const { token = "", amount = "" } = operation === "transfer" ? params : {};
      const paid =
        token === "" || session.isInUnits ? "" : ` (${await tokenText(token, amount, session)})`;
      const lines = [
        ...(isExchange ? await exchangeLines(params, session) : []),
        ...shown.map(
          ([name, value]) => `${name}: ${visible(value)}${name === "amount" ? paid : ""}`,
        ),
      ];
      return [output.styled("bold", title), ...lines.map((line) => `   ${line}`)].join("\n");
    }),
  );
  return [head, ...operations].join("\n\n");
}

export function whoseKeys({ address, isProof }: SignerWeight): string {
  return isProof === true ? `new keys of ${address}` : address;
}

export function signedText({ needed, given, keys, signed }: SignerWeight): string {
  const by = signed.length === 0 || keys.length === 1 ? "" : ` by key ${signed.join(", ")}`;
  return given >= needed
    ? `signed${by}`
    : signed.length === 0
      ? "not signed yet"
      : `signed${by}: weight ${given} of ${needed}`;
}

/** Amounts of both sides, and their fees. Source: protocols §2. */
async function exchangeLines(
  params: Readonly<Record<string, string>>,
  session: Session,
): Promise<readonly string[]> {
  const lines = (["from", "to"] as const).map(async (side) => {
    const of = (name: string): string => params[`${side}${name}`] ?? "";
    const gives = await tokenText(of("Token"), of("Amount"), session);
    const own = `${visible(of("Addr"))} gives ${gives}`;
    const fee = of("Feeamount");
    if (fee === "" || fee === "0") {
      return [own];
    }
    const feeText = await tokenText(of("Feetoken"), fee, session);
    return [own, `and pays a fee of ${feeText} to ${visible(of("Feesendto"))}`];
  });
  return (await Promise.all(lines)).flat();
}

export function warningTexts(proposal: Proposal): readonly string[] {
  return proposal.warnings().map(warningText);
}

export function powersTexts(all: readonly ProposalOwnerPowers[]): readonly string[] {
  return all.map(({ item, powers }) =>
    visible(
      powers === "unknown"
        ? `${item} is not on the ledger yet: the owner of its project may change its fees, and bind it if it is Temporary`
        : `${item}: ${ownerPowersText(powers)}`,
    ),
  );
}

function warningText(warning: ProposalWarning): string {
  switch (warning.is) {
    case "long":
      return `the proposal can be done until ${timeText(warning.expiresAt)}, in more than an hour: until then the last signer can wait and see how prices change`;
    case "expired":
      return `the first temporary key has expired at ${timeText(warning.expiresAt)}: the proposal can no longer be done`;
    case "unguarded":
      return `operation ${warning.index + 1} would pay any price, or for any lot, without ${warning.missing.join(" and ")}: moneta sign refuses it`;
    case "open":
      return `operation ${warning.index + 1} depends on the state when the proposal is done: ${warning.depends.map((term) => DEPENDS[term]).join(", and ")}`;
  }
}

export function shownEffects(proposal: Proposal, forecast: ProposalForecast): readonly object[] {
  return parties(proposal, forecast).map(({ address, gives, gets }) => ({ address, gives, gets }));
}

export async function effectsText(
  proposal: Proposal,
  forecast: ProposalForecast,
  { address, session }: { readonly address?: string | undefined; readonly session: Session },
): Promise<string> {
  const { problem } = forecast;
  const all = parties(proposal, forecast).toSorted(
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
      ...(await termsOf(effects, session)),
    ];
    const who = effects.address === address ? `${effects.address} (you)` : effects.address;
    blocks.push([who, ...(lines.length === 0 ? ["gives and gets nothing"] : lines)].join("\n  "));
  }
  return blocks.join("\n");
}

/** Whether the node only ran out of time. Source: batches §2, Clients. */
function isUnfinished({ code }: { readonly code: string }): boolean {
  return code === "9002";
}

function parties(proposal: Proposal, forecast: ProposalForecast): readonly ProposalEffects[] {
  const all = new Set([...proposal.signers, ...forecast.addresses]);
  return [...all].map((address) => forecast.of(address));
}

async function thingText(verb: string, thing: Thing, session: Session): Promise<string> {
  switch (thing.is) {
    case "item":
      return `${verb} ${visible(await itemText(thing.item, session))}`;
    case "units":
      return `${verb} ${unitsText(thing.amount)} of ${visible(await itemText(thing.item, session))}`;
    case "token":
      return `${verb} ${await tokenText(thing.token, String(thing.amount), session)}`;
  }
}

/** The proposal itself may create the token. */
async function tokenText(token: string, amount: string, session: Session): Promise<string> {
  const known =
    session.isInUnits || !/^\d+$/.test(amount)
      ? undefined
      : await session.units(token).catch(() => undefined);
  return visible(known === undefined ? `${amount} of token ${token}` : amountText(amount, known));
}

/** Records that move nothing, such as putting on sale. */
async function termsOf({ steps }: ProposalEffects, session: Session): Promise<readonly string[]> {
  const silent = steps.filter(
    ({ movement: { tokens, items, units } }) => tokens.size + items.size + units.size === 0,
  );
  return await Promise.all(
    silent.map(({ record }) => sentenceText(record, { isWhole: true, namesItems: true }, session)),
  );
}
