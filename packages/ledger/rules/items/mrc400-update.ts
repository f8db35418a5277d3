import {
  mrc400Update,
  NATIVE_COIN,
  PROJECT_RECORD_FIELDS,
  Refused,
  refuse,
} from "@moneta/protocol";
import { PROJECT, type Project } from "../../state/project-entry.ts";
import { tokenMustExist } from "../existence.ts";
import { done, effectOnEntry, type Rule, record, ruleOf, sent, signatureOf } from "../rule.ts";
import { projectNamed } from "./project-item.ts";
import { refuseUnknownPartner } from "./project-partners.ts";

/** Changes what a project says of itself, and who its partners are. Source: mrc401 §4. */
export const mrc400UpdateRule: Rule<typeof mrc400Update.parameters> = ruleOf(mrc400Update, {
  actor(state, { mrc400id, partner, allowtoken }) {
    const project = projectNamed(state, mrc400id);
    if (project instanceof Refused) {
      return project;
    }
    return (
      refuseUnknownPartner(state, partner) ??
      (allowtoken && tokenMustExist(state, allowtoken, "allowtoken")) ??
      project.owner
    );
  },

  apply(state, values, operation) {
    const project = projectNamed(state, values.mrc400id);
    if (project instanceof Refused) {
      return project;
    }
    const { socialmedia, partner } = values;
    const changed: Project = {
      ...project,
      name: values.name ?? project.name,
      url: values.url ?? project.url,
      imageUrl: values.imageurl ?? project.imageUrl,
      allowToken: values.allowtoken ?? project.allowToken,
      category: values.category ?? project.category,
      description: values.description ?? project.description,
      itemUrl: values.itemurl ?? project.itemUrl,
      itemImageUrl: values.itemimageurl ?? project.itemImageUrl,
      data: values.data ?? project.data,
      socialMedia: socialmedia ? Object.fromEntries(socialmedia.members) : project.socialMedia,
      partners: partner ? Object.fromEntries(partner.members) : project.partners,
    };
    if (PROJECT.isSame(project, changed)) {
      return refuse({ code: "4900", what: `Project ${project.id}` });
    }

    // Nothing below can fail.
    state.put(PROJECT, changed);
    const fields = sent(operation, ...PROJECT_RECORD_FIELDS);
    const parameters = [project.id, project.owner, ...fields, signatureOf(operation), values.tkey];
    return done(state, record("mrc400update", project.owner, NATIVE_COIN, parameters), [
      effectOnEntry(PROJECT, changed, "mrc400_update", parameters),
    ]);
  },
});
