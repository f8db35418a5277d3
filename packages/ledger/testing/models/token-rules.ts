import type { Address } from "@moneta/protocol";
import type { LedgerModel, ModelRule, ModelRules, ModelToken, Values } from "./ledger-model.ts";
import { type Code, first, integer, isInteger, MOST, parsed, when } from "./model-terms.ts";

interface ReserveSent {
  readonly address: string;
  readonly value: string;
  readonly unlockdate?: string | number;
}

const DRAFT = {
  ...{ decimal: "0", reserve: "[]", reservedamount: "0", tier: "[]", totalsupply: "0" },
  type: "010",
};

function reserveOf(text: string): readonly ReserveSent[] | undefined {
  return parsed(text) as readonly ReserveSent[] | undefined;
}

function sumOf(entries: readonly ReserveSent[]): bigint {
  return entries.reduce((sum, { value }) => sum + BigInt(value), 0n);
}

/** Checks 1 of tokens §3. */
function saveForm(values: Values): Code {
  const { owner, decimal, totalsupply, reservedamount } = values;
  const reserve = reserveOf(values.reserve);
  const malformed =
    when(`${values.symbol}${values.name}${values.url}`.includes("|"), "3005") ??
    integer(totalsupply) ??
    when(!isInteger(decimal), "1003") ??
    when(BigInt(decimal) > 18n, "1004") ??
    integer(reservedamount) ??
    when(reserve === undefined, "1007") ??
    first(
      reserve ?? [],
      ({ value, unlockdate = 0 }) =>
        integer(value, "1101") ??
        when(!isInteger(String(unlockdate)) || Number(unlockdate) > 2147483647, "1102"),
    );
  if (malformed !== undefined) {
    return malformed;
  }
  const all = reserve ?? [];
  const left = BigInt(totalsupply) - sumOf(all);
  const own = sumOf(all.filter(({ address }) => address === owner));
  return when(left < 0n || BigInt(reservedamount) > left + own, "1103");
}

/** Rules of transfers and of tokens themselves. Source: accounts §10, tokens §3 to §7. */
export function tokenRules(m: LedgerModel): ModelRules {
  const address = (given: string): Code => when(!m.addresses.includes(given as Address), "3090");
  const token = (id: string): Code => when(!m.tokens.has(id), "4001");
  const tokenAt = (id: string): ModelToken => m.tokens.get(id) as ModelToken;
  const supply = (change: (one: ModelToken, amount: bigint) => Code): ModelRule => ({
    form: ({ amount }) => integer(amount, "1206"),
    existence: (values) => token(values.token) ?? when(tokenAt(values.token).owner === "", "7001"),
    actor: (values) => tokenAt(values.token).owner,
    apply: (values) => change(tokenAt(values.token), BigInt(values.amount)),
  });

  return {
    transfer: {
      defaults: { unlockdate: "0" },
      form: ({ from, to, amount }) => integer(amount, "1101") ?? when(from === to, "3201"),
      existence: (values) => address(values.from) ?? address(values.to) ?? token(values.token),
      actor: ({ from }) => from,
      apply({ from, to, token: id, amount, unlockdate }) {
        if (m.free(from, id) < BigInt(amount)) {
          return "5001";
        }
        m.move(from, to, id, BigInt(amount), Number(unlockdate));
        return undefined;
      },
    },

    tokensave: {
      defaults: DRAFT,
      form: saveForm,
      existence: ({ owner, reserve }) =>
        address(owner) ?? first(reserveOf(reserve) ?? [], (entry) => address(entry.address)),
      actor: ({ owner }) => owner,
      apply(values) {
        m.save({ owner: values.owner, name: values.name, saved: m.time, values });
        return undefined;
      },
    },

    tokencreate: {
      form: () => undefined,
      existence: () => undefined,
      actor: () => "",
      apply(_, owner, { decided }) {
        const draft = m.drafts(owner).find(({ name }) => name === decided["name"]);
        if (draft === undefined) {
          return m.drafts(owner).length === 0 ? "6010" : "2010";
        }
        const { values } = draft;
        const id = String(m.tokens.size);
        const reserve = (reserveOf(values.reserve) ?? []).map((entry) => ({
          address: entry.address,
          value: entry.value,
          unlockdate: Number(entry.unlockdate ?? 0),
        }));
        m.discard(owner, draft.name);
        m.tokens.set(id, {
          ...{ id, token: Number(id), owner, symbol: values.symbol, name: values.name },
          ...{ category: values.category, decimal: Number(values.decimal), createdate: m.time },
          ...{ totalsupply: values.totalsupply, burnningamount: "0", reserve },
          ...{ reservedamount: values.reservedamount, tier: JSON.parse(values.tier) as unknown },
          ...{ url: values.url, information: "", image: values.image, type: values.type },
          ...{ status: "", basetoken: 0, targettoken: {}, logger: {} },
        });
        for (const entry of reserve) {
          m.move("", entry.address, id, BigInt(entry.value), entry.unlockdate);
        }
        m.move("", owner, id, BigInt(values.totalsupply) - sumOf(reserve));
        return undefined;
      },
    },

    tokenburn: supply((one, amount) => {
      if (m.free(one.owner, one.id) < amount) {
        return "5000";
      }
      m.move(one.owner, "", one.id, amount);
      const burnningamount = String(BigInt(one.burnningamount) + amount);
      m.tokens.set(one.id, { ...one, burnningamount });
      return undefined;
    }),

    tokenincrease: supply((one, amount) => {
      const totalsupply = BigInt(one.totalsupply) + amount;
      if (totalsupply > MOST) {
        return "1101";
      }
      m.move("", one.owner, one.id, amount);
      m.tokens.set(one.id, { ...one, totalsupply: String(totalsupply) });
      return undefined;
    }),

    tokenupdate: {
      form: ({ token: id, info }) =>
        when(id !== "" && !isInteger(id), "1101") ?? when(info === "", "1000"),
      existence({ token: id }, holder) {
        const isOwner = [...m.tokens.values()].some(({ owner }) => owner === holder);
        return id === ""
          ? (when(holder === "", "2020") ?? when(!isOwner, "4001"))
          : (token(id) ?? when(tokenAt(id).owner === "", "7001"));
      },
      actor: ({ token: id }) => (id === "" ? "" : tokenAt(id).owner),
      apply({ token: id, url, info: information, image: given }, _, { decided, key }) {
        const one = tokenAt(id || (decided["token"] as string));
        // A repeat names the token that was chosen when its sender owned none.
        if (id === "" && one.owner !== key?.of) {
          return "4001";
        }
        const image = given === "" ? one.image : given;
        if (url === one.url && information === one.information && image === one.image) {
          return "4900";
        }
        m.tokens.set(one.id, { ...one, url, information, image });
        return undefined;
      },
    },
  };
}
