import { VERIFIER_KEY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { integer, listOf, noted, oneOf, shown, text } from "../../description/shown.ts";

const rules = shown("RulesInForce", {
  version: [noted(integer, "rules in force"), 1],
  next: [noted(integer, "rules announced, 0 if none are"), 0],
  height: [noted(integer, "block from which on those are in force"), 0],
  operator: [noted(text, "who may announce them; empty if they cannot change"), ""],
});

const coin = shown("NativeCoin", {
  token: [{ type: "string", format: "token-id" }, "0"],
  name: [text, "Test Coin"],
  symbol: [text, "TST"],
  decimal: [integer, 8],
  totalsupply: [{ type: "string", format: "amount" }, "1000000000000000000"],
});

const { schema, example } = shown("ServiceInfo", {
  name: [text, "Moneta"],
  version: [text, "0.1.0"],
  interface: [noted(text, "version of the interface"), "2.1"],
  deployment: [oneOf("test", "production"), "test"],
  verifier: [noted(oneOf("platform", "native"), "what verifies signatures"), "platform"],
  ledger: [noted(text, "what the ledger calls itself"), "localhost/test"],
  ledger_id: [noted(text, "id of block 0, part of every full signature"), "a".repeat(64)],
  height: [noted(integer, "number of the newest block"), 258],
  first_block: [
    noted(integer, "first block after block 0 that this node has, if it does not have all"),
    201,
  ],
  archive: [noted(text, "URL of an archive of older blocks, if the node reads one"), ""],
  protocol: [rules.schema, rules.example],
  coin: [coin.schema, coin.example],
  checkpoint_keys: [
    noted(listOf(text), "verifier keys of checkpoints; know them from elsewhere"),
    [VERIFIER_KEY],
  ],
  faucet: [noted(text, "how coins are got, on a deployment with a faucet"), "POST /faucet"],
  passkey_rpid: [
    noted(text, "domain of the passkeys that the wallet makes; empty: the host of its page"),
    "",
  ],
  passkey_origins: [
    noted(listOf(text), "origins besides the wallet's whose pages may ask those passkeys"),
    [],
  ],
  documentation: [noted(text, "path of the API reference"), "/docs"],
  openapi: [noted(text, "path of the document that it is made from"), "/openapi.json"],
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
