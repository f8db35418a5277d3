import type { FaultCode } from "./faults.ts";
import { type AnyOperation, type AnyRead, isSigned, signersOf } from "./operation.ts";
import { type Parameter, refusalsOfOne } from "./parameter.ts";

/** Source: conventions §3. */
export const GENERAL_REFUSALS: readonly FaultCode[] = [
  "1005",
  "1006",
  "1007",
  "1008",
  "6013",
  "9001",
  "9002",
  "9003",
  "9004",
  "9006",
  "9404",
  "9405",
  "9408",
  "9413",
  "9415",
  "9431",
  "9500",
];

const SIGNING_REFUSALS: readonly FaultCode[] = [
  "2010",
  "2011",
  "2020",
  "2021",
  "2230",
  "3005",
  "3020",
];

const GRANT_REFUSALS: readonly FaultCode[] = ["6014", "7003", "7004", "7005", "7209"];

const PROOF_REFUSALS: readonly FaultCode[] = ["2012"];

const AS_OF_REFUSALS: readonly FaultCode[] = ["6012"];

export function impliedRefusals(description: AnyOperation | AnyRead): ReadonlySet<FaultCode> {
  const { route, otherRoutes = [], parameters } = description;
  const routes = [...(route === undefined ? [] : [route]), ...otherRoutes];
  // A parameter at the end of every path is never missing.
  const isThere = (name: string): boolean =>
    routes.length > 0 && routes.every((each) => each.endsWith(`/{${name}}`));
  const all = Object.entries(parameters) as [string, Parameter<unknown>][];
  return new Set([
    ...all.flatMap(([name, one]) => (isThere(name) ? one.refusals : refusalsOfOne(one))),
    ...(description.kind === "read" && description.isAsOf === true ? AS_OF_REFUSALS : []),
    ...(isSigned(description) ? SIGNING_REFUSALS : []),
    ...(signersOf(description).some(({ grant }) => grant !== undefined) ? GRANT_REFUSALS : []),
    ...(signersOf(description).some(({ proof }) => proof !== undefined) ? PROOF_REFUSALS : []),
  ]);
}

/** All codes but the general ones. Source: the *Checks* of each operation. */
export function refusalsOf(description: AnyOperation | AnyRead): readonly FaultCode[] {
  return [
    ...new Set([...impliedRefusals(description), ...(description.refusals ?? [])]),
  ].toSorted();
}
