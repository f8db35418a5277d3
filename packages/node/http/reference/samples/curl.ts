import { besidesPath, fileOf, pathWith, type Sample } from "./sample.ts";

const PLAIN = /^[\w.,:/+=-]*$/;

function word(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function curlSample(sample: Sample): string {
  const { signing } = sample;
  return (
    signing === undefined
      ? unsigned(sample)
      : sample.signsBody
        ? signedBody(sample, signing)
        : signed(sample, signing)
  ).join("\n");
}

/** The body itself is signed, byte for byte. Source: bundles §2. */
function signedBody(sample: Sample, signing: NonNullable<Sample["signing"]>): readonly string[] {
  const { actor, ledgerId } = signing;
  const members = sample.values.map(({ is, name, text }) =>
    is === "text"
      ? `"${name}":${text.replaceAll("'", "'\\''")}`
      : `"${name}":"'$${is === "key" ? "key" : "actor"}'"`,
  );
  return [
    `node=${sample.url}`,
    `actor=${actor}  # whose key is in key.pem`,
    'key=$(curl -sS "$node/nonce/$actor")',
    "",
    "# what is signed is the body, byte for byte",
    `body='{${members.join(",")}}'`,
    `signature=$(printf %s "moneta|1|${ledgerId}|${sample.name}|$body" |`,
    "  openssl dgst -sha256 -sign key.pem | base64 | tr -d '\\n')",
    "",
    ...request(sample, `"$node${sample.path}"`, [
      "-H Content-Type:application/json",
      '-H "Moneta-Signature: $signature"',
      '--data-binary "$body"',
    ]),
  ];
}

function signatureLines(
  variable: string,
  file: string,
  { name }: Sample,
  ledgerId: string,
): readonly string[] {
  return [
    `${variable}=$(printf %s "moneta|1|${ledgerId}|${name}|$params" |`,
    `  openssl dgst -sha256 -sign ${file} | base64 | tr -d '\\n')`,
  ];
}

function signed(sample: Sample, signing: NonNullable<Sample["signing"]>): readonly string[] {
  const { actor, ledgerId, proof } = signing;
  const path = pathWith(sample, (value) => (value.is === "text" ? value.text : `$${value.is}`));
  return [
    `node=${sample.url}`,
    `actor=${actor}  # whose key is in key.pem`,
    'key=$(curl -sS "$node/nonce/$actor")',
    "",
    "# all that is signed: sorted by name, without white space",
    `params='${signedJson(sample)}'`,
    ...signatureLines("signature", "key.pem", sample, ledgerId),
    ...(proof === undefined ? [] : signatureLines(proof, "new.pem", sample, ledgerId)),
    "",
    ...request(sample, `"$node${path}"`, [
      "-H Content-Type:application/json",
      // Bash takes the last brace off.
      `-d "\${params%\\}},\\"signature\\":\\"$signature\\"${proof === undefined ? "" : `,\\"${proof}\\":\\"$${proof}\\"`}}"`,
    ]),
  ];
}

/** Between single quotes. Source: conventions §4.5. */
function signedJson({ values }: Sample): string {
  const members = values.map(({ is, name, text }): [string, string] => [
    name,
    is === "text" ? JSON.stringify(text).replaceAll("'", "'\\''") : `"'$${is}'"`,
  ]);
  const all = [...members, ["signed", '"full"'] as const];
  return `{${all
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `"${name}":${text}`)
    .join(",")}}`;
}

function unsigned(sample: Sample): readonly string[] {
  const path = pathWith(sample, ({ text }) => text);
  if (sample.isJsonOnly) {
    const members = besidesPath(sample).map(({ name, text }) => `"${name}":${text}`);
    return request(sample, word(`${sample.url}${path}`), [
      "-H Content-Type:application/json",
      `-d ${word(`{${members.join(",")}}`)}`,
    ]);
  }
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
    // The response has only its Location header.
    ...(result.kind === "nothing" ? ["-i"] : []),
    ...(file === undefined ? [] : ["-o", file]),
  ];
  const lines = [`curl ${options.join(" ")} ${url}`, ...data.map((each) => `  ${each}`)];
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}
