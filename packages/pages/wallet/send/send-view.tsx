import { decimalText, type PaymentRequest, parsePaymentUri, shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { service } from "../../ledger/service.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText, amountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { AddressField } from "../fields/address-field.tsx";
import { AmountField } from "../fields/amount-field.tsx";
import { type FormState, useFormState } from "../fields/form-state.ts";
import { TextField } from "../fields/text-field.tsx";
import { TimeField } from "../fields/time-field.tsx";
import { TokenField } from "../fields/token-field.tsx";
import { useFreeBalance } from "../home/free-balance.ts";
import { walletLink } from "../links.ts";
import { fieldsOf } from "../operations/fields.ts";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";

const { memo: MEMO, tags: TAGS, unlockdate: LOCK } = fieldsOf("transfer", "memo tags unlockdate");

/** Optionally for a payment request. Source: explorer §3. */
export function SendView(): JSX.Element {
  const texts = walletTexts().wallet.send;
  const { query } = useLocation();
  const form = useFormState({ token: "0" });
  const token = form.text("token").value;
  const free = useFreeBalance(actingAccount.value?.address ?? "", token);
  const { refusal, take } = usePaymentRequest(form, query["request"]);
  const propose = (): Proposal => {
    const [to, amount] = [form.value("to"), form.amount("amount", token)];
    const unlockdate = form.time("unlockdate");
    const [memo, tags] = [form.optional("memo"), form.optional("tags")];
    return {
      request: { to, token, amount, unlockdate, memo, tags },
      title: texts.done(amountText(amount, token), shortId(to)),
      facts: [
        [texts.to, <AddressLink address={to} whole />],
        [texts.amount, <AmountText amount={amount} token={token} isExact />],
        [texts.fee, texts.noFee],
        [texts.unlockdate, unlockdate !== undefined && absoluteTime(unlockdate)],
        [texts.memo, memo !== undefined && <UntrustedText text={memo} />],
        [texts.tags, tags !== undefined && <UntrustedText text={tags} />],
      ],
      ...(unlockdate === undefined ? {} : { warning: texts.lockWarning }),
    };
  };
  return (
    <View title={texts.title}>
      {refusal !== undefined && (
        <p class="problem" role="alert">
          {refusal}
        </p>
      )}
      <WriteForm form={form} operation="transfer" propose={propose} another={texts.another}>
        <AddressField
          form={form}
          name="to"
          label={texts.to}
          hint={texts.toHint}
          onPaste={(text) => /^moneta:/i.test(text) && take(text)}
        />
        <TokenField form={form} name="token" label={texts.token} />
        <AmountField form={form} name="amount" label={texts.amount} token={token} max={free} />
        <TextField
          form={form}
          name="memo"
          label={texts.memo}
          hint={texts.memoHint}
          max={Number(MEMO?.max)}
          lines={2}
          optional
        />
        <details>
          <summary>{texts.more}</summary>
          <TimeField
            form={form}
            name="unlockdate"
            max={Number(LOCK?.max)}
            label={texts.unlockdate}
            optional
          />
          <TextField
            form={form}
            name="tags"
            label={texts.tags}
            hint={texts.tagsHint}
            max={Number(TAGS?.max)}
            optional
          />
        </details>
      </WriteForm>
      <p>
        <a href={walletLink.sendMany()}>{texts.toMany}</a>
      </p>
    </View>
  );
}

function usePaymentRequest(
  form: FormState,
  uri: string | undefined,
): { readonly refusal: string | undefined; readonly take: (text: string) => boolean } {
  const texts = walletTexts().wallet.send;
  const [request, setRequest] = useState<PaymentRequest | undefined>(undefined);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const take = (text: string): boolean => {
    try {
      setRequest(parsePaymentUri(text));
      setRefusal(undefined);
    } catch (error) {
      setRefusal((error as Error).message);
    }
    return true;
  };
  useEffect(() => {
    if (uri !== undefined) {
      take(uri);
    }
  }, [uri]);
  const ledgerId = service.value?.ledger_id;
  const decimals = tokenForm(request?.token ?? "0").value?.decimals;
  useEffect(() => {
    if (request === undefined || ledgerId === undefined || decimals === undefined) {
      return;
    }
    if (request.ledger !== undefined && request.ledger !== ledgerId) {
      setRefusal(texts.otherLedger);
      return;
    }
    form.type("to", request.address);
    form.type("token", request.token ?? "0");
    form.type(
      "amount",
      request.amount === undefined ? "" : numberText(decimalText(request.amount, decimals)),
    );
    form.type("memo", request.memo ?? "");
  }, [request, ledgerId, decimals]);
  return { refusal, take };
}
