import { isDecimal, isSigned, type Parameter, type Parameters } from "@moneta/protocol";
import type { Given } from "../command-line/arguments.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { keyListText, readKeyList } from "../session/key-list.ts";
import { namedToken } from "../session/named-token.ts";
import type { Params, Session } from "../session/session.ts";
import { isShortId, wholeId } from "../session/whole-id.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText, nameOf, notDecimal, type TokenUnits, unitsOf } from "../values/amounts.ts";
import { imageUrl, isSwitch, jsonText, sortOf } from "../values/parameter-text.ts";
import { DIGIT_MEMOS, readPayees } from "../values/payees.ts";
import { ANY_ADDRESS, wrongForm } from "../values/request-form.ts";
import { secondsOf } from "../values/times.ts";
import { tradeUnitsText, wireOffer } from "../values/token-price.ts";
import { wireWord } from "../values/users-words.ts";
import { composed, listArgument, membersOf } from "./element.ts";
import {
  actorParameter,
  argumentName,
  type Description,
  flagName,
  isGiven,
  type Row,
  shownName,
  takesShortId,
} from "./row.ts";

/** As sent, without temporary key and signature. Checks first what needs no request. */
export async function readParams(row: Row, given: Given, session: Session): Promise<Params> {
  const texts = await withIds(row, givenTexts(row, given), session);
  const { flat, isList, wire, names } = composed(row, texts, given);
  const hasDefaults = !isList || row.element?.alone === undefined;
  const params = { ...(hasDefaults && defaultsOf(row, flat, isList)), ...flat };
  for (const [name, shown] of names) {
    session.names.set(name, shown);
  }
  const acting = [row.own, actorParameter(row.description)].filter((name) => name !== undefined);
  for (const name of [...Object.keys(flat), ...acting]) {
    if (name in row.description.parameters) {
      session.parameters.set(name, shownName(row, name));
    }
  }
  if (row.publicKey !== undefined) {
    params[row.publicKey] = session.key.publicKeyPem;
  }
  for (const [name, form] of Object.entries(row.forms ?? {})) {
    if (params[name] !== undefined) {
      params[name] = await form(params[name], session);
    }
  }
  for (const name of row.keyFiles ?? []) {
    const keys = params[name] === undefined ? undefined : readKeyList(params[name]);
    if (keys !== undefined) {
      session.listedKeys.set(name, keys);
      params[name] = keyListText(keys);
    }
  }
  for (const [name, { ask }] of Object.entries(row.ifMissing ?? {})) {
    const found = params[name] ?? (await ask(session, params));
    if (found !== undefined) {
      params[name] = found;
    }
  }
  const members = membersOf(row);
  const order = Object.keys(members);
  const amounts = session.isInUnits
    ? []
    : Object.keys(row.amounts ?? {})
        .filter((name) => params[name] !== undefined)
        .toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const part = row.isPricedPerToken && !session.isInUnits ? params["min_trade_unit"] : undefined;
  if (part !== undefined && !isDecimal(part)) {
    throw new WrongUse(notDecimal(part, "--min-trade-unit"));
  }
  const inputs: Parameters = { ...members, ...row.description.parameters };
  for (const name of amounts) {
    const text = params[name] as string;
    const isNothing = !/[1-9]/.test(text) && inputs[name]?.wanted.includes("from 1") === true;
    if (!isDecimal(text) || isNothing) {
      throw new WrongUse(notDecimal(text, shownName(row, name)));
    }
  }
  const list = row.payees?.parameter ?? "";
  const payees = readPayees(params[list] ?? "", shownName(row, list), {
    isInUnits: session.isInUnits,
    hasDigitMemos: given.has(DIGIT_MEMOS),
  });
  for (const [index, line] of (payees?.lines ?? []).entries()) {
    session.names.set(`${list}[${index}]`, `line ${line}`);
    for (const member of ["address", "amount", "memo"]) {
      session.names.set(`${list}[${index}].${member}`, `the ${member} in line ${line}`);
    }
  }
  for (const name of session.namedAddress === undefined ? [] : acting) {
    params[name] ??= session.namedAddress as string;
  }
  const missing = acting.filter((name) => params[name] === undefined);
  const stand = Object.fromEntries([
    ...missing.map((name) => [name, ANY_ADDRESS] as const),
    // Rules compare members of an entry, so their placeholders ascend.
    ...amounts.map(
      (name, index) =>
        [
          name,
          name in members ? String(/[1-9]/.test(params[name] as string) ? index + 1 : 0) : "1",
        ] as const,
    ),
    ...(part === undefined ? [] : [["min_trade_unit", "1"] as const]),
    ...(payees === undefined ? [] : [[list, payees.json(() => "1")] as const]),
  ]);
  // Rules between parameters need all values.
  const isAll = Object.keys(stand).length === 0;
  const { check: _, ...alone } = row.description;
  const first = wire({ ...params, ...stand });
  check(isAll ? row.description : (alone as Description), first, row, session);

  if (isSigned(row.description) && row.perform === undefined && !given.has("dry-run")) {
    session.needKey();
  }
  for (const name of missing) {
    params[name] = await session.ownAddress();
  }
  const isOffer = row.isPricedPerToken === true && !session.isInUnits;
  for (const name of amounts) {
    const units = (await row.amounts?.[name]?.(params, session)) as TokenUnits;
    if (isOffer && name === "price") {
      Object.assign(params, await offerOf(params, { row, money: units }, session));
      continue;
    }
    params[name] = unitsOf(params[name] as string, shownName(row, name), units);
    session.sent.set(params[name] as string, visible(amountText(params[name] as string, units)));
    session.typed.set(name, units);
  }
  if (row.guard !== undefined) {
    Object.assign(params, await row.guard(params, session));
  }
  if (payees !== undefined) {
    const units = session.isInUnits ? undefined : await row.payees?.of(params, session);
    const unitsText = (amount: string): string =>
      units === undefined ? amount : unitsOf(amount, "an amount", units);
    params[list] = payees.json(unitsText);
  }
  const sent = wire(params);
  check(row.description, sent, row, session);
  return sent;
}

