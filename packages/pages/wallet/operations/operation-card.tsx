import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { link } from "../../explorer/links.ts";
import { moneta } from "../../ledger/node.ts";
import { amountText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { IdLink, shortened } from "../../parts/links/address-link.tsx";
import { Problem } from "../../parts/problem.tsx";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { FieldError, useFormState } from "../fields/form-state.ts";
import { walletLink } from "../links.ts";
import { createFromDraft } from "../writes/token-draft.tsx";
import { type DoneWrite, isDone } from "../writes/write.ts";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";
import { WriteStatus } from "../writes/write-status.tsx";
import { writes } from "../writes/writes.ts";
import { effectFacts } from "./effect-facts.tsx";
import { faultText } from "./fault-text.ts";
import { type FieldFault, initialTexts, readFields } from "./fields.ts";
import { OperationFields } from "./operation-field.tsx";
import type { Acting, AnyOperationForm, Effect } from "./operation-form.ts";
import { readingNow, wholeReading } from "./reading.ts";
import { type Subject, tokensOf } from "./subject.ts";
import { thingText } from "./thing-text.ts";

interface Props {
  readonly operation: AnyOperationForm;
  readonly subject: Subject;
  readonly by: Acting;
}

interface OperationTexts {
  readonly says: (thing: string) => string;
  readonly explain: string;
}

function textsOf(operation: AnyOperationForm): OperationTexts {
  const all: Readonly<Record<string, OperationTexts | undefined>> = walletTexts().operations.of;
  return all[operation.name] ?? { says: (thing) => thing, explain: "" };
}

/** An operation of any kind: what it does, its form, and what comes of it. Source: explorer §3 */
export function OperationCard(props: Props): JSX.Element {
  const { operation, subject, by } = props;
  // Whoever has done it may not do it again, and that is no reason for a warning.
  const [wasOpen] = useState(() => operation.isOpenTo(subject, by));
  return (
    <>
      <p class="explanation">{textsOf(operation).explain}</p>
      {!wasOpen && <p class="notice warn">{walletTexts().operations.notOpen}</p>}
      {operation.isUnsigned === true ? <UnsignedForm {...props} /> : <SignedForm {...props} />}
    </>
  );
}

function SignedForm({ operation, subject, by }: Props): JSX.Element {
  const texts = walletTexts().operations;
  const fields = operation.fields(subject, by);
  const form = useFormState(initialTexts(fields, locale()));
  const blame = (faults: Readonly<Record<string, FieldFault>>): void => {
    const [first, ...others] = Object.entries(faults);
    for (const [name, fault] of others) {
      form.fail(name, faultText(fault));
    }
    if (first !== undefined) {
      throw new FieldError(first[0], faultText(first[1]));
    }
  };
  const propose = async ({ address }: OpenAccount): Promise<Proposal> => {
    const acting = { ...by, address };
    const reading = await wholeReading(form, fields);
    const read = readFields(fields, reading);
    if ("faults" in read) {
      blame(read.faults);
      throw new TypeError("a field is wrong");
    }
    const { values } = read;
    blame(operation.check?.(values, subject, reading, acting) ?? {});
    const effects = operation.effects(values, subject, acting);
    const lacking = lackingToken(effects, acting);
    const warning =
      lacking !== undefined
        ? texts.tooMuch(amountText(acting.spendable(lacking) ?? 0n, lacking))
        : operation.isDestructive === true
          ? texts.notes.final
          : undefined;
    const proposal = {
      request: operation.request(values, subject),
      title: textsOf(operation).says(thingText(subject, values)),
      facts: effectFacts(effects, address),
      tokens: tokensOf(subject),
    };
    return warning === undefined ? proposal : { ...proposal, warning };
  };
  return (
    <WriteForm
      form={form}
      operation={operation.name}
      propose={propose}
      done={(write) =>
        operation.then === undefined ? (
          <Made result={write.state.result} />
        ) : (
          <NextStep key={write.id} before={write} name={form.value("name")} />
        )
      }
    >
      <OperationFields form={form} fields={fields} reading={readingNow(form, fields)} />
    </WriteForm>
  );
}

/** A token of which the operation takes more than the account can spend. */
function lackingToken(effects: readonly Effect[], { spendable }: Acting): string | undefined {
  const needed = new Map<string, bigint>();
  for (const effect of effects) {
    // What comes back first may be spent again: an earlier bid.
    if (effect.kind === "own" && (effect.sign === "−" || effect.what === "bidBack")) {
      const change = effect.sign === "−" ? effect.amount : -effect.amount;
      needed.set(effect.token, (needed.get(effect.token) ?? 0n) + change);
    }
  }
  return [...needed].find(([token, amount]) => amount > (spendable(token) ?? amount))?.[0];
}

/** Links to what an operation has made, by the ids in its answer. */
export function Made({
  result,
}: {
  readonly result: Readonly<Record<string, unknown>>;
}): JSX.Element | null {
  const links = Object.entries(result).flatMap(([name, value]) =>
    [value].flat().flatMap((id) => (typeof id === "string" ? linkTo(name, id) : [])),
  );
  return links.length === 0 ? null : (
    <p>
      {walletTexts().operations.made}{" "}
      {links.map(([id, href]) => (
        <span key={id} class="made">
          <a class="id" href={href} title={id}>
            {shortened(id)}
          </a>{" "}
        </span>
      ))}
    </p>
  );
}

function linkTo(name: string, id: string): readonly (readonly [string, string])[] {
  if (name === "mrc400id") {
    return [[id, walletLink.project(id)]];
  }
  if (/^mrc40[12]ids?$/.test(name)) {
    return [[id, walletLink.item(id)]];
  }
  if (name === "mrc040id") {
    return [[id, walletLink.order(id)]];
  }
  return /dexids?$/.test(name) ? [[id, walletLink.listing(id)]] : [];
}

/** The second half of creating a token: signed and sent as soon as its draft is in a block. */
function NextStep({
  before,
  name,
}: {
  readonly before: DoneWrite;
  readonly name: string;
}): JSX.Element {
  const texts = walletTexts().operations;
  const [sent, setSent] = useState<string | Error | undefined>(undefined);
  const hasBegun = useRef(false);
  const start = async (): Promise<void> => {
    const account = actingAccount.peek();
    if (account === undefined || account.address !== before.address) {
      return;
    }
    try {
      const title = texts.of.tokencreate.says(name);
      setSent(await createFromDraft(before, { account, title }));
    } catch (error) {
      setSent(error as Error);
    }
  };
  useEffect(() => {
    if (!hasBegun.current) {
      hasBegun.current = true;
      void start();
    }
  }, []);
  const write = writes.value.find(({ id }) => id === sent);
  const token = write !== undefined && isDone(write) ? write.state.result["token"] : undefined;
  return (
    <>
      <p>{texts.steps.creating}</p>
      {sent instanceof Error && <Problem error={sent} again={() => void start()} />}
      {write !== undefined && <WriteStatus write={write} />}
      {typeof token === "string" && (
        <p role="status">
          <a href={walletLink.token(token)}>{texts.steps.done(token)}</a>
        </p>
      )}
    </>
  );
}

/** What anybody may send, without a key: only closing auctions. */
function UnsignedForm({ operation, subject, by }: Props): JSX.Element {
  const texts = walletTexts().operations;
  const [state, setState] = useState<"idle" | "busy" | { readonly id: string } | Error>("idle");
  const [effects] = useState(() => operation.effects({}, subject, by));
  const [title] = useState(() => textsOf(operation).says(thingText(subject, {})));
  const isDone = typeof state === "object" && !(state instanceof Error);
  const send = async (): Promise<void> => {
    setState("busy");
    try {
      const { headers } = await moneta.request(operation.name, operation.request({}, subject));
      setState({ id: headers.get("transaction-id") ?? "" });
    } catch (error) {
      setState(error as Error);
    }
  };
  return (
    <section class="card write-form">
      <h2>{title}</h2>
      <Facts facts={effectFacts(effects, by.address)} />
      {state instanceof Error && <Problem error={state} />}
      {isDone ? (
        <p role="status">
          <span class="badge good">✓ {texts.finished}</span>{" "}
          <IdLink id={state.id} href={link.transaction(state.id)} />
        </p>
      ) : (
        <p class="actions">
          <button
            type="button"
            class="primary"
            disabled={state === "busy"}
            onClick={() => void send()}
          >
            {state === "busy" ? texts.finishing : texts.buttons.finish}
          </button>
        </p>
      )}
    </section>
  );
}
