import {
  type Address,
  grantPeriods,
  type HeldAs,
  OPEN_GRANTS_MAX,
  shownGrant,
  ZERO,
} from "@moneta/protocol";
import { documentForm } from "./document.ts";
import { type DocumentKind, type EntryReader, subsetsOf } from "./entries.ts";
import type { IndexReader } from "./index-reader.ts";

type GrantDocument = Omit<HeldAs<typeof shownGrant.schema>, "periods">;

export interface Grant extends GrantDocument {
  readonly order: number;
}

export type OpenGrant = Pick<Grant, "grantid" | "until" | "version">;

const FORM = documentForm<Grant, HeldAs<typeof shownGrant.schema>, "order">(shownGrant, {
  derived: ["periods"],
  stored: ["order"],
  beside: {},
});

export const GRANT: DocumentKind<Grant> = {
  table: {
    name: "address_grant",
    rowNumber: ({ order }) => order,
    columns: {
      address: { type: "ADDRESS", of: ({ address }) => address },
      public_key: { type: "TEXT", of: ({ agent }) => agent },
      state: { type: "TEXT", of: ({ ended }) => (ended === 0 ? "open" : "ended") },
      version: { type: "INTEGER", of: ({ version }) => version },
      open_until: {
        type: "INTEGER",
        optional: true,
        of: ({ ended, until }) => (ended === 0 ? until : undefined),
      },
    },
    indexes: [
      ...subsetsOf(["address", "public_key"]).map((filters) => [...filters, "state"]),
      ["address", "open_until"],
    ],
  },
  prefix: "grant/",
  noun: "a grant",
  id: ({ grantid }) => grantid,
  ...FORM,
  view: (grant, state) => ({
    ...FORM.json(grant),
    ...PERIODS_FORM.json(periodsOf(state, grant)),
  }),
};

export interface GrantPeriods extends HeldAs<typeof grantPeriods> {
  readonly grantid: string;
}

const PERIODS_FORM = documentForm<GrantPeriods, HeldAs<typeof grantPeriods>>(
  { schema: grantPeriods },
  { beside: { grantid: "" } },
);

export const GRANT_PERIODS: DocumentKind<GrantPeriods> = {
  table: { name: "grant_periods", columns: {}, indexes: [] },
  prefix: "grantperiods/",
  id: ({ grantid }) => grantid,
  follows: (grantid) => ({ grantid }),
  ...PERIODS_FORM,
};

export function periodsOf(state: EntryReader, { grantid, limits }: Grant): GrantPeriods {
  const unused = limits.map(() => ({ since: 0, spent: ZERO }));
  return state.find(GRANT_PERIODS, grantid) ?? { grantid, periods: unused };
}

export function openGrants(state: IndexReader, address: Address): readonly OpenGrant[] {
  const number = state.addressNumber(address);
  if (number === undefined) {
    return [];
  }
  const query = { index: ["address", "open_until"], equal: [number], limit: OPEN_GRANTS_MAX };
  return state.rows(GRANT, query, ["version"]).map(([grantid, cells]) => ({
    grantid,
    until: cells["open_until"] as number,
    version: cells["version"] as number,
  }));
}
