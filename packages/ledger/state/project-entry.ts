import { type Address, canonicalJson, type PartnerRole, type TokenId } from "@moneta/protocol";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import {
  converted,
  form,
  joined,
  longTexts,
  longTextsOf,
  number,
  object,
  stored,
  text,
  unchanged,
} from "./fields.ts";
import type { LongTexts } from "./long-texts.ts";

/** A project of items. Source: mrc401 §3, §5. */
export interface Project {
  /** `MRC400_` and 33 hex digits. */
  readonly id: string;
  readonly owner: Address;
  readonly name: string;
  readonly url: string;
  readonly imageUrl: string;
  /** What its items may be traded for beside token 0; `0` for every token. */
  readonly allowToken: TokenId;
  readonly category: string;
  readonly itemUrl: string;
  readonly itemImageUrl: string;
  readonly texts: LongTexts<ProjectTexts>;
  readonly partners: { readonly [address: string]: PartnerRole };
  /** Unix seconds. */
  readonly createDate: number;
  /**
   * Running number of the transaction that created it, which its items are found by; no part of the
   * state that blocks commit to.
   */
  readonly order: number;
}

/** What a project says of itself at length. */
export interface ProjectTexts {
  readonly description: string;
  readonly data: string;
  /** URLs by name. */
  readonly socialMedia: { readonly [name: string]: string };
}

const LISTED_FIELDS = {
  id: text("id"),
  owner: text<Address>("owner"),
  name: text("name"),
  url: text("url"),
  imageUrl: text("image_url"),
  allowToken: converted<TokenId>("allow_token", {
    write: Number,
    read: (json) => String(json) as TokenId,
  }),
  category: text("category"),
  itemUrl: text("item_url"),
  itemImageUrl: text("item_image_url"),
  createDate: number("createdate"),
};

type Listed = Pick<Project, keyof typeof LISTED_FIELDS>;

/** What a list shows of a project. Source: chain §10. */
const LISTED = form(object<Listed>(LISTED_FIELDS));

const TEXTS = object<ProjectTexts>({
  description: text("description"),
  data: text("data"),
  socialMedia: unchanged("socialmedia"),
});

const DETAILS = form(
  object<Omit<Project, keyof Listed>>({
    partners: unchanged("partner"),
    texts: longTexts(TEXTS),
    order: stored(number("order")),
  }),
);

export const PROJECT: DocumentKind<Project> = {
  table: {
    name: "project",
    rowNumber: ({ order }) => order,
    longTexts: longTextsOf(TEXTS),
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      category: { type: "TEXT", of: ({ category }) => category },
      // Partners and links may have 80 kB: lists read this and not the value behind it.
      listed: { type: "TEXT", of: (project) => canonicalJson(LISTED.json(project)) },
    },
    indexes: subsetsOf(["owner", "category"]).filter((filters) => filters.length > 0),
  },
  prefix: "mrc400/",
  id: ({ id }) => id,
  ...joined(LISTED, DETAILS),
};
