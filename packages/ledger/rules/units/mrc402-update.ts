import { INFORMATION_FIELDS, mrc402Update, refuse } from "@moneta/protocol";
import { done, record, sent, signatureOf } from "../../records/record.ts";
import { keptTexts, UNIT_ITEM, type UnitItem } from "../../state/units/unit-item-entry.ts";
import { refuseFrozen } from "../items/terms.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { putUnitItem, refuseNotIssuer, unitItemActor } from "./unit-item.ts";

const ONCE = [
  "copyright_registration_country",
  "copyright_registrar",
  "copyright_registration_number",
] as const;

const METADATA = ["attributes", "metadatahash", "frozen"] as const;

/** Source: mrc402 §9. */
export const mrc402UpdateRule: RuledOperation = ruleOf(mrc402Update, {
  actor: (state, { mrc402id, address }, keyHolder) =>
    unitItemActor(state, mrc402id, address, keyHolder),

  apply(state, values, { actor, found: item, operation }) {
    const refused = refuseNotIssuer(item, actor);
    if (refused !== undefined) {
      return refused;
    }
    const set = ONCE.find((name) => values[name] !== "" && item[name] !== "");
    if (set !== undefined) {
      return refuse({ code: "3005", parameter: set, reason: `is set already, to ${item[set]}` });
    }
    const inProject = METADATA.find((name) => values[name] !== undefined && item.mrc400 !== "");
    if (inProject !== undefined) {
      const reason = `is of an item of ${item.mrc400}: send it in itemdata of PUT /mrc402/{mrc400id}`;
      return refuse({ code: "3005", parameter: inProject, reason });
    }
    const { socialmedia } = values;
    const texts = item.texts.read();
    const changed: UnitItem = {
      ...item,
      url: values.url || item.url,
      attributes: values.attributes ?? item.attributes,
      metadatahash: values.metadatahash ?? item.metadatahash,
      frozen: values.frozen ?? item.frozen,
      ...keptTexts({
        ...texts,
        data: values.data || texts.data,
        information: values.information || texts.information,
        socialmedia: socialmedia ? Object.fromEntries(socialmedia.members) : texts.socialmedia,
      }),
      ...Object.fromEntries(ONCE.map((name) => [name, values[name] || item[name]])),
    };
    const frozen = refuseFrozen(item, changed, { time: state.time, prefix: "" });
    if (frozen !== undefined) {
      return frozen;
    }
    if (UNIT_ITEM.isSame(item, changed)) {
      return refuse({ code: "4900", what: `Item ${item.id}` });
    }

    const given = {
      ...sent(operation, ...INFORMATION_FIELDS),
      ...{ item: item.id, creator: actor },
      ...{ signature: signatureOf(operation), tkey: values.tkey },
    };
    const updated = putUnitItem(state, changed, "mrc402_update", given);
    return done(state, record("mrc402update", given), [updated]);
  },
});
