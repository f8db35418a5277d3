import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { AddressLink, shortened } from "../../parts/address-link.tsx";
import { AmountText, amountText } from "../../parts/amount-text.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { AddressField } from "../fields/address-field.tsx";
import { AmountField } from "../fields/amount-field.tsx";
import { useFormState } from "../fields/form-state.ts";
import { TextField } from "../fields/text-field.tsx";
import { TimeField } from "../fields/time-field.tsx";
import { TokenField } from "../fields/token-field.tsx";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";

/** Sends an amount of a token to an address. Source: explorer §3. */
export function SendView(): JSX.Element {
  const texts = t().wallet.send;
  const form = useFormState({ token: "0" });
  const token = form.text("token").value;
  const propose = (): Proposal => {
    const [to, amount, unlockdate] = [
      form.value("to"),
      form.amount("amount", token),
      form.time("unlockdate"),
    ];
    const [memo, tags] = [form.optional("memo"), form.optional("tags")];
    return {
      request: { to, token, amount, unlockdate, memo, tags },
      title: texts.done(amountText(amount, token), shortened(to)),
      facts: [
        [texts.to, <AddressLink address={to} whole />],
        [texts.amount, <AmountText amount={amount} token={token} />],
        [texts.fee, texts.noFee],
        [texts.unlockdate, unlockdate !== undefined && absoluteTime(unlockdate)],
        [texts.memo, memo !== undefined && <UntrustedText text={memo} />],
        [texts.tags, tags !== undefined && <UntrustedText text={tags} />],
      ],
    };
  };
  return (
    <View title={texts.title}>
      <WriteForm form={form} operation="transfer" propose={propose}>
        <AddressField form={form} name="to" label={texts.to} />
        <TokenField form={form} name="token" label={texts.token} />
        <AmountField form={form} name="amount" label={texts.amount} token={token} />
        <TextField
          form={form}
          name="memo"
          label={texts.memo}
          hint={texts.memoHint}
          max={2048}
          lines={2}
          optional
        />
        <details>
          <summary>{texts.more}</summary>
          <TimeField form={form} name="unlockdate" label={texts.unlockdate} optional />
          <TextField
            form={form}
            name="tags"
            label={texts.tags}
            hint={texts.tagsHint}
            max={64}
            optional
          />
        </details>
      </WriteForm>
    </View>
  );
}
