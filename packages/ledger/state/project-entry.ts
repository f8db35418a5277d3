import { canonicalJson, type HeldAs, listedProject, shownProject } from "@moneta/protocol";
import { documentForm, membersOf } from "./document.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import type { LongTexts } from "./long-texts.ts";

type ProjectDocument = HeldAs<typeof shownProject.schema>;

/** The long texts of a project. */
export type ProjectTexts = Pick<ProjectDocument, "description" | "data" | "socialmedia">;

/** A project of items: the document of mrc401 §5, and its place. */
export interface Project extends Omit<ProjectDocument, keyof ProjectTexts> {
  readonly texts: LongTexts<ProjectTexts>;
  /**
   * Running number of the transaction that created it, which its items are found by; no part of the
   * state that blocks commit to.
   */
  readonly order: number;
}

const FORM = documentForm<Project, ProjectDocument>(shownProject, {
  longTexts: ["description", "data", "socialmedia"],
  beside: { order: 0 },
});

export const PROJECT: DocumentKind<Project> = {
  table: {
    name: "project",
    rowNumber: ({ order }) => order,
    longTexts: FORM.longTexts,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      category: { type: "TEXT", of: ({ category }) => category },
      // Partners may have 80 kB: lists read this and not the value behind it. Source: chain §10.
      listed: {
        type: "TEXT",
        of: (project) => canonicalJson(membersOf(FORM.withoutTexts(project), listedProject)),
      },
    },
    indexes: subsetsOf(["owner", "category"]).filter((filters) => filters.length > 0),
  },
  prefix: "mrc400/",
  id: ({ id }) => id,
  ...FORM,
};
