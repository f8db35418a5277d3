import {
  type AddressKey,
  keyBody,
  type Project,
  type Proposal,
  type ProposalOperation,
  type SignerWeight,
} from "@moneta/sdk";
import type { JSX } from "preact";
import { Facts } from "../../parts/facts.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { GrantWords, grantTermsIn } from "../keys/grant-words.tsx";
import { DAY_SECONDS, KeyCode, KeyList, WhoSigns } from "../keys/key-list.tsx";
import { useKeySet } from "../keys/key-sets.ts";

/** In words, because the forecast shows amounts only. Source: authority §1.3, §4.2, policies §1. */
export function ChangeOfAuthority({
  proposal: { operations, weights },
}: {
  readonly proposal: Proposal;
}): JSX.Element {
  return (
    <>
      {operations.map((one, index) => {
        const [address] = one.signers;
        if (one.operation === "grant") {
          return <NewGrant key={index} params={one.params} />;
        }
        if (one.params["policy"] !== undefined) {
          return <NewPolicy key={index} text={one.params["policy"]} />;
        }
        const added = weights.find((weight) => weight.isProof && weight.address === address);
        return added && <NewKeys key={added.address} operation={one} added={added} />;
      })}
    </>
  );
}

function NewKeys({
  operation: { operation, params },
  added: { address, keys, needed: threshold },
}: {
  readonly operation: ProposalOperation;
  readonly added: SignerWeight;
}): JSX.Element {
  const texts = walletTexts().keys;
  const isRecovery = operation === "addressrecover";
  const read = useKeySet(address);
  return (
    <>
      <Shown read={read}>
        {({ recoverydelay = 0 }) => (
          <Facts
            facts={[
              [texts.afterwards, <WhoSigns keySet={{ keys, threshold }} />],
              [texts.help.after, isRecovery && texts.days(recoverydelay / DAY_SECONDS)],
              [texts.helpTitle, !isRecovery && <Helpers text={params["recoverykeys"]} />],
            ]}
          />
        )}
      </Shown>
      <p class="notice warn">{isRecovery ? texts.help.warning : texts.addWarning}</p>
    </>
  );
}

/** From an untrusted text. */
function Helpers({ text = "[]" }: { readonly text: string | undefined }): JSX.Element {
  let keys: readonly AddressKey[];
  try {
    const given: readonly AddressKey[] = JSON.parse(text);
    keys = given.map(({ publickey, weight = 1 }) => ({
      kind: "raw",
      weight: Number(weight),
      publickey: keyBody(publickey),
    }));
  } catch {
    return <code>{text}</code>;
  }
  return keys.length === 0 ? <p>{walletTexts().keys.helpNone}</p> : <KeyList keys={keys} />;
}

/** From an untrusted text. */
function NewPolicy({ text }: { readonly text: string }): JSX.Element | null {
  try {
    const policy: Project["policy"] = JSON.parse(text);
    return <Facts facts={[policyFact({ policy })]} />;
  } catch {
    return null;
  }
}

/** From untrusted texts. */
function NewGrant({ params }: Pick<ProposalOperation, "params">): JSX.Element | null {
  const texts = walletTexts().keys.grants;
  const { agent = "", note = texts.someone } = params;
  const terms = grantTermsIn(params);
  return (
    <>
      <Facts
        facts={[
          [texts.who, <UntrustedText text={note} />],
          [walletTexts().keys.code, <KeyCode publickey={keyBody(agent)} />],
          [texts.what, terms && <GrantWords terms={terms} />],
        ]}
      />
      <p class="notice warn">{texts.warning}</p>
    </>
  );
}
