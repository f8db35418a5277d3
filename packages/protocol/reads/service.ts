import { read } from "../operation.ts";

/** What this node is and how far it has come. */
export const service = read({
  name: "service",
  route: "GET /",
  about: "Name, version, deployment, height and native coin of this node.",
  parameters: {},
  cache: "never",
  result: { kind: "json", about: "the node", schema: { type: "object" } },
});
