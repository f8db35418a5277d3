import { ProblemError, type ProposalForecast } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { link } from "../../explorer/links.ts";
import { service } from "../../ledger/service.ts";
import { amountText } from "../../parts/amount-text.tsx";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { LocalProblem } from "../../parts/local-problem.ts";
import { Problem } from "../../parts/problem.tsx";
import { ShareButton } from "../../parts/share-button.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { AccountBadge } from "../accounts/account-badge.tsx";
import { actingAccount, keyLack } from "../accounts/accounts.ts";
import { FieldError, type FormState } from "../fields/form-state.ts";
import { knownKeySet, needsOthers } from "../keys/key-sets.ts";
import { ForecastEffects, forecast, isNoForecast } from "./forecast.tsx";
import { lookAlikeWarnings, WithLookAlikes } from "./look-alikes.tsx";
import { tokensIn } from "./tokens-in.ts";
import { type DoneWrite, isDone, type Write } from "./write.ts";
import { SentStatus } from "./write-status.tsx";
import { submit, writes } from "./writes.ts";

/** An operation before it is signed. */
export interface Proposal {
  /** Without the actor, temporary key and signature. */
  readonly request: object;
  /** "Send 12.5 TST to MTabc…"; also in the list of writes. */
  readonly title: string;
  readonly facts: readonly Fact[];
  /** That neither the request nor the facts name. */
  readonly tokens?: readonly string[];
  readonly warning?: ComponentChildren;
}

type FieldProblem = Pick<ProblemError, "message" | "parameter">;

interface Props {
  readonly form: FormState;
  readonly operation: string;
  /** Called after the checks of fields. May read from the node, and throw FieldError. */
  readonly propose: (account: OpenAccount) => Proposal | Promise<Proposal>;
  readonly children: ComponentChildren;
  /** By default the node's words. */
  readonly explain?: (problem: FieldProblem, field: string) => string;
  /** Once it is in a block; places the button for another operation. */
  readonly done?: (write: DoneWrite, another: ComponentChildren) => ComponentChildren;
  /** The label of the button for another operation; by default there is none. */
  readonly another?: string | undefined;
  readonly isFilledIn?: boolean;
}

interface Reviewed {
  readonly proposal: Proposal;
  readonly account: OpenAccount;
  /** Or why there is none. */
  readonly forecast: ProposalForecast | Error;
}

type Step =
  | { readonly is: "filling" }
  | { readonly is: "reading" }
  | ({ readonly is: "review" | "signing" } & Reviewed)
  | { readonly is: "sent"; readonly id: string };

/** The signed content does not depend on it. */
const FORECAST_MS = 10_000;
/** Fields with an amount that the account pays. */
const PAID_IN = ["amount", "price", "bid"] as const;
/** The temporary key is not one of the operation's actor. Source: conventions §3 */
const KEY_OF_OTHERS = "2020";

