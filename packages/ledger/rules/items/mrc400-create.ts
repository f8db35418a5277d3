import { mrc400Create, PROJECT_RECORD_FIELDS } from "@moneta/protocol";
import { done, effectOnEntry, record, sent, signatureOf } from "../../records/record.ts";
import { derivedId } from "../../state/derived-id.ts";
import { LongTexts } from "../../state/long-texts.ts";
import { PROJECT } from "../../state/project-entry.ts";
import { mustExist, refuseUnknownPartner, tokenMustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Opens a project. Source: mrc401 §3. */
export const mrc400CreateRule: RuledOperation = ruleOf(mrc400Create, {
  actor: (state, { owner, partner, allowtoken }) =>
    acting(
      mustExist(state, "owner", owner) ??
        refuseUnknownPartner(state, partner) ??
        tokenMustExist(state, allowtoken, "allowtoken") ??
        owner,
    ),

  apply(state, values, { operation }) {
    // Nothing below can fail.
    const { owner, tkey } = values;
    const project = {
      id: derivedId("MRC400", owner, tkey),
      owner,
      name: values.name,
      url: values.url,
      imageUrl: values.imageurl,
      allowToken: values.allowtoken,
      category: values.category,
      itemUrl: values.itemurl,
      itemImageUrl: values.itemimageurl,
      texts: LongTexts.of({
        description: values.description,
        data: values.data,
        socialMedia: Object.fromEntries(values.socialmedia.members),
      }),
      partners: Object.fromEntries(values.partner.members),
      createDate: state.time,
      order: state.transactionNumber,
    };
    state.put(PROJECT, project);
    const given = {
      ...sent(operation, ...PROJECT_RECORD_FIELDS),
      ...{ mrc400id: project.id, owner, signature: signatureOf(operation), tkey },
    };
    return done(state, record("mrc400create", given), [
      effectOnEntry("mrc400_create", given, PROJECT, project),
    ]);
  },
});
