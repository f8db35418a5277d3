import { canonicalJson } from "../text/canonical-json.ts";
import type { Address } from "./address.ts";

/** Parameters under their canonical names, without absent and empty ones. Source: chain §4.1. */
export type Texts = { readonly [name: string]: string };

export const ACTOR = { of: "actor" } as const;
export const DECIDED = { of: "decided" } as const;

export type SignedField<N extends string = string> = N | UnsentField;

export interface SignedForm<N extends string = string> {
  readonly about: string;
  readonly when: (params: Texts) => boolean;
  readonly signed: readonly SignedField<N>[];
}

export function given(...names: readonly string[]): (params: Texts) => boolean {
  return (params) => names.some((name) => params[name] !== undefined);
}

interface UnsentField {
  readonly name: string;
  readonly absentAs: readonly (string | typeof ACTOR | typeof DECIDED)[];
  readonly example?: string;
}

export interface Signer<N extends string = string> {
  /** Source: conventions §4.5, chain §9. */
  readonly operation: string;
  readonly address?: N;
  /** Source: bundles §2. */
  readonly signsBody?: true;
  readonly temporaryKey: N;
  readonly signature: N;
  /** Source: authority §5.2. */
  readonly grant?: N;
  /** By default its own. Source: authority §4. */
  readonly by?: "recovery";
  /** Source: authority §1.3. */
  readonly proof?: N;
  readonly signed: readonly SignedField<N>[];
  readonly signedIf?: readonly SignedForm<N>[];
  /** Signed fields that clients of older nodes use, also accepted. Source: mrc401 §3, §4. */
  readonly signedAlso?: readonly SignedForm<N>[];
}

export interface Implied {
  readonly ledgerId: string;
  readonly actor: Address | "";
  readonly decided: Texts;
}

/**
 * All parameters and the ledger for a full signature, else the interface's fields, in each way in
 * which clients may write them. Source: conventions §4.1, §4.5.
 */
export function signedStrings(signer: Signer, params: Texts, implied: Implied): readonly string[] {
  if (signer.signsBody === true) {
    return [`moneta|1|${implied.ledgerId}|${signer.operation}|${params["body"] ?? ""}`];
  }
  if (params["signed"] === "full") {
    return [`moneta|1|${implied.ledgerId}|${signer.operation}|${canonicalJson(params)}`];
  }
  const strings = joined(signedFields(signer, params), params, implied);
  const also = signer.signedAlso?.filter(({ when }) => when(params)) ?? [];
  return also.length === 0
    ? strings
    : [...strings, ...also.flatMap(({ signed }) => joined(signed, params, implied))];
}

export function isFullySigned({ signsBody }: Signer, params: Texts): boolean {
  return signsBody === true || params["signed"] === "full";
}

function joined(
  fields: readonly SignedField[],
  params: Texts,
  implied: Implied,
): readonly string[] {
  let strings: readonly string[] | undefined;
  let sole: string | undefined;
  for (const field of fields) {
    if (typeof field === "string" && strings === undefined) {
      const text = params[field] ?? "";
      sole = sole === undefined ? text : `${sole}|${text}`;
      continue;
    }
    const ways = waysOf(field, params, implied);
    strings ??= sole === undefined ? undefined : [sole];
    strings =
      strings === undefined
        ? ways
        : strings.flatMap((string) => ways.map((text) => `${string}|${text}`));
  }
  return strings ?? (sole === undefined ? [] : [sole]);
}

/**
 * The parts around the decided field. Undefined for a full signature, or if another field may be
 * written in several ways.
 */
export function signedAround(
  signer: Signer,
  params: Texts,
  implied: Omit<Implied, "decided">,
): { readonly before: string; readonly after: string } | undefined {
  if (params["signed"] === "full") {
    return undefined;
  }
  const fields = signedFields(signer, params);
  const place = fields.findIndex((field) => isDecided(field, params));
  const texts = fields.map((field) => waysOf(field, params, { ...implied, decided: {} }));
  if (place === -1 || texts.some((ways) => ways.length !== 1)) {
    return undefined;
  }
  return {
    before: texts
      .slice(0, place)
      .map(([text]) => `${text}|`)
      .join(""),
    after: texts
      .slice(place + 1)
      .map(([text]) => `|${text}`)
      .join(""),
  };
}

function isDecided(field: SignedField, params: Texts): boolean {
  return (
    typeof field !== "string" && params[field.name] === undefined && field.absentAs[0] === DECIDED
  );
}

function signedFields({ signed, signedIf = [] }: Signer, params: Texts): readonly SignedField[] {
  const form = signedIf.find(({ when }) => when(params));
  return form?.signed ?? signed;
}

function waysOf(field: SignedField, params: Texts, implied: Implied): readonly string[] {
  if (typeof field === "string") {
    return [params[field] ?? ""];
  }
  const sent = params[field.name];
  return sent !== undefined
    ? [sent]
    : field.absentAs.map((way) => {
        if (typeof way === "string") {
          return way;
        }
        return way === ACTOR ? implied.actor : (implied.decided[field.name] ?? "");
      });
}
