import {
  besidesPath,
  fileOf,
  pathWith,
  type Sample,
  type SampleValue,
  type SignedPart,
} from "./sample.ts";

const PLAIN = /^[\w.,:/+=-]*$/;

/** What stands for itself in a shell, or else in single quotes. */
function word(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A sample for bash with curl, and with openssl where something is signed. */
export function curlSample(sample: Sample): string {
  const { signing } = sample;
  return (signing === undefined ? unsigned(sample) : signed(sample, signing)).join("\n");
}

function signed(sample: Sample, signing: NonNullable<Sample["signing"]>): readonly string[] {
  const { actor, fields, ledgerId } = signing;
  const isSigned = (value: SampleValue): boolean => fields?.includes(value) ?? true;
  const variables = sample.values.filter(
    (value) => value.is === "text" && isSigned(value) && isLong(value),
  );
  const shown = (value: SampleValue): string => {
    if (value.is !== "text") {
      return `$${value.is}`;
    }
    return variables.includes(value) ? `$${value.name}` : value.text;
  };
  const part = (field: SignedPart): string => (field.is === "unsent" ? field.text : shown(field));
  const data = besidesPath(sample).map((value) => {
    const text = shown(value);
    return `--data-urlencode ${text.startsWith("$") ? `"${value.name}=${text}"` : word(`${value.name}=${text}`)}`;
  });
  return [
    `node=${sample.url}`,
    `actor=${actor}  # whose key is in key.pem`,
    'key=$(curl -sS "$node/nonce/$actor")',
    ...variables.map(({ name, text }) => `${name}=${word(text)}`),
    "",
    fields === undefined
      ? `signed="${fullText(sample, ledgerId)}"`
      : `signed="${fields.map(part).join("|")}"`,
    "signature=$(printf %s \"$signed\" | openssl dgst -sha256 -sign key.pem | base64 | tr -d '\\n')",
    "",
    ...request(sample, `"$node${pathWith(sample, shown)}"`, [
      ...data,
      ...(fields === undefined ? ["--data-urlencode signed=full"] : []),
      '--data-urlencode "signature=$signature"',
    ]),
  ];
}

/** Whether it would make a signed string hard to read, or mean something else between double quotes. */
function isLong({ text }: SampleValue): boolean {
  return text.length > 45 || !/^[\w .,:;/+()-]*$/.test(text);
}

/** What a full signature covers, with quotes as they stand between double quotes. Source: conventions §4.5. */
function fullText({ name, values }: Sample, ledgerId: string): string {
  const members = values.map((value): [string, string] => [
    value.name,
    value.is === "text" ? value.text : `$${value.is}`,
  ]);
  const sorted = [...members, ["signed", "full"] as const].sort(([a], [b]) => (a < b ? -1 : 1));
  const json = sorted.map(([each, text]) => `"${each}":"${text}"`).join(",");
  return `moneta|1|${ledgerId}|${name}|{${json}}`.replaceAll('"', '\\"');
}

function unsigned(sample: Sample): readonly string[] {
  const path = pathWith(sample, ({ text }) => text);
  return request(
    sample,
    word(`${sample.url}${path}`),
    besidesPath(sample).map(({ is, name, text }) =>
      is === "publicKey"
        ? `--data-urlencode ${name}@public.pem`
        : `--data-urlencode ${word(`${name}=${text}`)}`,
    ),
  );
}

function request(sample: Sample, url: string, data: readonly string[]): readonly string[] {
  const { method, result } = sample;
  const file = fileOf(sample);
  const options = [
    "-sS",
    ...(method === "GET" && data.length > 0 ? ["-G"] : []),
    ...(method === "PUT" || (method === "POST" && data.length === 0) ? ["-X", method] : []),
    ...(result.kind === "stream" ? ["-N"] : []),
    // Its header Location is all that is answered.
    ...(result.kind === "nothing" ? ["-i"] : []),
    ...(file === undefined ? [] : ["-o", file]),
  ];
  const lines = [`curl ${options.join(" ")} ${url}`, ...data.map((each) => `  ${each}`)];
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}
