import {
  type Address,
  canonicalJson,
  type HeldAs,
  integerSchema,
  type Json,
  listedProject,
  NO_POLICY,
  type Policy,
  recordSchema,
  shownPolicy,
  shownProject,
} from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import { documentForm, membersOf } from "./document.ts";
import { type DocumentKind, type EntryReader, subsetsOf } from "./entries.ts";
import type { LongTexts } from "./long-texts.ts";

/** Source: policies §1. */
export interface PolicyEntry extends Policy {
  readonly mrc400: string;
  /** From 1. */
  readonly number: number;
}

const POLICY_FORM = documentForm<PolicyEntry, HeldAs<typeof shownPolicy.schema>>(shownPolicy, {
  defaults: NO_POLICY,
  beside: { mrc400: "", number: 0 },
});

export const POLICY: DocumentKind<PolicyEntry> = {
  table: { name: "policy", columns: {}, indexes: [] },
  prefix: "policy/",
  id: ({ mrc400, number }) => `${mrc400}/${number}`,
  follows(id) {
    const [mrc400 = "", number] = id.split("/");
    return { mrc400, number: Number(number) };
  },
  ...POLICY_FORM,
};

/** Number 0 allows everything. Source: policies §1. */
export function policyNumbered(state: EntryReader, mrc400: string, number: number): Policy {
  if (number === 0) {
    return NO_POLICY;
  }
  const policy = state.find(POLICY, `${mrc400}/${number}`);
  invariant(policy !== undefined, "policies stay");
  return policy;
}

export function policyShown(
  state: EntryReader,
  mrc400: string,
  { number, withDefaults }: { readonly number: number; readonly withDefaults: boolean },
): { readonly policy?: Json } {
  if (number === 0) {
    return withDefaults ? { policy: {} } : {};
  }
  return { policy: POLICY.json(policyNumbered(state, mrc400, number) as PolicyEntry) };
}

/** Of a bounding policy. Source: policies §7. */
export interface HeldCount {
  readonly address: Address;
  readonly mrc400: string;
  readonly number: number;
  readonly count: number;
}

const heldSchema = recordSchema("Held", { count: integerSchema });

/** `held/<address>/<mrc400id>/<n>`. */
export const HELD: DocumentKind<HeldCount> = {
  table: { name: "held", columns: {}, indexes: [] },
  prefix: "held/",
  id: ({ address, mrc400, number }) => `${address}/${mrc400}/${number}`,
  follows(id) {
    const [address = "", mrc400 = "", number] = id.split("/");
    return { address, mrc400, number: Number(number) };
  },
  isAbsent: ({ count }) => count === 0,
  ...documentForm<HeldCount, HeldAs<typeof heldSchema>>(
    { schema: heldSchema },
    { beside: { address: "" as Address, mrc400: "", number: 0 } },
  ),
};

type ProjectDocument = Omit<HeldAs<typeof shownProject.schema>, "policy">;

export type ProjectTexts = Pick<ProjectDocument, "description" | "data" | "socialmedia">;

export interface Project extends Omit<ProjectDocument, keyof ProjectTexts> {
  readonly texts: LongTexts<ProjectTexts>;
  readonly order: number;
}

export function placeInProject(
  state: EntryReader,
  mrc400: string,
): { readonly projectOrder?: number; readonly projectOwner: Address | "" } {
  const project = state.find(PROJECT, mrc400);
  return project === undefined
    ? { projectOwner: "" }
    : { projectOrder: project.order, projectOwner: project.owner };
}

const FORM = documentForm<Project, HeldAs<typeof shownProject.schema>, "order">(shownProject, {
  derived: ["policy"],
  defaults: { policy_number: 0 },
  longTexts: ["description", "data", "socialmedia"],
  stored: ["order"],
  beside: {},
});

export const PROJECT: DocumentKind<Project> = {
  table: {
    name: "project",
    names: {
      kind: "project",
      from: ["name"],
      number: ({ order }) => order,
      of: ({ name }) => [name],
    },
    rowNumber: ({ order }) => order,
    longTexts: FORM.longTexts,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      category: { type: "TEXT", of: ({ category }) => category },
      // Partners may have 80 kB: lists read this and not the value. Source: chain §10.
      listed: {
        type: "TEXT",
        of: (project) => canonicalJson(membersOf(FORM.withoutTexts(project), listedProject)),
      },
    },
    indexes: subsetsOf(["owner", "category"]).filter((filters) => filters.length > 0),
  },
  prefix: "mrc400/",
  noun: "a project",
  id: ({ id }) => id,
  ...FORM,
  view: (project, state, withDefaults = true) => ({
    ...(withDefaults ? FORM.jsonWithDefaults : FORM.json)(project),
    ...policyShown(state, project.id, { number: project.policy_number, withDefaults }),
  }),
};