/** A refusal that names a parameter is shown beside its field. Source: explorer §3. */
export function WriteForm({
  form,
  operation,
  propose,
  children,
  explain = ({ message }) => message,
  done,
  another,
  isFilledIn = false,
}: Props): JSX.Element {
  const [step, setStep] = useState<Step>({ is: "filling" });
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const section = useRef<HTMLElement>(null);
  const isBusy = useRef(false);
  const reading = useRef<AbortController | undefined>(undefined);
  const account = actingAccount.value;
  const sent = step.is === "sent" ? writes.value.find(({ id }) => id === step.id) : undefined;

  const blame = (error: unknown): void => {
    const lack = error instanceof ProblemError ? lackText(error) : undefined;
    const names =
      error instanceof FieldError
        ? [error.field]
        : error instanceof ProblemError
          ? [...fieldsOf(error), ...(lack === undefined ? [] : PAID_IN)]
          : [];
    const named = names.find((name) => form.has(name));
    if (named !== undefined) {
      form.fail(
        named,
        lack ??
          (error instanceof ProblemError
            ? explain(besideField(error, named), named)
            : (error as Error).message),
      );
      focusSoon(section, `[name="${CSS.escape(named)}"]`);
    } else {
      setFailure(lack === undefined ? (error as Error) : new LocalProblem(lack));
    }
    setStep({ is: "filling" });
  };

  // With the form as it was filled in.
  const refused = sent?.state.is === "refused" ? sent.state : undefined;
  useEffect(() => {
    if (refused !== undefined) {
      const { code, message, parameter } = refused;
      const problem = { type: "", title: "", status: 400, detail: message, code };
      blame(new ProblemError(parameter === undefined ? problem : { ...problem, parameter }));
    }
  }, [refused]);

  const review = async (): Promise<void> => {
    if (account === undefined || isBusy.current) {
      return;
    }
    const lack = keyLack(account);
    setFailure(lack === undefined ? undefined : new LocalProblem(lack));
    if (lack !== undefined) {
      return;
    }
    if (!form.check()) {
      focusSoon(section, '[aria-invalid="true"]');
      return;
    }
    isBusy.current = true;
    setStep({ is: "reading" });
    const abort = new AbortController();
    reading.current = abort;
    try {
      const [proposal] = await Promise.all([propose(account), lookAlikeWarnings()]);
      const order = { account, operation, request: proposal.request };
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(FORECAST_MS)]);
      const found = await forecast(order, { signal }).catch((error: Error) => {
        if (!isNoForecast(error)) {
          throw error;
        }
        return error;
      });
      if (!abort.signal.aborted) {
        setStep({ is: "review", proposal, account, forecast: found });
        focusSoon(section, "h2");
      }
    } catch (error) {
      if (!abort.signal.aborted) {
        // The node takes the new key for that of another actor: the form is not for this account.
        const isOthers = error instanceof ProblemError && error.code === KEY_OF_OTHERS;
        blame(isOthers ? new LocalProblem(walletTexts().operations.nothingToDo) : error);
      }
    } finally {
      isBusy.current = false;
    }
  };

  /** Text typed during a request makes its response outdated. */
  const stop = (): void => {
    reading.current?.abort();
    setStep((before) => (before.is === "reading" ? { is: "filling" } : before));
  };
  useEffect(() => () => reading.current?.abort(), []);
  useEffect(() => {
    if (isFilledIn) {
      void review();
    }
  }, []);

  const sign = async (reviewed: Reviewed): Promise<void> => {
    // State would change too late for a second click in the same moment.
    if (isBusy.current) {
      return;
    }
    isBusy.current = true;
    setStep({ ...reviewed, is: "signing" });
    try {
      const { request, title } = reviewed.proposal;
      const id = await submit({ account: reviewed.account, operation, request, title });
      if (id !== undefined) {
        setStep({ is: "sent", id });
        focusSoon(section, "h2");
      }
    } catch (error) {
      blame(error);
    } finally {
      isBusy.current = false;
    }
  };

  const again = (): void => {
    form.reset();
    setStep({ is: "filling" });
    focusSoon(section, "input, select, textarea");
  };

  return (
    <section class="card write-form" ref={section}>
      {(step.is === "filling" || step.is === "reading") && (
        <form
          noValidate
          onInput={stop}
          onSubmit={(event) => {
            event.preventDefault();
            void review();
          }}
        >
          {failure !== undefined && <Problem error={failure} />}
          {children}
          <p class="actions">
            <button type="submit" class="primary" disabled={step.is === "reading"}>
              {walletTexts().wallet.form.review}
            </button>
          </p>
        </form>
      )}
      {(step.is === "review" || step.is === "signing") && (
        <Review
          operation={operation}
          reviewed={step}
          isSigning={step.is === "signing"}
          sign={() => void sign(step)}
          again={() => void review()}
          back={() => {
            setStep({ is: "filling" });
            focusSoon(section, "input, select, textarea");
          }}
        />
      )}
      {sent !== undefined && (
        <Sent
          write={sent}
          done={done}
          another={
            another !== undefined &&
            !isFilledIn && (
              <button type="button" onClick={again}>
                {another}
              </button>
            )
          }
        />
      )}
    </section>
  );
}

