import { VERIFIER_KEY } from "../examples.ts";
import { read } from "../operation.ts";

/** What this node is and how far it has come. */
export const service = read({
  name: "service",
  route: "GET /",
  about: "Name, version, deployment, height, rules and native coin of this node.",
  parameters: {},
  cache: "never",
  result: {
    kind: "json",
    about: "the node",
    schema: { type: "object" },
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
      documentation: "/openapi.json",
    },
  },
});
