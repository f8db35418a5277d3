import {
  type AnyOperation,
  type AnyRead,
  bundle,
  type Parameter,
  type Result,
  type Schema,
  signersOf,
} from "@moneta/protocol";

export interface Sample {
  /** Without a slash at the end. */
  readonly url: string;
  readonly name: string;
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly values: readonly SampleValue[];
  /** Otherwise the parameters are in the query string. */
  readonly hasBody: boolean;
  readonly isJsonOnly: boolean;
  readonly signing: SampleSigning | undefined;
  readonly signsBody: boolean;
  readonly result: Result;
}

export interface SampleValue {
  readonly name: string;
  /** `publicKey` is that of `key.pem`. */
  readonly is: "key" | "actor" | "publicKey" | "text";
  readonly text: string;
  readonly schema: Schema;
  readonly isJson: boolean;
  readonly isInPath: boolean;
}

export interface SampleSigning {
  readonly actor: string;
  readonly ledgerId: string;
  /** A new key signs it, too. Source: authority §1.3. */
  readonly proof: string | undefined;
}

export interface SampleSource {
  readonly url: string;
  readonly ledgerId: string;
  readonly description: AnyOperation | AnyRead;
  readonly route: string;
  /** Without temporary key and signature. */
  readonly texts: Readonly<Record<string, string>>;
  /** If no parameter names it. */
  readonly actor: string;
}

export function sampleOf(source: SampleSource): Sample {
  const { url, ledgerId, description, route, texts } = source;
  const [method, path] = route.split(" ") as [string, string];
  const signers = signersOf(description);
  // Several signers: sent as they signed it.
  const signsBody = description === bundle;
  const isSignedHere = signers.length === 1 || signsBody;
  const actorName = signsBody ? "actor" : isSignedHere ? signers[0]?.address : undefined;
  const actor = (actorName && texts[actorName]) || source.actor;
  const values: SampleValue[] = [];
  for (const [name, parameter] of Object.entries(description.parameters)) {
    const { role, schema, takesJson } = parameter as Parameter<unknown>;
    const text = texts[name];
    const isOfActor = (role === "signature" || name === "signed") && signers.length < 2;
    // Samples are of first pages: a cursor is refused on any other ledger. Streams go on.
    const isLeftOut =
      role === "forbidden" ||
      name === "cursor" ||
      (name === "after" && description.result.kind !== "stream") ||
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

export function pathWith({ path, values }: Sample, shown: (value: SampleValue) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, wanted: string) => {
    const value = values.find(({ name }) => name === wanted);
    return value === undefined ? "" : shown(value);
  });
}

/** Undefined for text. */
export function fileOf({ name, result }: Sample): string | undefined {
  if (result.kind !== "file" || result.contentType === "application/x-ndjson") {
    return undefined;
  }
  return `${name}.${result.contentType === "image/*" ? "image" : "bin"}`;
}
