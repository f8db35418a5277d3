import {
  type Address,
  canonicalJson,
  type Json,
  type PartnerRole,
  type TokenId,
} from "@moneta/protocol";
import { type DocumentKind, documentKind, subsetsOf } from "./entries.ts";

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
  readonly description: string;
  readonly itemUrl: string;
  readonly itemImageUrl: string;
  readonly data: string;
  /** URLs by name. */
  readonly socialMedia: { readonly [name: string]: string };
  readonly partners: { readonly [address: string]: PartnerRole };
  /** Unix seconds. */
  readonly createDate: number;
  /** Running number of the transaction that created it, which its items are found by; no part of the state that blocks commit to. */
  readonly order: number;
}

export const PROJECT: DocumentKind<Project> = documentKind({
  table: {
    name: "project",
    rowNumber: ({ order }) => order,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      category: { type: "TEXT", of: ({ category }) => category },
      // Partners and links may have 80 kB: lists read this and not the value behind it.
      listed: { type: "TEXT", of: (project) => canonicalJson(listedProjectJson(project)) },
    },
    indexes: subsetsOf(["owner", "category"]).filter((filters) => filters.length > 0),
  },
  prefix: "mrc400/",
  id: ({ id }) => id,
  json: (project) => ({
    ...listedProjectJson(project),
    data: project.data,
    description: project.description,
    partner: project.partners,
    socialmedia: project.socialMedia,
  }),
  stored: (project) => ({ ...(PROJECT.json(project) as object), order: project.order }),
  restore(json) {
    const stored = json as unknown as StoredProject;
    return {
      id: stored.id,
      owner: stored.owner,
      name: stored.name,
      url: stored.url,
      imageUrl: stored.image_url,
      allowToken: String(stored.allow_token) as TokenId,
      category: stored.category,
      description: stored.description,
      itemUrl: stored.item_url,
      itemImageUrl: stored.item_image_url,
      data: stored.data,
      socialMedia: stored.socialmedia,
      partners: stored.partner,
      createDate: stored.createdate,
      order: stored.order,
    };
  },
});

/** What a list shows of a project. Source: chain §10. */
function listedProjectJson(project: Project): { readonly [name: string]: Json } {
  return {
    allow_token: Number(project.allowToken),
    category: project.category,
    createdate: project.createDate,
    id: project.id,
    image_url: project.imageUrl,
    item_image_url: project.itemImageUrl,
    item_url: project.itemUrl,
    name: project.name,
    owner: project.owner,
    url: project.url,
  };
}

type StoredProject = Pick<
  Project,
  "id" | "owner" | "name" | "url" | "category" | "description" | "data"
> & {
  readonly allow_token: number;
  readonly createdate: number;
  readonly order: number;
  readonly image_url: string;
  readonly item_image_url: string;
  readonly item_url: string;
  readonly partner: Project["partners"];
  readonly socialmedia: Project["socialMedia"];
} & { readonly [name: string]: Json };
