import type { Project } from "@moneta/sdk";
import {
  address,
  choice,
  type Field,
  type FieldFault,
  links,
  more,
  optional,
  pairLines,
  pairs,
  picture,
  startingWith,
  text,
  token,
  url,
} from "./fields.ts";
import { type Effect, operationForm } from "./operation-form.ts";

type Role = Project["partner"][string];

const projectFields = {
  name: text(128),
  category: text(64),
  description: text(4096, { bar: true }),
  url: url(),
  imageurl: picture(),
  itemurl: url(),
  itemimageurl: picture(),
  data: text(4096, { bar: true }),
  partner: optional(
    pairs({ key: address(), value: choice<Role>("partner", "seller", "creator"), max: 500 }),
  ),
  socialmedia: more(optional(links())),
  allowtoken: more(token()),
} as const;

const object = <V>(pairs: readonly (readonly [string, V])[]): Record<string, V> =>
  Object.fromEntries(pairs);

const roleEffects = (partner: readonly (readonly [string, Role])[] = []): readonly Effect[] =>
  partner.map(([to, role]) => ({ kind: "other", what: role, address: to }));

const mrc400create = operationForm({
  name: "mrc400create",
  on: "nothing",
  action: "project",
  isOpenTo: () => true,
  fields: () => ({ ...projectFields, data: startingWith(projectFields.data, "{}") }),
  request: ({ partner, socialmedia, ...values }) => ({
    ...values,
    partner: partner && object(partner),
    socialmedia: socialmedia && object(socialmedia),
  }),
  effects: ({ partner }) => [
    { kind: "note", what: "yourProject" },
    ...roleEffects(partner),
    { kind: "note", what: "changeLater" },
  ],
});

/** The texts of a project as its form has them. */
const textsOf = (project: Project) => ({
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

const mrc400update = operationForm({
  name: "mrc400update",
  on: "project",
  action: "update",
  isOpenTo: ({ project: { owner } }, by) => by.address === owner,
  fields: ({ project }) => {
    const before = textsOf(project);
    const started = Object.entries(projectFields).map(([field, of]) => [
      field,
      startingWith(of as Field<unknown>, before[field as keyof typeof before]),
    ]);
    return Object.fromEntries(started) as typeof projectFields;
  },
  check: (values, { project }): Readonly<Record<string, FieldFault>> =>
    changesOf(values, project).length === 0 ? { name: { what: "nothing" } } : {},
  // What is left out stays as it is; partners and media are replaced as a whole.
  request: (values, { project }) => ({
    ...Object.fromEntries(changesOf(values, project)),
    mrc400id: project.id,
  }),
  effects: (values, { project }) =>
    changesOf(values, project).some(([field]) => field === "partner")
      ? [
          ...roleEffects(values.partner),
          { kind: "note", what: values.partner === undefined ? "noRoles" : "onlyTheseRoles" },
        ]
      : [{ kind: "note", what: "restStays" }],
});

interface ProjectValues {
  readonly partner: readonly (readonly [string, Role])[] | undefined;
  readonly socialmedia: readonly (readonly [string, string])[] | undefined;
}

/** The parameters that differ from what the project says. */
function changesOf(
  { partner = [], socialmedia = [], ...values }: ProjectValues,
  project: Project,
): readonly (readonly [string, unknown])[] {
  const before = textsOf(project);
  const changed = Object.entries(values).filter(
    ([field, value]) => value !== before[field as keyof typeof before],
  );
  const replaced = [
    ["partner", object(partner), project.partner],
    ["socialmedia", object(socialmedia), project.socialmedia],
  ] as const;
  return [
    ...changed,
    ...replaced
      .filter(([, now, then]) => !hasSameMembers(now, then))
      .map(([field, now]) => [field, now] as const),
  ];
}

/** Whether two objects have the same members, in whatever order. */
export function hasSameMembers(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}

/** Everything that can be done with projects themselves. Source: mrc401 §3, §4 */
export const PROJECT_OPERATIONS = [mrc400create, mrc400update] as const;
