import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { now } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText, amountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { decimalMark } from "../../parts/number-text.ts";
import { absoluteTime } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { Field } from "../fields/field.tsx";
import { FieldError, useFormState } from "../fields/form-state.ts";
import { readerZone } from "../fields/time-field.tsx";
import { TokenField } from "../fields/token-field.tsx";
import { faultText } from "../operations/fault-text.ts";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";
import {
  CSV_LENGTH_MAX,
  type ListedPayment,
  PAYMENTS_MAX,
  type PaymentLine,
  parsePayments,
} from "./payments-csv.ts";

/** Where the form has the list whose memos of digits the reader has confirmed. */
const CONFIRMED = "confirmedMemos";

/** Sends a token to many in one operation, all or none, from pasted CSV. Source: explorer §3. */
export function SendManyView(): JSX.Element {
  const texts = walletTexts().wallet.sendMany;
  const form = useFormState({ token: "0" });
  const token = form.text("token").value;
  const csv = form.text("transferlist").value;
  const decimals = tokenForm(token).value?.decimals;
  const from = actingAccount.value?.address ?? "";
  const lines = useMemo(
    () =>
      decimals === undefined || csv.length > CSV_LENGTH_MAX
        ? []
        : parsePayments(csv, { from, decimals, locale: locale(), now: now.peek() }),
    [csv, from, decimals, locale()],
  );
  const payments = lines.flatMap(({ payment }) => payment ?? []);
  const sum = payments.reduce((total, { amount }) => total + amount, 0n);
  const wrong = lines.length - payments.length;
  const doubtful = lines.filter(({ isMemoDoubtful }) => isMemoDoubtful);
  // What is confirmed is this list: another one is another decision.
  const isConfirmed = form.text(CONFIRMED).value === csv;

  const check = (): string | undefined => {
    if (csv.length > CSV_LENGTH_MAX || lines.length > PAYMENTS_MAX) {
      return texts.tooMany(numberText(PAYMENTS_MAX));
    }
    return wrong > 0
      ? texts.wrongLines(wrong)
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
        [walletTexts().wallet.send.fee, walletTexts().wallet.send.noFee],
        [texts.payments, <Payments payments={payments} token={token} />],
      ],
    };
  };
  return (
    <View title={texts.title}>
      <WriteForm form={form} operation="multitransfer" propose={propose}>
        <TokenField form={form} name="token" label={walletTexts().wallet.send.token} />
        <Field
          form={form}
          name="transferlist"
          label={texts.list}
          hint={texts.listHint(readerZone(), decimalMark(locale()))}
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
            <Preview lines={lines} token={token} />
            <p aria-live="polite">
              {texts.sum}: <AmountText amount={sum} token={token} isExact /> ·{" "}
              {texts.lines(payments.length)}
              {wrong > 0 && <span class="badge bad">{texts.wrongLines(wrong)}</span>}
            </p>
            {doubtful.length > 0 && (
              <div class="notice warn" role="alert">
                <p>
                  {texts.doubtfulMemos(
                    doubtful.map(({ line }) => numberText(line)).join(", "),
                    doubtful[0]?.cells.slice(1, 3).join(",") ?? "",
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

/** Each line with what it says, or with what is wrong with it. */
function Preview({
  lines,
  token,
}: {
  readonly lines: readonly PaymentLine[];
  readonly token: string;
}): JSX.Element {
  const texts = walletTexts().wallet.sendMany;
  return (
    <div class="list preview">
      <EntryTable<PaymentLine>
        caption={texts.preview}
        entries={lines}
        keyOf={({ line }) => String(line)}
        columns={[
          { head: texts.line, kind: "number", cell: ({ line }) => line },
          {
            head: walletTexts().wallet.send.to,
            kind: "main",
            cell: ({ payment, cells }) =>
              payment === undefined ? (
                <UntrustedText text={cells.join(", ")} max={60} />
              ) : (
                <AddressLink address={payment.address} />
              ),
          },
          {
            head: walletTexts().wallet.send.amount,
            kind: "number",
            cell: ({ payment, fault }) =>
              payment === undefined ? (
                <span class="badge bad">
                  {typeof fault === "string"
                    ? texts.faults[fault]
                    : fault !== undefined && faultText(fault)}
                </span>
              ) : (
                <AmountText amount={payment.amount} token={token} isExact />
              ),
          },
          {
            head: walletTexts().wallet.send.memo,
            cell: ({ payment }) => <Texts payment={payment} />,
          },
        ]}
      />
    </div>
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
