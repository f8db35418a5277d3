import {
  type Address,
  type AnyOperation,
  OPERATIONS,
  type Signer,
  signedStrings,
} from "@moneta/protocol";
import {
  type Answered,
  type KeyHolder,
  type Params,
  type Signing,
  signatureOf,
  type TestNode,
} from "../test-node.ts";
import { namesInPath } from "./encoded-request.ts";

/** Parameters; other values than strings are sent as JSON. */
export type RequestParams = Readonly<Record<string, string | object>>;

export interface RequestSigning extends Signing {
  /** How it is signed: `short` by default, where the operation permits it. */
  readonly signed?: "short" | "full";
  /** Replaces parameters in the short signed string, such as `{ seller: "" }`. */
  readonly signedAs?: Params;
}

/**
 * A request that may have been changed after it was signed; `params` lacks parameters of the path.
 */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Params;
}

export interface SignedRequest extends SentRequest {
  readonly tkey: string;
  /** All parameters, also those in the path. */
  readonly texts: Params;
}

type Sole = {
  readonly description: AnyOperation & { readonly route: string };
  readonly signer: Signer;
};

/** An operation that one address signs at a route of its own, by its description. */
export function soleSigned(operation: string): Sole {
  const description = OPERATIONS.find(({ name }) => name === operation) as AnyOperation | undefined;
  const [signer] = description?.signers ?? [];
  if (description?.route === undefined || signer === undefined) {
    throw new Error(`${operation} has a route and a signer`);
  }
  return { description: { ...description, route: description.route }, signer };
}

/**
 * Its signed string for the sent parameters, empty texts included; the first if there are several.
 */
export function signedText(
  { signer }: Sole,
  sent: Params,
  implied: { readonly ledgerId: string; readonly actor: string; readonly decided?: Params },
): string {
  const present = Object.entries(sent).filter(([, text]) => text !== "");
  const [text = ""] = signedStrings(signer, Object.fromEntries(present), {
    ...{ decided: {}, ...implied },
    actor: implied.actor as Address,
  });
  return text;
}

/** Its route: the one whose path takes most of the parameters. */
export function routed({ description }: Sole, texts: Params): SentRequest {
  const isComplete = (route: string): boolean =>
    namesInPath(route).every((name) => (texts[name] ?? "") !== "");
  const [route = description.route] = [description.route, ...(description.otherRoutes ?? [])]
    .filter(isComplete)
    .toSorted((one, other) => namesInPath(other).length - namesInPath(one).length);
  const inPath = namesInPath(route);
  const [method = "", pattern = ""] = route.split(" ");
  return {
    method,
    path: pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(texts[name] ?? ""),
    ),
    params: Object.fromEntries(Object.entries(texts).filter(([name]) => !inPath.includes(name))),
  };
}

/**
 * A request that `by` signs, and whose actor it is unless `params` names another or `""`. It has a
 * fresh temporary key of the signer unless `params` has one. Route and signed string are those of
 * the operation's description, which the test vectors confirm.
 */
export async function signedRequest(
  node: TestNode,
  operation: string,
  by: KeyHolder,
  params: RequestParams,
  { signed, signedAs = {}, ...signing }: RequestSigning = {},
): Promise<SignedRequest> {
  const sole = soleSigned(operation);
  const { description, signer } = sole;
  const given = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const keyName = signer.temporaryKey;
  const all: Params = {
    ...(signer.address === undefined ? {} : { [signer.address]: by.address }),
    ...Object.fromEntries(given),
    [keyName]: (params[keyName] as string | undefined) ?? (await node.key(by)),
  };
  const signs = signing.by ?? by;
  const implied = { ledgerId: node.ledgerId, actor: by.address };
  const texts: Params =
    signed === "full" || description.fullOnly
      ? node.fullySigned(operation, all, signs, signing)
      : {
          ...all,
          signature: signatureOf(
            signedText(sole, { ...all, ...signedAs }, implied),
            signs,
            signing,
          ),
        };
  return { ...routed(sole, texts), tkey: all[keyName] ?? "", texts };
}

export function sendRequest(
  node: TestNode,
  { method, path, params }: SentRequest,
): Promise<Answered> {
  return node.request(path, { method, body: new URLSearchParams(params) });
}

export function changed<R extends SentRequest>(request: R, change: Params): R {
  return { ...request, params: { ...request.params, ...change } };
}

export function renamed<R extends SentRequest>(request: R, names: Params): R {
  const params = Object.entries(request.params).map(([name, text]) => [names[name] ?? name, text]);
  return { ...request, params: Object.fromEntries(params) };
}
