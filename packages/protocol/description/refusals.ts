import type { FaultCode } from "./faults.ts";
import { type AnyOperation, type AnyRead, isSigned, signersOf } from "./operation.ts";
import { type Parameter, refusalsOfOne } from "./parameter.ts";

/**
 * Codes of any request, by group: parameters and body; rate limit, availability, unknown outcome,
 * another log; path, method, time and size; a fault of the service. Source: conventions §3.
 */
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

/**
 * Codes of the temporary key and the signature, and of an operation that was signed for a group.
 * Source: conventions §3, §4; batches §2.6; authority §2.
 */
const SIGNING_REFUSALS: readonly FaultCode[] = [
  "2010",
  "2011",
  "2020",
  "2021",
  "2230",
  "3005",
  "3020",
];

/** Codes of what an agent does by a grant. Source: authority §5. */
const GRANT_REFUSALS: readonly FaultCode[] = ["6014", "7003", "7004", "7005", "7209"];

/** Codes of signatures by new keys. Source: authority §1.3. */
const PROOF_REFUSALS: readonly FaultCode[] = ["2012"];

/** The state is not kept as of the block that a read asks for. Source: proofs §1.6. */
const AS_OF_REFUSALS: readonly FaultCode[] = ["6012"];

/** Codes that follow from a description's parameters, and from its signature. */
export function impliedRefusals(description: AnyOperation | AnyRead): ReadonlySet<FaultCode> {
  const { route, otherRoutes = [], parameters } = description;
  const routes = [...(route === undefined ? [] : [route]), ...otherRoutes];
  // A parameter at the end of every path is never missing: without it, the path is another one.
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

/** All codes but the general ones, in ascending order. Source: the *Checks* of each operation. */
export function refusalsOf(description: AnyOperation | AnyRead): readonly FaultCode[] {
  return [
    ...new Set([...impliedRefusals(description), ...(description.refusals ?? [])]),
  ].toSorted();
}
