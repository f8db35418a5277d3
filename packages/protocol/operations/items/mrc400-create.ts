import { ALICE, PROJECT } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { newProjectParameters, PROJECT_FIELDS, projectExample } from "./project.ts";

/** Source: mrc401 §3. */
export const mrc400Create = signedOperation({
  name: "mrc400create",
  title: "Create a project",
  route: "POST /mrc400",
  about: "Opens a project, in which its owner and partners create items.",
  parameters: { owner: address(), ...newProjectParameters, tkey: temporaryKey() },
  example: { owner: ALICE, ...projectExample },
  actor: "owner",
  signed: ["owner", ...PROJECT_FIELDS, "partner", "data", "tkey"],
  signedAlso: [
    {
      about: "partner is absent and data has no |",
      // A | in `data` could turn a signed partner and data into data alone.
      when: ({ partner, data = "" }) => partner === undefined && !data.includes("|"),
      signed: ["owner", ...PROJECT_FIELDS, "data", "tkey"],
    },
  ],
  refusals: ["3090", "4001"],
  result: {
    kind: "text",
    member: "mrc400id",
    about: "the id of the project",
    example: PROJECT,
  },
});
