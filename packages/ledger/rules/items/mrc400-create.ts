import { mrc400Create, PROJECT_RECORD_FIELDS } from "@moneta/protocol";
import { done, effectOnEntry, record, sent, signatureOf } from "../../records/record.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { LongTexts } from "../../state/long-texts.ts";
import { PROJECT, type Project } from "../../state/project-entry.ts";
import { mustExist, refuseUnknownPartner, tokenMustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { firstPolicy, putPolicy } from "./policies.ts";

/** Source: mrc401 §3. */
export const mrc400CreateRule: RuledOperation = ruleOf(mrc400Create, {
  actor: (state, { owner, partner, allowtoken }) =>
    acting(
      mustExist(state, "owner", owner) ??
        refuseUnknownPartner(state, partner) ??
        tokenMustExist(state, allowtoken, "allowtoken") ??
        owner,
    ),

  apply(state, values, { operation }) {
    const { owner, tkey } = values;
    const id = derivedId("MRC400", owner, tkey);
    const project: Project = {
      id,
      owner,
      name: values.name,
      url: values.url,
      image_url: values.imageurl,
      allow_token: Number(values.allowtoken),
      category: values.category,
      item_url: values.itemurl,
      item_image_url: values.itemimageurl,
      texts: LongTexts.of({
        description: values.description,
        data: values.data,
        socialmedia: Object.fromEntries(values.socialmedia.members),
      }),
      partner: Object.fromEntries(values.partner.members),
      createdate: state.time,
      policy_number: putPolicy(state, firstPolicy(id, values.policy)),
      order: state.operationNumber,
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
