import type { AnyOperation, AnyRead, Parameter, Result, Schema } from "@moneta/protocol";

/** One request of an example, in the terms that all languages share. */
export interface Sample {
  /** Where the node is found, without a slash at the end. */
  readonly url: string;
  /** The operation's name, which is that of the SDK's method. */
  readonly name: string;
  readonly method: string;
  /** The path as the document has it: `{name}` in it is a parameter. */
  readonly path: string;
  readonly values: readonly SampleValue[];
  /** Whether what is not in the path goes into the body, or else into the query string. */
  readonly hasBody: boolean;
  readonly signing: SampleSigning | undefined;
  readonly result: Result;
}

/** A parameter of the request. */
export interface SampleValue {
  readonly name: string;
  /** What is sent: the temporary key, the address that acts, the public key of `key.pem`, or the text. */
  readonly is: "key" | "actor" | "publicKey" | "text";
  readonly text: string;
  readonly schema: Schema;
  /** The text is JSON. */
  readonly isJson: boolean;
  readonly isInPath: boolean;
}

/** Who signs, by a full signature, and for which ledger. */
export interface SampleSigning {
  readonly actor: string;
  readonly ledgerId: string;
}

/** What a sample is made of. */
export interface SampleSource {
  readonly url: string;
  readonly ledgerId: string;
  readonly description: AnyOperation | AnyRead;
  readonly route: string;
  /** Whole texts by the name of the parameter, without temporary key and signature. */
  readonly texts: Readonly<Record<string, string>>;
  /** Who acts where no parameter says it. */
  readonly actor: string;
}

export function sampleOf(source: SampleSource): Sample {
  const { url, ledgerId, description, route, texts } = source;
  const [method, path] = route.split(" ") as [string, string];
  const actorName = description.kind === "write" ? description.actor : undefined;
  const actor = (actorName && texts[actorName]) || source.actor;
  const values: SampleValue[] = [];
  for (const [name, parameter] of Object.entries(description.parameters)) {
    const { role, schema, takesJson } = parameter as Parameter<unknown>;
    const text = texts[name];
    if (role === "signature" || name === "signed" || (role === "value" && text === undefined)) {
      continue;
    }
    values.push({
      name,
      is:
        role === "temporaryKey"
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
  const isSigned = description.kind === "write" && description.temporaryKey !== undefined;
  return {
    url,
    name: description.name,
    method,
    path,
    values,
    hasBody: method !== "GET",
    signing: isSigned ? { actor, ledgerId } : undefined,
    result: description.result,
  };
}

/** What is not in the path. */
export function besidesPath({ values }: Sample): readonly SampleValue[] {
  return values.filter(({ isInPath }) => !isInPath);
}

/** The path with what stands for each parameter in it. */
export function pathWith({ path, values }: Sample, shown: (value: SampleValue) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, wanted: string) => {
    const value = values.find(({ name }) => name === wanted);
    return value === undefined ? "" : shown(value);
  });
}

/** The file that a sample writes an answer to that is no text; undefined if it is one. */
export function fileOf({ name, result }: Sample): string | undefined {
  if (result.kind !== "file" || result.contentType === "application/x-ndjson") {
    return undefined;
  }
  return `${name}.${result.contentType === "image/*" ? "image" : "bin"}`;
}

/** What of the path is a variable of its own, because it is signed, too. */
export function variablesOf({ values }: Sample): readonly SampleValue[] {
  return values.filter(({ isInPath, is }) => isInPath && is === "text");
}

/** The variable that has a value of the path. */
export function variableOf({ is, name }: SampleValue): string {
  return is === "text" ? name : is;
}

/** What of the path is signed. */
export function inPath({ values }: Sample): readonly SampleValue[] {
  return values.filter(({ isInPath }) => isInPath);
}
