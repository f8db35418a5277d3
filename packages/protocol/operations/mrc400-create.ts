import { signedOperation } from "../operation.ts";
import { address, temporaryKey } from "../parameters.ts";
import { PROJECT_FIELDS, projectParameters } from "../project.ts";

/** Opens a project of items. Source: mrc401 §3. */
export const mrc400Create = signedOperation({
  name: "mrc400create",
  route: "POST /mrc400",
  about: "Opens a project, in which its owner and partners create items.",
  parameters: { owner: address(), ...projectParameters, tkey: temporaryKey() },
  signed: ["owner", ...PROJECT_FIELDS, "partner", "data", "tkey"],
  result: {
    kind: "text",
    about: "the id of the project",
    example: "MRC400_c7735425f08d740230c98da57e9977dfc",
  },
});
