import type { Project } from "@moneta/sdk";
import { type Pair, pairLines, type Values } from "./fields.ts";
import { timeText } from "./items.ts";
import { operationForm } from "./operation-form.ts";
import type { WithPolicy } from "./subject.ts";

const TERMS =
  "partner +socialmedia +allowtoken +transfers +maxprice +opens +closes +cooldown +maxheld +terms";

/** Those of a new project that have defaults. */
const USUAL = ["description", "category", "url", "itemurl", "itemimageurl", "data"];

/** Source: policies §2 */
const POLICY = [
  "transfers",
  "maxprice",
  "opens",
  "closes",
  "cooldown",
  "maxheld",
  "terms",
] as const;

/** They bound nothing. */
const UNBOUND: ReadonlySet<unknown> = new Set([undefined, "", 0, "free", "changeable"]);

function withPolicy(values: Values, before: Project["policy"]): Values {
  const given = Object.entries(values);
  const members = given.filter(([name]) => POLICY.some((member) => member === name));
  const others = Object.fromEntries(given.filter((entry) => !members.includes(entry)));
  const policy = Object.entries({ ...before, ...Object.fromEntries(members) }).filter(
    ([, value]) => !UNBOUND.has(value),
  );
  return members.length === 0 ? others : { ...others, policy: Object.fromEntries(policy) };
}

const signedPolicy = ({ policy }: Values): WithPolicy | undefined =>
  policy === undefined ? undefined : { policy: policy as Project["policy"] };

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
  transfers: project.policy.transfers ?? "free",
  maxprice: project.policy.maxprice ?? "",
  opens: timeText(project.policy.opens),
  closes: timeText(project.policy.closes),
  cooldown: String(project.policy.cooldown ?? ""),
  maxheld: String(project.policy.maxheld ?? ""),
  terms: project.policy.terms ?? "changeable",
});

/** Source: mrc401 §3, §4 */
export const PROJECT_OPERATIONS = [
  operationForm({
    name: "mrc400create",
    on: "nothing",
    action: "project",
    fields: `name imageurl description +category +url +itemurl +itemimageurl +data +${TERMS}`,
    more: () => Object.fromEntries(USUAL.map((name) => [name, { isNeeded: false }])),
    convert: (values) => objects(withPolicy(values, {})),
    policy: signedPolicy,
    isOffered: () => true,
    notes: ["yourProject", "changeLater"],
  }),
  operationForm({
    name: "mrc400update",
    on: "project",
    action: "update",
    fields: `name! category! description! url! imageurl! itemurl! itemimageurl! +data! ${TERMS}`,
    more: ({ project }) =>
      Object.fromEntries(
        Object.entries(textsOf(project)).map(([name, initial]) => [name, { initial }]),
      ),
    fixed: ({ project }) => ({ mrc400id: project.id }),
    convert: (values, { project }) => objects(withPolicy(values, project.policy)),
    policy: signedPolicy,
    // Partners and media are replaced as a whole.
    sendsChanges: true,
    isOffered: ({ project: { owner } }, by) => by.address === owner,
    notes: (values) => [
      ...("partner" in values ? (["onlyTheseRoles"] as const) : []),
      ...("policy" in values ? (["laterItems"] as const) : []),
      "restStays",
    ],
  }),
];
