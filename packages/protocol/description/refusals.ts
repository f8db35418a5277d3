import type { FaultCode } from "./faults.ts";
import type { AnyOperation, AnyRead } from "./operation.ts";
import { type Parameter, refusalsOfOne } from "./parameter.ts";

/**
 * What any request may be refused with: given twice, malformed, no JSON; too many, not now, not yet; no such path, not by this method, too slow, too large, of an unknown type;
 * a fault of the service. Source: conventions §3.
 */
export const GENERAL_REFUSALS: readonly FaultCode[] = [
  "1005",
  "1006",
  "1007",
  "9001",
  "9002",
  "9003",
  "9404",
  "9405",
  "9408",
  "9413",
  "9415",
  "9431",
  "9500",
];

/** What comes of the temporary key and the signature. Source: conventions §3, §4. */
const SIGNING_REFUSALS: readonly FaultCode[] = ["2010", "2020", "2021", "2230"];

/** What a description implies by itself: what its parameters are refused with, and what any signed operation is. */
export function impliedRefusals(description: AnyOperation | AnyRead): ReadonlySet<FaultCode> {
  const { route, otherRoutes = [], parameters } = description;
  const routes = [...(route === undefined ? [] : [route]), ...otherRoutes];
  // What ends a path is there, or else the path is another one.
  const isThere = (name: string): boolean =>
    routes.length > 0 && routes.every((each) => each.endsWith(`/{${name}}`));
  const all = Object.entries(parameters) as [string, Parameter<unknown>][];
  const isSigned = description.kind === "write" && description.temporaryKey !== undefined;
  return new Set([
    ...all.flatMap(([name, one]) => (isThere(name) ? one.refusals : refusalsOfOne(one))),
    ...(isSigned ? SIGNING_REFUSALS : []),
  ]);
}

/** All codes that a request may be refused with beside those that any may, in ascending order. Source: the *Checks* of each operation. */
export function refusalsOf(description: AnyOperation | AnyRead): readonly FaultCode[] {
  return [
    ...new Set([...impliedRefusals(description), ...(description.refusals ?? [])]),
  ].toSorted();
}
