import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { now } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText, amountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { decimalMark } from "../../parts/number-text.ts";
import { absoluteTime } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { CsvPreview, onLine } from "../fields/csv-preview.tsx";
import { Field } from "../fields/field.tsx";
import { FieldError, useFormState } from "../fields/form-state.ts";
import { readerZone } from "../fields/time-field.tsx";
import { TokenField } from "../fields/token-field.tsx";
import { faultText } from "../operations/fault-text.ts";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";
import { CSV_LENGTH_MAX, type ListedPayment, PAYMENTS_MAX, parsePayments } from "./payments-csv.ts";

/** The list whose memos of digits the reader has confirmed. */
const CONFIRMED = "confirmedMemos";

/** All or none, from pasted CSV. Source: explorer §3. */
export function SendManyView(): JSX.Element {
  const { sendMany: texts, send } = walletTexts().wallet;
  const form = useFormState({ token: "0" });
  const token = form.text("token").value;
  const csv = form.text("transferlist").value;
  const decimals = tokenForm(token).value?.decimals;
  const lines = useMemo(
    () =>
      decimals === undefined || csv.length > CSV_LENGTH_MAX
        ? []
        : parsePayments(csv, { decimals, locale: locale(), now: now.peek() }),
    [csv, decimals, locale()],
  );
  const payments = lines.flatMap(({ payment }) => payment ?? []);
  const sum = payments.reduce((total, { amount }) => total + amount, 0n);
  const wrong = lines.length - payments.length;
  const doubtful = lines.filter(({ isMemoDoubtful }) => isMemoDoubtful);
  // For this list only.
  const isConfirmed = form.text(CONFIRMED).value === csv;

  const check = (): string | undefined => {
    if (csv.length > CSV_LENGTH_MAX || lines.length > PAYMENTS_MAX) {
      return faultText({ what: "lines", max: PAYMENTS_MAX });
    }
    return wrong > 0
      ? walletTexts().operations.table.wrong(wrong)
      : lines.length === 0
        ? texts.none
        : doubtful.length > 0 && !isConfirmed
          ? texts.confirmMemos
          : undefined;
  };
  const propose = (): Proposal => {
    if (payments.length === 0) {
      throw new FieldError("transferlist", texts.none);
    }
    return {
      request: { transferlist: payments, token },
      title: texts.done(amountText(sum, token), payments.length),
      facts: [
        [texts.count, numberText(payments.length)],
        [texts.sum, <AmountText amount={sum} token={token} isExact />],
        [send.fee, send.noFee],
        [texts.payments, <Payments payments={payments} token={token} />],
      ],
    };
  };
  return (
    <View title={texts.title}>
      <WriteForm
        form={form}
        operation="multitransfer"
        propose={propose}
        explain={onLine(lines)}
        another={texts.title}
      >
        <TokenField form={form} name="token" label={send.token} />
        <Field
          form={form}
          name="transferlist"
          label={texts.list}
          hint={texts.listHint(readerZone(), decimalMark(locale()), PAYMENTS_MAX)}
          check={check}
        >
          {(input) => (
            <textarea
              {...input}
              rows={8}
              spellcheck={false}
              placeholder={`MT…;${numberText("1.5")};memo;tag;2030-01-01`}
            />
          )}
        </Field>
        {lines.length > 0 && (
          <>
            <CsvPreview
              lines={lines}
              head={texts.payment}
              labels={{ address: send.to, unlockdate: send.unlockdate }}
            />
            <p aria-live="polite">
              {texts.sum}: <AmountText amount={sum} token={token} isExact /> ·{" "}
              {texts.lines(payments.length)}
            </p>
            {doubtful.length > 0 && (
              <div class="notice warn" role="alert">
                <p>
                  {texts.doubtfulMemos(
                    doubtful.map(({ line }) => numberText(line)).join(", "),
                    `${doubtful[0]?.texts["amount"]},${doubtful[0]?.texts["memo"]}`,
                  )}
                </p>
                <label class="choice">
                  <input
                    type="checkbox"
                    checked={isConfirmed}
                    onChange={({ currentTarget }) =>
                      form.type(CONFIRMED, currentTarget.checked ? csv : "")
                    }
                  />
                  <span>{texts.memosAreMeant}</span>
                </label>
              </div>
            )}
          </>
        )}
      </WriteForm>
    </View>
  );
}

function Texts({ payment }: { readonly payment: ListedPayment | undefined }): JSX.Element | null {
  if (payment === undefined) {
    return null;
  }
  const { memo, tag, unlockdate } = payment;
  return (
    <>
      {memo !== undefined && <UntrustedText text={memo} max={60} />}{" "}
      {tag !== undefined && (
        <span class="badge">
          <UntrustedText text={tag} />
        </span>
      )}{" "}
      {unlockdate > 0 && walletTexts().wallet.sendMany.until(absoluteTime(unlockdate))}
    </>
  );
}

function Payments({
  payments,
  token,
}: {
  readonly payments: readonly ListedPayment[];
  readonly token: string;
}): JSX.Element {
  return (
    <ul class="plain payments">
      {payments.map((payment, index) => (
        <li key={index}>
          <AmountText amount={payment.amount} token={token} isExact /> →{" "}
          <AddressLink address={payment.address} whole /> <Texts payment={payment} />
        </li>
      ))}
    </ul>
  );
}
