import {
  type AnyOperation,
  type AnyRead,
  bundle,
  type Parameter,
  type Result,
  type Schema,
  signersOf,
} from "@moneta/protocol";

/** A request of an example, independent of the language. */
export interface Sample {
  /** The node's URL, without a slash at the end. */
  readonly url: string;
  /** The operation's name, and the SDK method's. */
  readonly name: string;
  readonly method: string;
  /** The path as in the document, with parameters as `{name}`. */
  readonly path: string;
  readonly values: readonly SampleValue[];
  /** Whether the other parameters go into the body, or into the query string. */
  readonly hasBody: boolean;
  readonly isJsonOnly: boolean;
  readonly signing: SampleSigning | undefined;
  /** Whether the signature covers the body as it is sent. */
  readonly signsBody: boolean;
  readonly result: Result;
}

/** A parameter of the request. */
export interface SampleValue {
  readonly name: string;
  /**
   * The value: the temporary key, the actor's address, the public key of `key.pem`, or the text.
   */
  readonly is: "key" | "actor" | "publicKey" | "text";
  readonly text: string;
  readonly schema: Schema;
  readonly isJson: boolean;
  readonly isInPath: boolean;
}

/** The signer, by a full signature, and the ledger. */
export interface SampleSigning {
  readonly actor: string;
  readonly ledgerId: string;
  /** The parameter that a new key of the actor signs, too. Source: authority §1.3. */
  readonly proof: string | undefined;
}

export interface SampleSource {
  readonly url: string;
  readonly ledgerId: string;
  readonly description: AnyOperation | AnyRead;
  readonly route: string;
  /** Texts by parameter name, without temporary key and signature. */
  readonly texts: Readonly<Record<string, string>>;
  /** The actor where no parameter names it. */
  readonly actor: string;
}

export function sampleOf(source: SampleSource): Sample {
  const { url, ledgerId, description, route, texts } = source;
  const [method, path] = route.split(" ") as [string, string];
  const signers = signersOf(description);
  // An operation with several signers is sent as they signed it.
  const signsBody = description === bundle;
  const isSignedHere = signers.length === 1 || signsBody;
  const actorName = signsBody ? "actor" : isSignedHere ? signers[0]?.address : undefined;
  const actor = (actorName && texts[actorName]) || source.actor;
  const values: SampleValue[] = [];
  for (const [name, parameter] of Object.entries(description.parameters)) {
    const { role, schema, takesJson } = parameter as Parameter<unknown>;
    const text = texts[name];
    const isOfActor = (role === "signature" || name === "signed") && signers.length < 2;
    // A cursor is of one list on one ledger, and refused on any other: samples are of first pages.
    const isLeftOut =
      role === "forbidden" ||
      name === "cursor" ||
      ((role === "value" || role === "grant") && text === undefined);
    if (isOfActor || isLeftOut) {
      continue;
    }
    values.push({
      name,
      is:
        role === "temporaryKey" && isSignedHere
          ? "key"
          : name === actorName
            ? "actor"
            : text?.startsWith("-----BEGIN PUBLIC KEY-----")
              ? "publicKey"
              : "text",
      text: text ?? "",
      schema,
      isJson: takesJson,
      isInPath: path.includes(`{${name}}`),
    });
  }
  return {
    url,
    name: description.name,
    method,
    path,
    values,
    hasBody: method !== "GET",
    isJsonOnly: description.isJsonOnly === true,
    signing: isSignedHere ? { actor, ledgerId, proof: signers[0]?.proof } : undefined,
    signsBody,
    result: description.result,
  };
}

export function besidesPath({ values }: Sample): readonly SampleValue[] {
  return values.filter(({ isInPath }) => !isInPath);
}

/** The path with an expression for each parameter. */
export function pathWith({ path, values }: Sample, shown: (value: SampleValue) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, wanted: string) => {
    const value = values.find(({ name }) => name === wanted);
    return value === undefined ? "" : shown(value);
  });
}

/** The file for a binary answer; undefined for text. */
export function fileOf({ name, result }: Sample): string | undefined {
  if (result.kind !== "file" || result.contentType === "application/x-ndjson") {
    return undefined;
  }
  return `${name}.${result.contentType === "image/*" ? "image" : "bin"}`;
}
