import { read } from "../operation.ts";
import { recordId } from "../parameters.ts";
import { itemSchema, projectSchema } from "../results.ts";

/** Shows a project. Source: mrc401 §5. */
export const project = read({
  name: "mrc400",
  route: "GET /mrc400/{mrc400id}",
  about: "Shows a project of items.",
  parameters: { mrc400id: recordId("a project") },
  cache: "revalidate",
  result: { kind: "json", about: "the project", schema: projectSchema },
});

/** Shows an item. Source: mrc401 §6. */
export const item = read({
  name: "mrc401",
  route: "GET /mrc401/{mrc401id}",
  about: "Shows an item of a project: whose it is, and whether it is on sale or on auction.",
  parameters: { mrc401id: recordId("an item") },
  cache: "revalidate",
  result: { kind: "json", about: "the item", schema: itemSchema },
});
