import { paymentUri } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { tokenForm } from "../../ledger/tokens.ts";
import { amountText } from "../../parts/amount-text.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { BackUpFirst } from "../accounts/back-up-notice.tsx";
import { AmountField } from "../fields/amount-field.tsx";
import { type FormState, useFormState } from "../fields/form-state.ts";
import { TextField } from "../fields/text-field.tsx";
import { TokenField } from "../fields/token-field.tsx";
import { QrCode } from "./qr-code.tsx";

/** Code points. Source: accounts §8 */
const MEMO_MAX = 2048;

export function ReceiveView(): JSX.Element {
  const texts = walletTexts().wallet.receive;
  const form = useFormState({ token: "0" });
  const account = actingAccount.value;
  if (account === undefined) {
    return <View title={texts.title}>{null}</View>;
  }
  const { address, ledgerId } = account;
  const token = form.text("token").value;
  const amount = amountOf(form, token);
  const typed = form.optional("memo");
  const length = [...(typed ?? "")].length;
  const memo = length > MEMO_MAX ? undefined : typed?.toWellFormed();
  const isAsked = amount !== undefined || memo !== undefined || token !== "0";
  const uri = paymentUri({
    address,
    ...(isAsked ? { token, ledger: ledgerId } : {}),
    ...(amount === undefined ? {} : { amount }),
    ...(memo === undefined ? {} : { memo }),
  });
  return (
    <View title={texts.title}>
      <BackUpFirst>
        <div class="columns">
          <section class="card receive">
            <QrCode text={uri} label={texts.qr(address)} tooLong={texts.qrTooLong} />
            {length > MEMO_MAX && (
              <p class="problem" role="alert">
                {walletTexts().wallet.form.tooLong(String(length), String(MEMO_MAX))}
              </p>
            )}
            <dl>
              <dt>{texts.address}</dt>
              <dd>
                <WholeId id={address} />
              </dd>
              <dt>{texts.link}</dt>
              <dd>
                <WholeId id={uri} />
              </dd>
            </dl>
            <p class="quiet" aria-live="polite">
              {amount === undefined ? texts.any : texts.asked(amountText(amount, token))}
            </p>
          </section>
          <section class="card">
            <h2>{texts.ask}</h2>
            <form noValidate onSubmit={(event) => event.preventDefault()}>
              <TokenField form={form} name="token" label={walletTexts().wallet.send.token} />
              <AmountField form={form} name="amount" label={texts.amount} token={token} optional />
              <TextField
                form={form}
                name="memo"
                label={walletTexts().wallet.send.memo}
                max={MEMO_MAX}
                optional
              />
            </form>
          </section>
        </div>
      </BackUpFirst>
    </View>
  );
}

function amountOf(form: FormState, token: string): bigint | undefined {
  if (form.value("amount") === "" || tokenForm(token).value === undefined) {
    return undefined;
  }
  try {
    const amount = form.amount("amount", token);
    return amount > 0n ? amount : undefined;
  } catch {
    return undefined;
  }
}
