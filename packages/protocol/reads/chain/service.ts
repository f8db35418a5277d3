import { VERIFIER_KEY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { integer, listOf, noted, oneOf, shown, text } from "../../description/shown.ts";

const rules = shown("RulesInForce", {
  version: [noted(integer, "version of the rules in force"), 1],
  next: [noted(integer, "version of the rules announced; 0 for none"), 0],
  height: [noted(integer, "number of the first block under the announced rules"), 0],
  operator: [noted(text, "address that may announce rules; empty if they cannot change"), ""],
});

const coin = shown("NativeCoin", {
  token: [noted({ type: "string", format: "token-id" }, "always 0"), "0"],
  name: [text, "Test Coin"],
  symbol: [text, "TST"],
  decimal: [integer, 8],
  totalsupply: [{ type: "string", format: "amount" }, "1000000000000000000"],
});

const { schema, example } = shown("ServiceInfo", {
  name: [noted(text, "name of the software"), "Moneta"],
  version: [noted(text, "version of the software"), "0.1.0"],
  interface: [noted(text, "version of the interface"), "2.1"],
  deployment: [
    noted(oneOf("test", "production"), "whether coins of this ledger have value"),
    "test",
  ],
  verifier: [
    noted(
      oneOf("platform", "native"),
      "whether the platform or the native verifier checks signatures",
    ),
    "platform",
  ],
  ledger: [noted(text, "name of the ledger in its checkpoints"), "localhost/test"],
  ledger_id: [noted(text, "id of block 0, part of every full signature"), "a".repeat(64)],
  height: [noted(integer, "number of the newest block"), 258],
  first_block: [
    noted(
      integer,
      "number of the first block after block 0 that this node has; absent if it has all",
    ),
    201,
  ],
  archive: [
    noted(text, "URL of the archive of older blocks that the node reads; absent without one"),
    "",
  ],
  protocol: [rules.schema, rules.example],
  coin: [noted(coin.schema, "the native coin"), coin.example],
  checkpoint_keys: [
    noted(
      listOf(text),
      "verifier keys of checkpoints; get them from another source before you trust them",
    ),
    [VERIFIER_KEY],
  ],
  faucet: [noted(text, "route of the faucet; absent without one"), "POST /faucet"],
  passkey_rpid: [
    noted(text, "domain of the passkeys that the wallet makes; empty for the host of its page"),
    "",
  ],
  passkey_origins: [
    noted(listOf(text), "origins besides the wallet's whose pages may request those passkeys"),
    [],
  ],
  documentation: [noted(text, "path of the API reference"), "/docs"],
  openapi: [noted(text, "path of the OpenAPI document"), "/openapi.json"],
});

const SOMETIMES = ["first_block", "archive", "checkpoint_keys", "faucet"];
const { first_block: _, archive: __, ...ofWholeNode } = example;

export const service = read({
  name: "service",
  title: "Describe the node",
  route: "GET /",
  about: "Name, version, deployment, height, rules and native coin of this node.",
  parameters: {},
  cache: "never",
  result: {
    kind: "json",
    about: "the node",
    schema: {
      ...schema,
      required: Object.keys(example).filter((name) => !SOMETIMES.includes(name)),
    },
    example: ofWholeNode,
  },
});
