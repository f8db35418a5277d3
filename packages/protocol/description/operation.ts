import type { Signer, Texts } from "../keys/signed-string.ts";
import type { FaultCode, Refused } from "./faults.ts";
import {
  fullySigned,
  optional,
  type Parameter,
  type Parameters,
  type ValuesOf,
} from "./parameter.ts";
import { grantId, signature } from "./parameters/keys.ts";
import { optionalWord, word } from "./parameters/words.ts";
import { marketResult, type Result } from "./results.ts";

export type Method = "GET" | "POST" | "PUT";

export type Route = `${Method} /${string}`;

export type Example<P extends Parameters> = { readonly [N in keyof P]?: string };

interface DescriptionBase<P extends Parameters> {
  /** Source: conventions §4.5, chain §9. */
  readonly name: string;
  /** Required with a route. */
  readonly title?: string;
  /** Operations of block 0 have none. */
  readonly route?: Route;
  readonly otherRoutes?: readonly Route[];
  /** A route of another operation that leads here if `when` holds for the id in its path. */
  readonly sharedRoute?: {
    readonly route: Route;
    readonly parameter: keyof P & string;
    readonly when: (id: string) => boolean;
  };
  readonly about: string;
  readonly parameters: P;
  readonly example?: NoInfer<Example<P>>;
  readonly otherExamples?: { readonly [form: string]: NoInfer<Example<P>> };
  readonly checkMissing?: (
    has: (name: string) => boolean,
    textOf: (name: string) => string | undefined,
  ) => Refused | undefined;
  readonly isJsonOnly?: true;
  /** Whether body and response may be NDJSON: a line for each element of their one list. */
  readonly takesLines?: true;
  /** Parameters that stand in the query string although there is a body. */
  readonly inQuery?: readonly (keyof P & string)[];
  /** Parameters that a path or query must not have, because logs contain those: 3005. */
  readonly onlyInBody?: readonly (keyof P & string)[];
  readonly check?: (values: ValuesOf<P>) => Refused | undefined;
  /**
   * Codes that do not follow from the fields above, in the order of their checks. Source: the
   * *Checks* of each operation.
   */
  readonly refusals?: readonly FaultCode[];
  readonly implied?: (values: ValuesOf<P>) => { readonly [name: string]: unknown };
  /** Values that the node chooses for absent parameters. Source: chain §4.1. */
  readonly decided?: readonly string[];
}

interface Description<P extends Parameters> extends DescriptionBase<P> {
  readonly result: Result;
}

interface OperationDescription<P extends Parameters> extends DescriptionBase<P> {
  /** By default `marketResult`. */
  readonly result?: Result;
}

/** Makes no block and needs no signature. */
export interface Read<P extends Parameters = Parameters> extends Description<P> {
  readonly kind: "read";
  /** Cached (`ETag`) only if it depends on the ledger alone. Source: conventions §2.5. */
  readonly cache: "immutable" | "revalidate" | "never";
  /** Whether `height` or `at` selects an earlier block. Source: proofs §1.1. */
  readonly isAsOf?: true;
  readonly countsAs?: keyof P & string;
}

