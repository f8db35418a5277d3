// node sign.mjs KEY.pem [TEXT]                              base64 of the signature of TEXT, or of the standard input
// node sign.mjs KEY.pem OPERATION LEDGER_ID NAME=VALUE...   base64 of a full signature of these parameters

/** Signs with WebCrypto, in browsers as in Node: `pem` is a PKCS#8 private key. */
export async function sign(pem, text) {
  const der = Uint8Array.from(atob(pem.replaceAll(/-----.*-----|\s/g, "")), (c) => c.charCodeAt(0));
  const imported = ["P-256", "P-384", "P-521"].map((namedCurve) =>
    crypto.subtle.importKey("pkcs8", der, { name: "ECDSA", namedCurve }, false, ["sign"]),
  );
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(text);
  const signature = await crypto.subtle.sign(algorithm, await Promise.any(imported), bytes);
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

/** What a full signature is of: `params` are texts; what is empty counts as absent. */
export function fullString(operation, ledgerId, params) {
  const sent = Object.entries({ ...params, signed: "full" }).filter(([, text]) => text !== "");
  const sorted = Object.fromEntries(sent.sort(([a], [b]) => (a < b ? -1 : 1)));
  return `moneta|1|${ledgerId}|${operation}|${JSON.stringify(sorted)}`;
}

if (globalThis.process?.argv[1]?.endsWith("sign.mjs")) {
  const { readFileSync } = await import("node:fs");
  const wrong = (why) => {
    console.error(`sign.mjs: ${why}`);
    process.exit(2);
  };
  const [, , file, first, ledgerId, ...pairs] = process.argv;
  if (file === undefined) {
    wrong("usage: node sign.mjs KEY.pem [TEXT | OPERATION LEDGER_ID NAME=VALUE...]");
  }
  if (ledgerId !== undefined && !/^[0-9a-f]{64}$/.test(ledgerId)) {
    wrong(`"${ledgerId}" is not a ledger id of 64 hex digits; a TEXT with blanks needs quotes`);
  }
  for (const pair of pairs.filter((pair) => !pair.includes("="))) {
    wrong(`"${pair}" is not NAME=VALUE`);
  }
  const params = pairs.map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]);
  const full = ledgerId && fullString(first, ledgerId, Object.fromEntries(params));
  let pem;
  try {
    pem = readFileSync(file, "utf8");
  } catch {
    wrong(`cannot read ${file}`);
  }
  const signing = sign(pem, full ?? first ?? readFileSync(0, "utf8"));
  const fails = `${file} is not a private key for ECDSA, in PKCS#8 (BEGIN PRIVATE KEY) and without password`;
  console.log(await signing.catch(() => wrong(fails)));
}