/** Tokens may be named, and reads take short ids. */
async function withIds(row: Row, texts: Params, session: Session): Promise<Params> {
  const inputs: Parameters = { ...membersOf(row), ...row.description.parameters };
  const ids: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const input = inputs[name];
    if (input !== undefined && sortOf(input) === "token") {
      ids[name] = await namedToken(text, shownName(row, name), session);
    } else if (takesShortId(row, name) && isShortId(text)) {
      ids[name] = await wholeId(text, shownName(row, name), session);
    }
  }
  return { ...texts, ...ids };
}

/** Price and trade unit for the wire; `amount` is already an integer. */
async function offerOf(
  params: Params,
  { row, money }: { readonly row: Row; readonly money: TokenUnits },
  session: Session,
): Promise<Params> {
  const { price = "", amount = "0", min_trade_unit: part } = params;
  const goods = (await row.amounts?.["amount"]?.(params, session)) as TokenUnits;
  const unit = part === undefined ? undefined : unitsOf(part, "--min-trade-unit", goods);
  if (unit !== undefined && !/^10{0,8}$/.test(unit)) {
    throw new WrongUse(`--min-trade-unit is ${part}, but must be ${tradeUnitsText(goods)}`);
  }
  const offer = wireOffer(
    { price, amount: BigInt(amount), ...(unit !== undefined && { unit: BigInt(unit) }) },
    { goods, money },
  );
  session.sent.set(offer.price, `${price} ${nameOf(money)} each`);
  return { ...offer };
}

function defaultsOf(row: Row, flat: Params, isList: boolean): Params {
  const members = membersOf(row);
  return Object.fromEntries(
    Object.entries(row.defaults ?? {}).filter(
      ([name]) => !(isList && name in members) && flat[name] === undefined,
    ),
  );
}

function givenTexts(row: Row, given: Given): Params {
  const params: Record<string, string> = {};
  const slot = listArgument(row);
  const inputs = { ...membersOf(row), ...row.description.parameters };
  for (const [name, parameter] of Object.entries(inputs) as [string, Parameter<unknown>][]) {
    const shown = shownName(row, name);
    const isActor = name === actorParameter(row.description);
    const text =
      given.get(row.args?.includes(name) ? argumentName(name) : flagName(row, name)) ??
      (isActor ? given.get("from") : undefined);
    if (text === undefined || !isGiven(row, name, parameter)) {
      continue;
    }
    if (isActor && given.has("from") && given.get("from") !== text) {
      throw new WrongUse(`${shown} and --from both name the acting address: give one of them`);
    }
    if (isSwitch(parameter)) {
      params[name] = "1";
      continue;
    }
    const sort = sortOf(parameter);
    params[name] =
      name === slot
        ? text
        : sort === "json"
          ? jsonText(text, shown)
          : sort === "image"
            ? imageUrl(text, shown)
            : sort === "time"
              ? secondsOf(text, shown)
              : sort === "word"
                ? wireWord(parameter, text)
                : text;
  }
  return params;
}

/** Throws a `WrongUse` if every node would refuse the parameters. */
function check(description: Description, params: Params, row: Row, session: Session): void {
  const wrong = wrongForm(description, params);
  if (wrong === undefined) {
    return;
  }
  const { code, detail, parameter = "" } = wrong;
  const own = parameter in description.parameters ? shownName(row, parameter) : undefined;
  const shown = session.names.get(parameter) ?? own;
  if (code === "1000" && shown !== undefined) {
    throw new WrongUse(`${shown} is missing`);
  }
  const named =
    own !== undefined && detail.startsWith(`${parameter} `)
      ? `${own}${detail.slice(parameter.length)}`
      : detail;
  throw new WrongUse(session.inDecimals(session.inOwnWords(named)));
}