export interface Operation<P extends Parameters = Parameters> extends Description<P> {
  readonly kind: "write";
  /** The actor first, then those whose addresses parameters name. */
  readonly signers: readonly Signer<keyof P & string>[];
  readonly fullOnly?: true;
  /** Whether groups and bundles refuse it, because it changes rules or keys. */
  readonly isAlone?: true;
  /** Whether a grant allows it although it changes keys. */
  readonly isGrantable?: true;
  /** Members of `params` in the order of RFC 8785, `group` included. Source: chain §4.1. */
  readonly paramNames: readonly string[];
  readonly signatureNames: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the registries hold descriptions of all kinds of parameters.
export type AnyOperation = Operation<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type AnyRead = Read<any>;

type Signed = { readonly signed: Parameter<"full" | ""> };
/** Source: conventions §4.3. */
type Signing = Signed & {
  readonly signature: Parameter<string>;
  readonly grant: Parameter<string | undefined>;
};

export interface SoleSigned<P extends Parameters> extends Operation<P> {
  readonly signers: readonly [Signer<keyof P & string>];
}

interface SignedByActor<P extends Parameters>
  extends Pick<Signer<keyof P & string>, "signed" | "signedIf" | "signedAlso" | "by" | "proof"> {
  readonly actor?: keyof P & string;
}

export function signedOperation<P extends Parameters>({
  actor,
  signed,
  signedIf,
  signedAlso,
  by,
  proof,
  ...given
}: OperationDescription<P> &
  SignedByActor<P> &
  Pick<Operation<P>, "fullOnly" | "isAlone" | "isGrantable">): SoleSigned<P & Signing> {
  const isGrantable = given.isAlone !== true || given.isGrantable === true;
  const parameters = {
    ...given.parameters,
    ...(isGrantable ? { grant: usedGrant } : {}),
    signature: signature(),
    signed: given.fullOnly === true ? word("full") : optionalWord("full"),
  } as P & Signing;
  const keys = Object.keys(given.parameters).filter(
    (name) => parameters[name]?.role === "temporaryKey",
  );
  if (keys.length !== 1) {
    throw new Error(`${given.name} must have one temporary key`);
  }
  const signer = {
    operation: given.name,
    ...(actor === undefined ? {} : { address: actor }),
    temporaryKey: keys[0] as string,
    signature: "signature",
    signed,
    ...(signedIf === undefined ? {} : { signedIf }),
    ...(signedAlso === undefined ? {} : { signedAlso }),
    ...(isGrantable ? { grant: "grant" } : {}),
    ...(by === undefined ? {} : { by }),
    ...(proof === undefined ? {} : { proof }),
  };
  return operation({ ...given, parameters, signers: [signer] } as never) as never;
}

/** The grant by which an agent acts. Source: authority §5.2. */
export const usedGrant: Parameter<string | undefined> = fullySigned(optional(grantId("grant")));

/**
 * Each signer has a temporary key and a signature among the parameters, the actor first.
 * Source: protocols §2.
 */
export function cosignedOperation<P extends Parameters>({
  signers,
  ...given
}: Description<P> & {
  readonly signers: readonly (Omit<Signer<keyof P & string>, "operation"> & {
    readonly address: keyof P & string;
  })[];
}): Operation<P & Signed> {
  const parameters = { ...given.parameters, signed: optionalWord("full") };
  return operation({
    ...given,
    parameters,
    signers: signers.map((signer) => ({ ...signer, operation: given.name })),
  } as never);
}

export function unsignedOperation<P extends Parameters>(
  given: OperationDescription<P>,
): Operation<P> {
  return operation({ ...given, signers: [] });
}

/** Source: batches §2.2. */
export const GROUP = "group";

function operation<P extends Parameters>(
  given: OperationDescription<P> & Pick<Operation<P>, "signers">,
): Operation<P> {
  const own = Object.keys(given.parameters);
  const isSignature = (name: string): boolean => given.parameters[name]?.role === "signature";
  const isForbidden = (name: string): boolean => given.parameters[name]?.role === "forbidden";
  const names = (given.signers.length === 0 ? own : [...own, GROUP])
    .filter((name) => !isForbidden(name))
    .toSorted();
  return {
    result: marketResult,
    ...given,
    kind: "write",
    paramNames: names.filter((name) => !isSignature(name)),
    signatureNames: names.filter(isSignature),
  };
}

export function read<P extends Parameters>(
  given: Description<P> & Partial<Pick<Read<P>, "cache" | "countsAs">> & { readonly route: Route },
): Read<P> {
  return { cache: "revalidate", ...given, kind: "read" };
}

export function signersOf(description: AnyOperation | AnyRead): readonly Signer[] {
  return description.kind === "write" ? description.signers : [];
}

export function isSigned(description: AnyOperation | AnyRead): boolean {
  return signersOf(description).length > 0;
}

export interface Request<P extends Parameters = Parameters> {
  /** In the order of RFC 8785, with texts cut. */
  readonly params: Texts;
  readonly signatures: Texts;
  readonly values: ValuesOf<P>;
}
