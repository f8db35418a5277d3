import { GENERAL_REFUSALS } from "@moneta/protocol";
import type { Service } from "../../service.ts";

/** Markdown. Source: conventions. */
export function introduction({
  url,
  ledgerId,
  faucet,
}: Pick<Service, "ledgerId" | "faucet"> & { readonly url: string }): string {
  const general = GENERAL_REFUSALS.map((code) => `\`${code}\``).join(", ");
  return `A ledger of coins, tokens, NFTs and the addresses that hold them, version 2.1 of its HTTP interface. Clients keep their own ECDSA keys and sign every write; the node orders the writes,
applies them by fixed rules and keeps them in a chain of blocks that anyone can check.

The URL of this node is \`${url}\`; [/openapi.json](${url}/openapi.json) has this reference as an OpenAPI document.

# First requests

A key of your own, and an address for it. The private key never leaves your machine.

\`\`\`bash
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem
openssl pkey -in key.pem -pubout -out public.pem
address=$(curl -sS ${url}/address --data-urlencode publickey@public.pem)
${faucet === undefined ? "" : `curl -sS ${url}/faucet -d address=$address\n`}curl -sS ${url}/balance/$address
\`\`\`

The samples beside each operation are complete: put your address in the place of the example's and keep \`key.pem\` beside them. Those in JavaScript use the client library
\`@moneta/sdk\`. Programs that sign in PHP, Python and Java are in the project's \`docs/signing\`.

# Parameters

Parameters may be in the path, the query string, a form (\`application/x-www-form-urlencoded\`) or a JSON body, whichever of these this page shows. Names that are "also accepted" mean the same parameter.
Numbers are decimal digits without sign, leading zero, point or exponent. Amounts are in the token's smallest unit: with 8 decimals \`150000000\` is 1.5. Times are Unix seconds.
An address is \`MT\`, 30 letters or digits, and their CRC-32 as 8 lower-case hex digits. Lists such as \`itemdata\` are JSON text; a JSON body may have them as lists.

A request head may have 512 KiB (\`9431\`), a body 4 MiB unless the operator says otherwise (\`9413\`). A query may have 1,000 parameters (\`9431\`), as may a form, and a JSON body 1,000 members (\`9413\`). A list that exceeds its
limit is rejected at the first extra element. Unknown parameters and members are ignored, with \`signed=full\` refused (\`1008\`); a JSON text may have up to 20,000 such values (\`1007\`).

Generators such as openapi-typescript, @hey-api/openapi-ts, oazapfts and openapi-python-client make clients of \`/openapi.json\`; they are tested with each version.

# Signing

Every write but the creation of an address is signed by the actor: ECDSA on P-256, P-384 or P-521 with SHA-256, SHA-384 or SHA-512, as base64 of the DER form (what openssl makes) or of the raw r‖s form (what browsers
make). The samples sign in full, with \`signed=full\`: the signature covers every parameter, those in the path too, and this ledger:
\`moneta|1|<ledger id>|<operation>|<JSON of all parameters but the signature, sorted by name, without spaces>\`, each as a JSON string. Older clients sign the short string that the operation shows: its fields exactly as they were sent, in that order, joined with \`|\`, an absent one as the empty string. It does
not cover every parameter (\`docs/signing/short-signatures.md\`).

The id of this ledger is \`${ledgerId}\`. The project has a guide to signing with a program in each of five languages (\`docs/signing\`), and test vectors (\`packages/protocol/test-vectors\`).

## Temporary keys

Each signed request carries a temporary key of its actor (\`tkey\`, \`checkkey\` or \`Temporarykey\`), which makes it unique. \`GET /nonce/{address}\` gives one, valid for an hour (a setting of the node); the header
\`Replay-Nonce\` of every response to a write gives the next. A key serves one successful operation. The same request sent again returns the first response and does nothing: a client that lost a response can simply retry.

# Answers

200 means that the write is on disk; \`Transaction-Id\` names its transaction. \`Ledger-Height\` of a response is the number of the newest block that it reflects. A request with \`Ledger-Height-Min\` waits for that
block. Lists come newest first, in pages: \`limit\` is the length, and \`cursor\` of one page requests the next. With \`Accept: text/csv\` a list comes as CSV (RFC 4180), whole from \`cursor\` on; with
\`text/csv;profile=statement\` the history of an address comes as CSV for people. Cells that a spreadsheet would run as formulas begin with an apostrophe. A client gets one such response at a time, else \`9002\`.

# Errors

Errors are \`application/problem+json\` (RFC 9457): \`code\` identifies the error, \`detail\` says what was wrong with which value and what would be right, \`parameter\` names the parameter. A request that fails changes nothing, and its temporary key
stays unused.

| code | HTTP | what it means |
|---|---|---|
| 1000–1008 | 400 | a parameter is missing, given twice, malformed, not JSON of the required shape, or unknown in a request with \`signed=full\` |
| 1100–1199, 1206 | 400 | an amount, price, number or date is out of range or no integer |
| 2010, 2230 | 401 | the signature does not fit the signed string and the actor's key; is no signature |
| 2020 | 401 | the temporary key is not this actor's, or has expired |
| 2021 | 409 | the temporary key has been used by another operation |
| 3000–3089, 3201 | 400 | a field breaks a rule of its operation |
| 3090 | 404 | no such address (400 where a temporary key was requested) |
| 3102–3106 | 405 | the public key of a new address is missing, or none that is accepted |
| 3190 | 400 | a malformed address |
| 4001, 6001–6099 | 404 | no such token, project, item, listing, block or transaction |
| 4900 | 400 | an update that changes nothing |
| 5000–5099 | 400 | the balance does not suffice |
| 7000–7099 | 403 | the actor may not do this |
| 7100–7199 | 409 | the state of the item, listing or token forbids it |
| 7200–7299 | 409 | too early or too late |
| 9001 | 429 | too many requests; \`Retry-After\` says when to come back |
| 9002, 9003 | 503 | overloaded or shutting down; has not caught up. Nothing was written |
| 9404, 9405 | 404, 405 | no such path; not by this method |
| 9408, 9413, 9415, 9431 | 408, 413, 415, 431 | too slow, too large, of an unknown type, or with too long a head |
| 9500 | 500 | a fault of the service |

Each operation lists its own codes. Any request may also get ${general}.

Checks run in this order, and the first that fails answers: parameters, existence, temporary key and signature, permission, state, time, balances.
`;
}
