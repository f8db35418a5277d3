import { decimalText } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { link } from "../../explorer/links.ts";
import { moneta, NODE_URL } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { numberText, tokenName } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { IdLink } from "../../parts/links/address-link.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { policyWords } from "../../parts/policy-facts.tsx";
import { Problem } from "../../parts/problem.tsx";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { FieldError, type FormState, useFormState } from "../fields/form-state.ts";
import { knownKeySet, needsOthers } from "../keys/key-sets.ts";
import { ForecastEffects, forecastOf } from "../writes/forecast.tsx";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";
import { keyForBundle } from "../writes/writes.ts";
import { faultText } from "./fault-text.ts";
import { type FieldFault, type Fields, initialTexts, tokenOf, type Values } from "./fields.ts";
import { aboutOf, Made } from "./made.tsx";
import { operationFacts } from "./operation-facts.tsx";
import { OperationFields } from "./operation-field.tsx";
import {
  type Acting,
  formFields,
  membersOf,
  type OperationForm,
  readForm,
  requestOf,
} from "./operation-form.ts";
import { decimalsNow, readingNow, wholeReading } from "./reading.ts";
import { type Subject, tokensOf } from "./subject.ts";
import { subjectName, thingText } from "./thing-text.ts";

const NEW_PROJECT = "mrc400create";

interface Props {
  readonly operation: OperationForm;
  readonly subject: Subject;
  readonly by: Acting;
}

function titleOf({ action }: OperationForm, thing: string): string {
  const says: Readonly<Record<string, (thing: string) => string>> = walletTexts().operations.says;
  return says[action]?.(thing) ?? thing;
}

function buttonOf({ action }: OperationForm): string | undefined {
  const buttons: Readonly<Record<string, string>> = walletTexts().operations.buttons;
  return buttons[action];
}

function explanationOf({ name, action }: OperationForm): string | undefined {
  const explain: Readonly<Record<string, string>> = walletTexts().operations.explain;
  return explain[name] ?? explain[action];
}

/** Source: explorer §3 */
export function OperationCard(props: Props): JSX.Element {
  const { operation, subject, by } = props;
  // Once done it may not be possible again, without a warning.
  const [wasOffered] = useState(() => operation.isOffered(subject, by));
  return (
    <>
      <p class="explanation">{explanationOf(operation)}</p>
      {!wasOffered && <p class="notice warn">{walletTexts().operations.notOpen}</p>}
      {operation.isUnsigned === true ? <UnsignedForm {...props} /> : <SignedForm {...props} />}
    </>
  );
}

function SignedForm({ operation, subject, by }: Props): JSX.Element {
  const fields = formFields(operation, subject, by);
  const [initial] = useState(() => initialTexts(fields, locale()));
  const form = useFormState(initial);
  // Once done it is no longer offered.
  const [isFilledIn] = useState(
    () => Object.keys(fields).length === 0 && operation.isOffered(subject, by),
  );
  const isBundle = operation.then !== undefined || operation.name === NEW_PROJECT;
  const propose = async (account: OpenAccount): Promise<Proposal> => {
    const { address } = account;
    const given = await readMembers(operation, { form, fields, initial, subject });
    const { tkey, members } =
      operation.name === NEW_PROJECT
        ? await newProject(account, given)
        : { tkey: isBundle && (await keyForBundle(address)), members: given };
    const request = requestOf(operation, members, subject);
    const proposal = {
      request: tkey ? { tkey, operations: bundled(operation, request) } : request,
      title: titleOf(operation, thingText(subject, members)),
      facts: operationFacts(operation, { members, fields, subject, own: address }),
      tokens: tokensOf(subject),
    };
    return operation.isDestructive === true
      ? { ...proposal, warning: walletTexts().operations.notes.final }
      : proposal;
  };
  return (
    <WriteForm
      form={form}
      operation={isBundle ? "bundle" : operation.name}
      propose={propose}
      explain={explainer(form, fields)}
      isFilledIn={isFilledIn}
      another={operation.isOffered(subject, by) ? buttonOf(operation) : undefined}
      done={({ state: { result } }, another) => (
        <Made
          result={result}
          name={form.value("name")}
          about={aboutOf(subject, operation.action)}
          canSell={
            operation.action === "buy" ||
            (/^(?:nothing|project)$/.test(operation.on) && form.value("sell_price") === "")
          }
        >
          {another}
        </Made>
      )}
    >
      <OperationFields form={form} fields={fields} reading={readingNow(form, fields)} />
    </WriteForm>
  );
}

/** With the operation that follows under the same signature. Source: bundles §3 */
const bundled = ({ name, then }: OperationForm, request: object): readonly object[] => [
  { operation: name, ...request },
  ...(then === undefined ? [] : [{ operation: then }]),
];

/**
 * The first operation of a bundle, whose key determines the project's id. By default this node shows
 * it and its items. Throws FieldError where other keys sign as well, because their proposal has
 * another key. Source: mrc401 §2.1, §20, bundles §6
 */
