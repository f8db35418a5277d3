import type { Answered, KeyHolder, Params, Signing, TestNode } from "../test-node.ts";

/** A signed operation as a request sends it. Tests write it down beside the descriptions. */
export interface SignedOperation {
  readonly name: string;
  readonly method: "POST" | "PUT";
  readonly path: string;
  /** The parameter that stands in the path; `""` if none does. */
  readonly inPath: string;
  /**
   * Names the signer unless it is given as `""`; `""` if the operation has no such parameter.
   */
  readonly actor: string;
  /** Fields of the short signed string; some depend on which parameters are not empty. */
  readonly signed: string | ((has: (name: string) => boolean) => string);
}

/** Parameters; what is no text is sent as its JSON. */
export type RequestParams = Readonly<Record<string, string | object>>;

export interface RequestSigning extends Signing {
  /** How it is signed: `short` by default. */
  readonly signed?: "short" | "full";
  /** Replaces what is sent in the short signed string, such as `{ seller: "" }`. */
  readonly signedAs?: Params;
}

/** A signed request and where it goes; the id in the path is not among its parameters. */
export interface SignedRequest {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly params: Params & { readonly tkey: string; readonly signature: string };
}

/**
 * A request that `by` signs, and whose actor it is unless `params` names another or `""`. It has a
 * fresh temporary key of the signer unless `params` has one.
 */
export async function signedRequest(
  node: TestNode,
  { name, method, path, inPath, actor, signed: fields }: SignedOperation,
  by: KeyHolder,
  params: RequestParams,
  { signed = "short", signedAs = {}, ...signing }: RequestSigning = {},
): Promise<SignedRequest> {
  const given = Object.entries(params).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const all: Params & { readonly tkey: string } = {
    ...(actor === "" ? {} : { [actor]: by.address }),
    ...Object.fromEntries(given),
    tkey: (params["tkey"] as string | undefined) ?? (await node.key(by)),
  };
  const signer = signing.by ?? by;
  const text = typeof fields === "string" ? fields : fields((field) => (all[field] ?? "") !== "");
  const { signature } =
    signed === "full"
      ? node.fullySigned(name, all, signer, signing)
      : await node.shortlySigned(signer, text.split("|"), { ...all, ...signedAs }, signing);
  const { [inPath]: id = "", ...rest } = all;
  return {
    method,
    path: id === "" ? path : `${path}/${encodeURIComponent(id)}`,
    params: { ...rest, tkey: all.tkey, signature, ...(signed === "full" ? { signed } : {}) },
  };
}

/** A request that may have been changed after it was signed. */
export type SentRequest = Omit<SignedRequest, "params"> & { readonly params: Params };

export function sendRequest(
  node: TestNode,
  { method, path, params }: SentRequest,
): Promise<Answered> {
  return method === "POST" ? node.post(path, params) : node.put(path, params);
}

/** The same request with parameters changed after it was signed. */
export function changed(request: SignedRequest, change: Params): SignedRequest {
  return { ...request, params: { ...request.params, ...change } };
}
