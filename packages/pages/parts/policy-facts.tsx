import type { Item, Project, UnitItem } from "@moneta/sdk";
import { lazy } from "../frame/lazy-view.tsx";
import { inLanguage } from "../texts/texts.ts";
import type { Fact } from "./facts.tsx";

const PolicySentences = lazy(async () => (await policyWords()).PolicySentences);

/** A review waits for them before signing. */
export function policyWords(): Promise<typeof import("./policy-sentences.tsx")> {
  return import("./policy-sentences.tsx");
}

/** Source: policies §2. */
export function policyFact({
  policy,
  ...thing
}: Pick<Project, "policy"> | Pick<Item | UnitItem, "policy" | "face_price" | "face_token">): Fact {
  const face = "face_price" in thing ? thing : undefined;
  return [
    inLanguage({ en: "Policy", ko: "양도 정책" }),
    Object.keys(policy).length > 0 && <PolicySentences policy={policy} face={face} />,
  ];
}
