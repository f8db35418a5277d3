import { PROJECT } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { keptProjectParameters, PROJECT_FIELDS, projectExample } from "./project.ts";

/** Source: mrc401 §4. */
export const mrc400Update = signedOperation({
  name: "mrc400update",
  title: "Update a project",
  route: "PUT /mrc400/{mrc400id}",
  about:
    "Changes a project. Omitted values stay as they are; partners and social media are replaced as a whole.",
  parameters: {
    mrc400id: recordId("a project"),
    ...keptProjectParameters,
    tkey: temporaryKey(),
  },
  example: { mrc400id: PROJECT, ...projectExample, data: "season 2" },
  signed: ["mrc400id", ...PROJECT_FIELDS, "data", "tkey"],
  signedAlso: [
    {
      about: "neither description nor data has a |",
      // A | in one of them could move signed text to another field.
      when: ({ description = "", data = "" }) => !`${description}${data}`.includes("|"),
      signed: [
        ...["mrc400id", "name", "url", "imageurl", "category", "description"],
        ...["itemurl", "itemimageurl", "data", "tkey"],
      ] as const,
    },
  ],
  refusals: ["6004", "3090", "4001", "7121", "7123", "4900"],
});
