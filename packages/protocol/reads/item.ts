import { PROJECT, SWORD } from "../examples.ts";
import { read } from "../operation.ts";
import { recordId } from "../parameters.ts";
import { itemRecordExample, itemSchema, projectRecordExample, projectSchema } from "../results.ts";

/** Shows a project. Source: mrc401 §5. */
export const project = read({
  name: "mrc400",
  route: "GET /mrc400/{mrc400id}",
  about: "Shows a project of items.",
  parameters: { mrc400id: recordId("a project") },
  example: { mrc400id: PROJECT },
  cache: "revalidate",
  result: {
    kind: "json",
    about: "the project",
    schema: projectSchema,
    example: projectRecordExample,
  },
});

/** Shows an item. Source: mrc401 §6. */
export const item = read({
  name: "mrc401",
  route: "GET /mrc401/{mrc401id}",
  about: "Shows an item of a project: whose it is, and whether it is on sale or on auction.",
  parameters: { mrc401id: recordId("an item") },
  example: { mrc401id: SWORD },
  cache: "revalidate",
  result: { kind: "json", about: "the item", schema: itemSchema, example: itemRecordExample },
});
