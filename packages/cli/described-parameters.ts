import { explain, type Parameter, RawParameters, Refused, readRequest } from "@moneta/protocol";
import { isDecimal, notDecimal, type TokenUnits, unitsOf } from "./amounts.ts";
import { type Given, WrongUse } from "./command.ts";
import {
  actorParameter,
  argumentName,
  type DescribedCommand,
  type Description,
  flagName,
  isGiven,
  isSigned,
  type Params,
  shownName,
} from "./described-command.ts";
import { imageUrl, jsonText, sortOf } from "./parameter-text.ts";
import { readPayees } from "./payees.ts";
import type { Session } from "./session.ts";
import { secondsOf } from "./times.ts";

/** Stand in for what is not known before the node is asked. */
const ANY_ADDRESS = "MTAlice00000000000000000000000005dc33c90";
const ANY_TEXT = "x";

/** All parameters as they are sent, without temporary key and signature. Whatever can be found wrong without the node is found before it is asked. */
export async function readParams(
  line: DescribedCommand,
  given: Given,
  session: Session,
): Promise<Params> {
  const params = { ...line.defaults, ...givenParams(line, given) };
  if (line.publicKey !== undefined) {
    params[line.publicKey] = session.key.publicKeyPem;
  }
  for (const [name, { ask }] of Object.entries(line.ifMissing ?? {})) {
    params[name] ??= String((await ask(session)).body);
  }
  const amounts = session.isInUnits
    ? []
    : Object.keys(line.amounts ?? {}).filter((name) => params[name] !== undefined);
  for (const name of amounts) {
    if (!isDecimal(params[name] as string)) {
      throw new WrongUse(notDecimal(params[name] as string, shownName(line, name)));
    }
  }
  const list = line.payees?.parameter ?? "";
  const payees = readPayees(params[list] ?? "", shownName(line, list), session.isInUnits);
  const acting = [line.own, actorParameter(line.description)].filter((name) => name !== undefined);
  for (const name of session.namedAddress === undefined ? [] : acting) {
    params[name] ??= session.namedAddress as string;
  }
  const missing = acting.filter((name) => params[name] === undefined);
  const stand = Object.fromEntries([
    ...missing.map((name) => [name, ANY_ADDRESS] as const),
    ...amounts.map((name) => [name, "1"] as const),
    ...(payees === undefined ? [] : [[list, payees.json(() => "1")] as const]),
  ]);
  // What two parameters must be to each other is asked once both are known.
  const isAll = Object.keys(stand).length === 0;
  const { check: _, ...alone } = line.description;
  check(isAll ? line.description : (alone as Description), { ...params, ...stand }, line);

  if (isSigned(line.description) && !given.has("dry-run")) {
    session.needKey();
  }
  for (const name of missing) {
    params[name] = await session.ownAddress();
  }
  for (const name of amounts) {
    const units = (await line.amounts?.[name]?.(params, session)) as TokenUnits;
    params[name] = unitsOf(params[name] as string, shownName(line, name), units);
    session.sent.set(params[name] as string, units);
  }
  if (payees !== undefined) {
    const units = session.isInUnits ? undefined : await line.payees?.of(params, session);
    const unitsText = (amount: string): string =>
      units === undefined ? amount : unitsOf(amount, "an amount", units);
    params[list] = payees.json(unitsText);
  }
  check(line.description, params, line);
  return params;
}

function givenParams(line: DescribedCommand, given: Given): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(line.description.parameters) as [
    string,
    Parameter<unknown>,
  ][]) {
    const shown = shownName(line, name);
    const isActor = name === actorParameter(line.description);
    const text =
      given.get(line.args?.includes(name) ? argumentName(name) : flagName(line, name)) ??
      (isActor ? given.get("from") : undefined);
    if (text === undefined || !isGiven(line, name, parameter)) {
      continue;
    }
    if (isActor && given.has("from") && given.get("from") !== text) {
      throw new WrongUse(`${shown} and --from are two names of who acts: give one of them`);
    }
    const sort = sortOf(parameter);
    params[name] =
      sort === "json"
        ? jsonText(text, shown)
        : sort === "image"
          ? imageUrl(text, shown)
          : sort === "time" || line.times?.includes(name)
            ? secondsOf(text, shown)
            : text;
  }
  return params;
}

/** Throws a `WrongUse` if the node would refuse the parameters whatever its ledger holds. */
function check(description: Description, params: Params, line: DescribedCommand): void {
  const raw = new RawParameters();
  for (const [name, { role }] of Object.entries(description.parameters) as [
    string,
    Parameter<unknown>,
  ][]) {
    const text = role === "value" ? params[name] : ANY_TEXT;
    if (text !== undefined) {
      raw.add(name, text);
    }
  }
  if (isSigned(description)) {
    raw.add("signed", "full");
  }
  const read = readRequest(description, raw);
  if (!(read instanceof Refused)) {
    return;
  }
  const { fault } = read;
  if (fault.code === "1000" && fault.parameter in description.parameters) {
    throw new WrongUse(`${shownName(line, fault.parameter)} is missing`);
  }
  throw new WrongUse(explain(fault).detail);
}
