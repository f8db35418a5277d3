import { Refused, refuse, type TokenId, tokenUpdate } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { LongTexts } from "../../state/long-texts.ts";
import { TOKEN, tokenIdsOwnedBy } from "../../state/token-entry.ts";
import { ownerOfToken } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Each tried string costs a signature and a hash of the image; `SHORT_IMAGE` in characters. */
const OWNED_MAX = 64;
const OWNED_MAX_OF_LONG_IMAGE = 8;
const SHORT_IMAGE = 131_072;

/** Source: tokens §6. */
export const tokenUpdateRule: RuledOperation = ruleOf(tokenUpdate, {
  actor(state, { token, image }, keyHolder) {
    if (token !== undefined) {
      const owning = ownerOfToken(state, token);
      return owning instanceof Refused ? owning : acting(owning.actor);
    }
    const owner = keyHolder();
    if (owner instanceof Refused) {
      return owner;
    }
    const owned = tokenIdsOwnedBy(state, owner, OWNED_MAX + 1).length;
    if (owned === 0) {
      return refuse({ code: "4001", parameter: "token", owner });
    }
    const max = image.length > SHORT_IMAGE ? OWNED_MAX_OF_LONG_IMAGE : OWNED_MAX;
    return acting(owned > max ? refuse({ code: "1000", parameter: "token" }) : owner);
  },

  choices: (state, { token }, owner) =>
    token === undefined
      ? tokenIdsOwnedBy(state, owner, OWNED_MAX).map((token) => ({ token }))
      : [{}],

  apply(state, { token: named, url, info, image: given, signature }, { actor: owner, operation }) {
    const token = named ?? (operation.decided["token"] as TokenId);
    const entry = state.token(token);
    if (entry === undefined || entry.owner !== owner) {
      return refuse({ code: "4001", parameter: "token", token });
    }
    const texts = entry.texts.read();
    const image = given === "" ? texts.image : given;
    if (entry.url === url && texts.information === info && texts.image === image) {
      return refuse({ code: "4900", what: `Token ${token}` });
    }

    state.put(TOKEN, {
      ...entry,
      url,
      texts: LongTexts.of({ ...texts, information: info, image }),
    });
    const changed = { token, url, info, image: given, signature };
    return done(state, record("tokenUpdate", changed, { of: owner, token }));
  },
});
