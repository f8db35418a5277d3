import { GRANT } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { grantId, temporaryKey } from "../../description/parameters/keys.ts";

/** Source: authority §5.4. */
export const grantEnd = signedOperation({
  name: "grantend",
  title: "End a grant",
  route: "POST /grant/end/{grantid}",
  about:
    "Ends a grant for good. The address that made it signs, or, with `grant`, the agent whose grant it is.",
  parameters: { grantid: grantId(), tkey: temporaryKey() },
  example: { grantid: GRANT },
  signed: [],
  fullOnly: true,
  isAlone: true,
  isGrantable: true,
  check({ grantid, ...values }) {
    const { grant } = values as { readonly grant?: string };
    const reason = "must be the grant that ends: an agent cannot end another one";
    return grant === undefined || grant === grantid
      ? undefined
      : refuse({ code: "3005", parameter: "grant", reason });
  },
  refusals: ["6004"],
});
