import { mrc400Update, PROJECT_RECORD_FIELDS, Refused, refuse } from "@moneta/protocol";
import { done, effectOnEntry, record, sent, signatureOf } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { LongTexts } from "../../state/long-texts.ts";
import { PROJECT, type Project } from "../../state/project-entry.ts";
import { refuseUnknownPartner, tokenMustExist } from "../existence.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { policyEntry, putPolicy, refuseFixedToken } from "./policies.ts";

/** Source: mrc401 §4. */
export const mrc400UpdateRule: RuledOperation = ruleOf(mrc400Update, {
  actor: (state, { mrc400id, partner, allowtoken }) =>
    actingOn(
      named(state, PROJECT, mrc400id, "mrc400id"),
      ({ owner }) =>
        (partner && refuseUnknownPartner(state, partner)) ??
        (allowtoken && tokenMustExist(state, allowtoken, "allowtoken")) ??
        owner,
    ),

  apply(state, values, { found: project, operation }) {
    const { socialmedia, partner } = values;
    const policy = values.policy && policyEntry(state, project.id, values.policy);
    if (policy instanceof Refused) {
      return policy;
    }
    const texts = project.texts.read();
    const changed: Project = {
      ...project,
      name: values.name ?? project.name,
      url: values.url ?? project.url,
      image_url: values.imageurl ?? project.image_url,
      allow_token:
        values.allowtoken === undefined ? project.allow_token : Number(values.allowtoken),
      category: values.category ?? project.category,
      item_url: values.itemurl ?? project.item_url,
      item_image_url: values.itemimageurl ?? project.item_image_url,
      texts: LongTexts.of({
        description: values.description ?? texts.description,
        data: values.data ?? texts.data,
        socialmedia: socialmedia ? Object.fromEntries(socialmedia.members) : texts.socialmedia,
      }),
      partner: partner ? Object.fromEntries(partner.members) : project.partner,
      policy_number: values.policy === undefined ? project.policy_number : (policy?.number ?? 0),
    };
    const fixed = refuseFixedToken(state, project, changed.allow_token);
    if (fixed !== undefined) {
      return fixed;
    }
    if (PROJECT.isSame(project, changed)) {
      return refuse({ code: "4900", what: `Project ${project.id}` });
    }

    putPolicy(state, policy);
    state.put(PROJECT, changed);
    const given = {
      ...sent(operation, ...PROJECT_RECORD_FIELDS),
      ...{
        mrc400id: project.id,
        owner: project.owner,
        signature: signatureOf(operation),
        tkey: values.tkey,
      },
    };
    return done(state, record("mrc400update", given), [
      effectOnEntry("mrc400_update", given, PROJECT, changed),
    ]);
  },
});
