import { VERIFIER_KEY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";

const text = { type: "string" } as const;

const SHOWN =
  "name version interface deployment ledger ledger_id height protocol coin documentation openapi".split(
    " ",
  );

/** What this node is and how far it has come. */
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
      title: "ServiceInfo",
      type: "object",
      required: [...SHOWN],
      properties: {
        name: text,
        version: text,
        interface: { type: "string", description: "version of the interface" },
        deployment: { type: "string", enum: ["test", "production"] },
        ledger: { type: "string", description: "what the ledger calls itself" },
        ledger_id: { type: "string", description: "id of block 0, part of every full signature" },
        height: { type: "integer", description: "number of the newest block" },
        protocol: {
          title: "RulesInForce",
          type: "object",
          required: ["version", "next", "height", "operator"],
          properties: {
            version: { type: "integer", description: "rules in force" },
            next: { type: "integer", description: "rules announced, 0 if none are" },
            height: { type: "integer", description: "block from which on those are in force" },
            operator: { type: "string", description: "who announces them; empty if nobody may" },
          },
        },
        coin: {
          title: "NativeCoin",
          type: "object",
          required: ["token", "name", "symbol", "decimal", "totalsupply"],
          properties: {
            token: { type: "string", format: "token-id" },
            name: text,
            symbol: text,
            decimal: { type: "integer" },
            totalsupply: { type: "string", format: "amount" },
          },
        },
        checkpoint_keys: {
          type: "array",
          items: text,
          description: "verifier keys of checkpoints; know them from elsewhere",
        },
        faucet: { type: "string", description: "how coins are got, on a deployment with a faucet" },
        documentation: { type: "string", description: "path of the API reference" },
        openapi: { type: "string", description: "path of the document that it is made from" },
      },
    },
    example: {
      name: "Moneta",
      version: "0.1.0",
      interface: "2.1",
      deployment: "test",
      ledger: "localhost/test",
      ledger_id: "a".repeat(64),
      height: 258,
      protocol: { version: 1, next: 0, height: 0, operator: "" },
      coin: {
        token: "0",
        name: "Test Coin",
        symbol: "TST",
        decimal: 8,
        totalsupply: "1000000000000000000",
      },
      checkpoint_keys: [VERIFIER_KEY],
      faucet: "POST /faucet",
      documentation: "/docs",
      openapi: "/openapi.json",
    },
  },
});
