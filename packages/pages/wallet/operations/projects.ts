import type { Project } from "@moneta/sdk";
import { type Pair, pairLines, type Values } from "./fields.ts";
import { operationForm } from "./operation-form.ts";

const FIELDS =
  "name! category! description! url! imageurl! itemurl! itemimageurl! data! partner +socialmedia +allowtoken";

/** An object of pairs, as the wire has it. */
export function pairsObject(pairs: readonly Pair[] = []): Values {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
}

const objects = (values: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    ["partner", "socialmedia"]
      .filter((name) => name in values)
      .map((name) => [name, pairsObject(values[name] as readonly Pair[] | undefined)]),
  ),
});

/** The texts of a project by the names of its parameters. */
const textsOf = (project: Project): Readonly<Record<string, string>> => ({
  name: project.name,
  category: project.category,
  description: project.description,
  url: project.url,
  imageurl: project.image_url,
  itemurl: project.item_url,
  itemimageurl: project.item_image_url,
  data: project.data,
  partner: pairLines(project.partner),
  socialmedia: pairLines(project.socialmedia),
  allowtoken: String(project.allow_token),
});

/** Everything that can be done with projects themselves. Source: mrc401 §3, §4 */
export const PROJECT_OPERATIONS = [
  operationForm({
    name: "mrc400create",
    on: "nothing",
    action: "project",
    fields: FIELDS,
    more: () => ({ data: { initial: "{}" } }),
    convert: objects,
    isOffered: () => true,
    notes: ["yourProject", "changeLater"],
  }),
  operationForm({
    name: "mrc400update",
    on: "project",
    action: "update",
    fields: FIELDS,
    more: ({ project }) =>
      Object.fromEntries(
        Object.entries(textsOf(project)).map(([name, initial]) => [name, { initial }]),
      ),
    fixed: ({ project }) => ({ mrc400id: project.id }),
    convert: objects,
    // Partners and media are replaced as a whole.
    sendsChanges: true,
    isOffered: ({ project: { owner } }, by) => by.address === owner,
    notes: (values) => ("partner" in values ? ["onlyTheseRoles", "restStays"] : ["restStays"]),
  }),
];