function Review({
  operation,
  reviewed: { proposal, account, forecast: found },
  isSigning,
  sign,
  again,
  back,
}: {
  readonly operation: string;
  readonly reviewed: Reviewed;
  readonly isSigning: boolean;
  readonly sign: () => void;
  readonly again: () => void;
  readonly back: () => void;
}): JSX.Element {
  const texts = walletTexts().wallet.form;
  const { title, facts, warning, request, tokens = [] } = proposal;
  const keySet = knownKeySet(account.address);
  const isShared = keySet !== undefined && needsOthers(account, keySet, { operation, request });
  return (
    <>
      <h2 tabIndex={-1}>{texts.reviewTitle}</h2>
      <p class="what">
        <UntrustedText text={title} />
      </p>
      <WithLookAlikes tokens={[...tokensIn(request), ...tokens]}>
        <Facts facts={[[texts.account, <AccountBadge account={account} />], ...facts]} />
        <ForecastEffects
          read={
            found instanceof Error
              ? { value: undefined, error: found, again }
              : { value: found, error: undefined, again }
          }
          own={account.address}
        />
      </WithLookAlikes>
      {warning !== undefined && <p class="notice warn">{warning}</p>}
      {isShared && <p class="notice">{walletTexts().keys.together}</p>}
      <p class="quiet">{texts.covers(service.value?.ledger ?? "")}</p>
      <details>
        <summary>{texts.exactly}</summary>
        <pre>{exactText(operation, request)}</pre>
      </details>
      <p class="actions">
        <button type="button" class="primary" disabled={isSigning} onClick={sign}>
          {isSigning ? texts.signing : isShared ? walletTexts().swap.sign : texts.sign}
        </button>
        <button type="button" disabled={isSigning} onClick={back}>
          {texts.back}
        </button>
      </p>
    </>
  );
}

function Sent({
  write,
  done,
  another,
}: {
  readonly write: Write;
  readonly done: Props["done"];
  readonly another: ComponentChildren;
}): JSX.Element {
  return (
    <>
      <h2 tabIndex={-1}>
        <UntrustedText text={write.title} />
      </h2>
      <SentStatus write={write} />
      {isDone(write) && done !== undefined ? (
        done(write, another)
      ) : (
        <p class="actions">
          {isDone(write) && <ShareButton url={link.transaction(write.state.transactionId)} />}
          {another}
        </p>
      )}
    </>
  );
}

/** In words for people; the field shows its own name. */
function besideField(error: ProblemError, field: string): FieldProblem {
  const { parameter = "" } = error;
  const message = error.inTimes(absoluteTime);
  const [member = ""] = fieldsOf(error);
  return {
    parameter,
    message: message.startsWith(`${parameter} `)
      ? `${member === field ? "This" : member}${message.slice(parameter.length)}`
      : message,
  };
}

/** A member of an entry, otherwise the field that contains it. */
function fieldsOf({ parameter = "" }: ProblemError): readonly string[] {
  return parameter.split(/[.[\]]+/).toReversed();
}

/** In decimals; undefined if the refusal has another reason. */
function lackText({ shortfall }: ProblemError): string | undefined {
  return shortfall?.token === undefined
    ? undefined
    : walletTexts().operations.tooMuch(amountText(shortfall.spendable, shortfall.token));
}

function exactText(operation: string, request: object): string {
  const inText = (_name: string, value: unknown): unknown =>
    typeof value === "bigint" ? String(value) : value;
  return `${operation} ${JSON.stringify(request, inText, 2)}`;
}

/** Unless the user has moved the focus meanwhile: what is typed would go into another field. */
function focusSoon(section: { readonly current: HTMLElement | null }, selector: string): void {
  const before = document.activeElement;
  const focus = (): void => {
    const { activeElement, body } = document;
    if (activeElement === before || activeElement === body) {
      section.current?.querySelector<HTMLElement>(selector)?.focus();
    }
  };
  requestAnimationFrame(() => requestAnimationFrame(focus));
}
