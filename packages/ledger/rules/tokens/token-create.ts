import {
  type Address,
  type Amount,
  Refused,
  readTexts,
  refuse,
  type TokenId,
  tokenCreate,
  tokenSave,
  type ValuesOf,
} from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { done, type EffectDraft, effect, record, sent, signatureOf } from "../../records/record.ts";
import { COUNT } from "../../state/entries.ts";
import { LongTexts } from "../../state/long-texts.ts";
import {
  constantsOf,
  DRAFT,
  type DraftEntry,
  draftId,
  draftsOf,
  TOKEN,
} from "../../state/token-entry.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { isLive } from "./token-draft.ts";

/** By a group, as by one token. Source: batches §2.12. */
const RESERVES_MAX = 100;

/** Source: tokens §4. */
export const tokenCreateRule: RuledOperation = ruleOf(tokenCreate, {
  actor: (_state, _values, keyHolder) => acting(keyHolder()),

  choices(state, _values, actor) {
    const drafts = draftsOf(state, actor).filter((draft) => isLive(draft, state.time));
    return drafts.length === 0
      ? refuse({ code: "6010", actor })
      : drafts.toReversed().map(({ name }) => ({ name }));
  },

  apply(state, { tkey }, { actor: owner, operation }) {
    const name = operation.decided["name"] ?? "";
    const draft = state.find(DRAFT, draftId({ owner, name }));
    if (draft === undefined || !isLive(draft, state.time)) {
      // Since admission another request has created it, or it is over.
      const isAnyLeft = draftsOf(state, owner).some((other) => isLive(other, state.time));
      return isAnyLeft
        ? refuse({
            code: "2010",
            parameter: "signature",
            actor: owner,
            fullOnly: false,
            goneDraft: name,
          })
        : refuse({ code: "6010", actor: owner });
    }

    const values = valuesOf(draft);
    const reserves = state.reservesMade + values.reserve.entries.length;
    if (reserves > RESERVES_MAX) {
      const reason = `of its draft brings those of the group's new tokens to ${reserves} entries, which may have ${RESERVES_MAX} together`;
      return refuse({ code: "3002", parameter: "reserve", reason });
    }

    state.noteReserves(values.reserve.entries.length);
    const { totalsupply, decimal, reservedamount } = values;
    const number = state.count("token") + 1;
    const id = String(number) as TokenId;
    const reserve = values.reserve.entries.map(({ address, value, unlockdate }) => ({
      address,
      value,
      unlockdate,
    }));
    state.remove(DRAFT, draftId(draft));
    state.put(COUNT, { of: "token", count: number });
    state.put(TOKEN, {
      ...constantsOf(id),
      id,
      owner,
      symbol: values.symbol,
      name: values.name,
      category: values.category,
      decimal,
      createdate: state.time,
      totalsupply,
      burnningamount: 0n as Amount,
      reservedamount,
      url: values.url,
      texts: LongTexts.of({
        information: "",
        image: values.image,
        reserve,
        tier: values.tier.entries,
      }),
      type: values.type,
      basetoken: 0,
      targettoken: {},
    });
    let rest: bigint = totalsupply;
    for (const { address, value, unlockdate } of reserve) {
      state.balances.credit(address, id, value, unlockdate);
      rest -= value;
    }
    const credits: TokenReserve[] = [...reserve];
    if (rest > 0n) {
      state.balances.credit(owner, id, rest as Amount);
      credits.push({ address: owner, value: rest as Amount, unlockdate: 0 });
    }
    const registered = {
      ...{ token: id, signature: signatureOf(operation), tkey },
      ...sent(draft, "owner", "symbol", "name", "url", "totalsupply", "decimal", "category"),
      ...sent(draft, "reserve"),
    };
    return done(
      state,
      record("tokenRegister", registered, { token: id }),
      credits.map((credit) => tokenReserve(owner, id, credit)),
    );
  },
});

interface TokenReserve {
  readonly address: Address;
  readonly value: Amount;
  readonly unlockdate: number;
}

export function tokenReserve(
  owner: Address | "",
  token: TokenId,
  { address, value: amount, unlockdate }: TokenReserve,
): EffectDraft {
  const received = { owner, receiver: address, amount, token };
  return effect("token_reserve", received, { credit: { amount, unlockDate: unlockdate } });
}

function valuesOf({ params }: DraftEntry): ValuesOf<typeof tokenSave.parameters> {
  // Required, and not part of the draft.
  const request = readTexts(tokenSave, { ...params, signature: "-" }, "replay");
  invariant(!(request instanceof Refused), "a draft is well-formed");
  return request.values;
}