export async function newProject(
  account: OpenAccount,
  given: Values,
): Promise<{ readonly tkey: string; readonly mrc400id: string; readonly members: Values }> {
  const { address } = account;
  const keySet = knownKeySet(address);
  const byId = ["url", "itemurl"].find((name) => given[name] === undefined);
  if (
    byId !== undefined &&
    keySet !== undefined &&
    needsOthers(account, keySet, { operation: NEW_PROJECT, request: {} })
  ) {
    throw new FieldError(byId, faultText({ what: "missing" }));
  }
  const tkey = await keyForBundle(address);
  const text = new TextEncoder().encode(`MRC400|${address}|${tkey}.0`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  const mrc400id = `MRC400_${digest.toHex().slice(0, 33)}`;
  const members = {
    category: "collection",
    description: given["name"],
    url: `${NODE_URL}/explorer/project/${mrc400id}`,
    itemurl: `${NODE_URL}/mrc401/${mrc400id}_{id}/metadata`,
    itemimageurl: given["imageurl"],
    data: "{}",
    ...given,
  };
  return { tkey, mrc400id, members };
}

/** Throws FieldError for the first wrong field, and marks all. */
export async function readMembers(
  operation: OperationForm,
  {
    form,
    fields,
    initial,
    subject,
  }: {
    readonly form: FormState;
    readonly fields: Fields;
    readonly initial: Readonly<Record<string, string>>;
    readonly subject: Subject;
  },
): Promise<Values> {
  const reading = await wholeReading(form, fields);
  const read = readForm(operation, { subject, fields, initial, reading });
  if ("faults" in read) {
    const [first, ...others] = Object.entries(read.faults);
    for (const [name, fault] of others) {
      form.fail(name, faultText(fault));
    }
    const [name, fault] = first as [string, FieldFault];
    throw new FieldError(name, faultText(fault));
  }
  if (operation.policy !== undefined) {
    await policyWords();
  }
  return membersOf(operation, read.values, subject);
}

/** Numbers that can be amounts: no ids, percentages, powers. */
const WHOLE_NUMBER = /(?<![\w.#]|token )[0-9]{1,41}(?![\w^]|\.[0-9]| %)/g;

/** For a refusal beside a field: amounts in decimals of its token. */
export function explainer(
  form: FormState,
  fields: Fields,
): (problem: { readonly message: string }, name: string) => string {
  return ({ message }, name) => {
    const { texts } = readingNow(form, fields);
    const token = fields[name] === undefined ? undefined : tokenOf(fields[name], texts);
    const decimals = token === undefined ? undefined : decimalsNow(token);
    return decimals === undefined ? message : inDecimals(message, decimals);
  };
}

function inDecimals(message: string, decimals: number): string {
  return message
    .replace(WHOLE_NUMBER, (digits) => numberText(decimalText(BigInt(digits), decimals)))
    .replace(/ of token ([0-9]+)/g, (_, token: string) => ` ${tokenName(token)}`);
}

function UnsignedForm({ operation, subject, by }: Props): JSX.Element {
  const texts = walletTexts().operations;
  const buttons: Readonly<Record<string, string>> = texts.buttons;
  const [state, setState] = useState<"idle" | "busy" | { readonly id: string } | Error>("idle");
  const [about] = useState(() => {
    const members = membersOf(operation, {}, subject);
    return {
      members,
      title: titleOf(operation, thingText(subject, {})),
      facts: operationFacts(operation, { members, fields: {}, subject, own: by.address }),
    };
  });
  const forecast = useRead(`forecast ${operation.name} ${subjectName(subject)}`, (options) =>
    forecastOf(moneta, { operation: operation.name, params: about.members }, options),
  );
  const isDone = typeof state === "object" && !(state instanceof Error);
  const send = async (): Promise<void> => {
    setState("busy");
    try {
      const { headers } = await moneta.request(operation.name, about.members);
      setState({ id: headers.get("transaction-id") ?? "" });
    } catch (error) {
      setState(error as Error);
    }
  };
  return (
    <section class="card write-form">
      <h2>{about.title}</h2>
      <Facts facts={about.facts} />
      {!isDone && <ForecastEffects read={forecast} own={by.address} />}
      {state instanceof Error && <Problem error={state} />}
      {isDone ? (
        <>
          <p role="status">
            <span class="badge good">
              <Icon of="check" /> {texts.finished}
            </span>{" "}
            <IdLink id={state.id} href={link.transaction(state.id)} />
          </p>
          <Made result={{}} about={aboutOf(subject, operation.action)} canSell={false} />
        </>
      ) : (
        <p class="actions">
          <button
            type="button"
            class="primary"
            disabled={state === "busy"}
            onClick={() => void send()}
          >
            {state === "busy" ? texts.finishing : (buttons[operation.action] ?? operation.action)}
          </button>
        </p>
      )}
    </section>
  );
}
