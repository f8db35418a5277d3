import { decimalText, keyBody, localTimeText } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { now } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { AmountField } from "../fields/amount-field.tsx";
import { ChoiceField } from "../fields/choice-field.tsx";
import { useFormState } from "../fields/form-state.ts";
import { TextField } from "../fields/text-field.tsx";
import { TimeField } from "../fields/time-field.tsx";
import { TokenField } from "../fields/token-field.tsx";
import { walletLink } from "../links.ts";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";
import { type GrantTerms, GrantWords, wordsFor } from "./grant-words.tsx";
import { DAY_SECONDS, KeyCode } from "./key-list.tsx";

/** A link may name other operations. */
const OFFERED = [
  ["transfer"],
  ["mrc401buy", "mrc402buy"],
  ["mrc401sell", "mrc401unsell", "mrc402sell", "mrc402unsell"],
] as const;
/** Seconds; 0 is the whole time of the grant. */
const PERIODS = [3600, 86_400, 604_800, 0] as const;
const DAYS = 30;
/** Source: authority §5.1. */
const PAYEES_MAX = 100;
const NOTE_MAX = 255;

/**
 * Lets another key act within bounds. Its link may fill in `agent`, `note`, `operations`, `token`,
 * `amount` in the smallest unit, `period`, `payees`, `items` and `until`, lists with commas.
 * Source: authority §5, explorer §3.
 */
export function NewGrantView(): JSX.Element {
  const account = actingAccount.value;
  const { query } = useLocation();
  return (
    <View title={walletTexts().keys.grants.newTitle}>
      {account !== undefined && (
        <NewGrant key={`${account.id} ${JSON.stringify(query)}`} query={query} />
      )}
    </View>
  );
}

function NewGrant({ query }: { readonly query: Readonly<Record<string, string>> }): JSX.Element {
  const texts = walletTexts().keys.grants;
  const asked = query["operations"] ?? OFFERED[0].join();
  const form = useFormState(initialOf(query, asked));
  const token = form.text("token").value;
  const decimals = tokenForm(token).value?.decimals;
  const { amount: askedAmount = "" } = query;
  useEffect(() => {
    if (decimals !== undefined && /^[1-9][0-9]{0,40}$/.test(askedAmount)) {
      form.type("amount", numberText(decimalText(BigInt(askedAmount), decimals)));
    }
  }, [decimals]);
  const names = form.text("operations").value.split(",");
  const isForThings = names.some((name) => !/^(?:transfer|mrc40[12]buy)$/.test(name));
  const choices = new Map([...OFFERED.map(String), asked].map((one) => [one, one.split(",")]));

  const propose = (): Proposal => {
    const payees = form.addresses("payees", PAYEES_MAX);
    const [agent, note] = [form.value("agent"), form.optional("note")];
    const amount = form.optional("amount") && form.amount("amount", token);
    const minprice = form.optional("minprice") && form.amount("minprice", token);
    const priced = minprice ? { minprice, token } : {};
    const period = Number(form.value("period"));
    const terms: GrantTerms = {
      operations: names,
      limits: amount ? [{ token, amount, period }] : [],
      payees,
      items: isForThings ? form.list("items").map((id) => ({ id, ...priced })) : [],
      until: form.time("until") ?? 0,
    };
    return {
      request: { agent, ...terms, note },
      title: texts.made(note ?? texts.someone),
      facts: [
        [texts.who, note === undefined ? texts.someone : <UntrustedText text={note} />],
        [walletTexts().keys.code, <KeyCode publickey={keyBody(agent)} />],
        [texts.what, <GrantWords terms={terms} />],
      ],
      tokens: [token],
      warning: amount && payees.length === 0 ? texts.anybodyWarning : texts.warning,
    };
  };
  const lines = { form, lines: 2, optional: true } as const;
  return (
    <WriteForm
      form={form}
      operation="grant"
      propose={propose}
      another={texts.make}
      done={({ state: { result } }, another) => (
        <>
          <p>{texts.tell}</p>
          <p>
            <WholeId id={String(result["grantid"])} />
          </p>
          <p>
            <a href={walletLink.keys()}>{texts.title}</a>
          </p>
          <p class="actions">{another}</p>
        </>
      )}
    >
      <p>{texts.newText}</p>
      <TextField form={form} name="note" label={texts.name} max={NOTE_MAX} optional />
      <TextField form={form} name="agent" label={texts.agent} hint={texts.agentHint} lines={3} />
      <ChoiceField
        form={form}
        name="operations"
        label={texts.what}
        choices={[...choices].map(([value, all]) => [value, wordsFor(all)])}
      />
      <TokenField form={form} name="token" label={walletTexts().wallet.send.token} />
      <AmountField form={form} name="amount" label={texts.limit} token={token} optional />
      <ChoiceField
        form={form}
        name="period"
        label={texts.period}
        choices={PERIODS.map((seconds) => [String(seconds), texts.perPeriod[seconds]])}
      />
      <TextField {...lines} name="payees" label={texts.payees} hint={texts.payeesHint} />
      {isForThings && (
        <>
          <TextField {...lines} name="items" label={texts.items} hint={texts.itemsHint} />
          <AmountField form={form} name="minprice" label={texts.minprice} token={token} optional />
        </>
      )}
      <TimeField
        form={form}
        name="until"
        max={now.peek() + 365 * DAY_SECONDS}
        label={texts.untilWhen}
      />
    </WriteForm>
  );
}

function initialOf(
  {
    agent = "",
    note = "",
    token = "0",
    period = "",
    payees = "",
    items = "",
    until = "",
  }: Readonly<Record<string, string>>,
  operations: string,
): Readonly<Record<string, string>> {
  const end = /^[1-9][0-9]{9,10}$/.test(until) ? Number(until) : now.peek() + DAYS * DAY_SECONDS;
  return {
    // An unencoded + arrives as a blank.
    agent: agent.startsWith("-----") ? agent : agent.replaceAll(" ", "+"),
    note,
    operations,
    token: /^(0|[1-9][0-9]{0,39})$/.test(token) ? token : "0",
    period: PERIODS.map(String).includes(period) ? period : String(DAY_SECONDS),
    payees: payees.replaceAll(",", "\n"),
    items: items.replaceAll(",", "\n"),
    until: localTimeText(end).slice(0, 16),
  };
}
