import { ProblemError } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { service } from "../../ledger/service.ts";
import { type Fact, Facts } from "../../parts/facts.tsx";
import { Problem } from "../../parts/problem.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { AccountBadge } from "../accounts/account-badge.tsx";
import { actingAccount } from "../accounts/accounts.ts";
import { FieldError, type FormState } from "../fields/form-state.ts";
import { WithLookAlikes } from "./look-alikes.tsx";
import { tokensIn } from "./tokens-in.ts";
import { type DoneWrite, isDone, type Write } from "./write.ts";
import { WriteStatus } from "./write-status.tsx";
import { submit, writes } from "./writes.ts";

/** What a form wants to do, as it is shown before it is signed. */
export interface Proposal {
  /** Parameters by the names of the operation, without the actor, temporary key and signature. */
  readonly request: object;
  /** One line: "Send 12.5 TST to MTabc…". It is kept in the list of writes. */
  readonly title: string;
  /** What will happen: amounts, fees, who gets what, by when. */
  readonly facts: readonly Fact[];
  /** Tokens that it is about and that neither the request nor the facts name. */
  readonly tokens?: readonly string[];
  /** What to think of before signing. */
  readonly warning?: ComponentChildren;
}

interface Props {
  readonly form: FormState;
  /** Name of the operation. */
  readonly operation: string;
  /**
   * Reads the fields, which have passed their checks, into a request. May read from the node, and
   * throw FieldError for a field that is wrong.
   */
  readonly propose: (account: OpenAccount) => Proposal | Promise<Proposal>;
  /** The fields. */
  readonly children: ComponentChildren;
  /** What is shown besides once it is in a block, such as a link to what was made. */
  readonly done?: (write: DoneWrite) => ComponentChildren;
}

type Step =
  | { readonly is: "filling" }
  | { readonly is: "reading" }
  | { readonly is: "review"; readonly proposal: Proposal; readonly account: OpenAccount }
  | { readonly is: "signing"; readonly proposal: Proposal; readonly account: OpenAccount }
  | { readonly is: "sent"; readonly id: string };

/**
 * A form for an operation: its fields, what will happen before it is signed, and what has come of
 * it. A refusal that names a parameter stands beside the field of that name. Source: explorer §3.
 */
export function WriteForm({ form, operation, propose, children, done }: Props): JSX.Element {
  const [step, setStep] = useState<Step>({ is: "filling" });
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const section = useRef<HTMLElement>(null);
  const isBusy = useRef(false);
  const account = actingAccount.value;
  const sent = step.is === "sent" ? writes.value.find(({ id }) => id === step.id) : undefined;

  const blame = (error: unknown): void => {
    const named =
      error instanceof FieldError
        ? error.field
        : error instanceof ProblemError
          ? error.parameter
          : undefined;
    if (named !== undefined && form.has(named)) {
      form.fail(named, (error as Error).message);
      focusSoon(section, `[name="${CSS.escape(named)}"]`);
    } else {
      setFailure(error as Error);
    }
    setStep({ is: "filling" });
  };

  // A refusal brings back the form as it was filled in.
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
    setFailure(undefined);
    if (!form.check()) {
      focusSoon(section, '[aria-invalid="true"]');
      return;
    }
    isBusy.current = true;
    setStep({ is: "reading" });
    try {
      setStep({ is: "review", proposal: await propose(account), account });
      focusSoon(section, "h2");
    } catch (error) {
      blame(error);
    } finally {
      isBusy.current = false;
    }
  };

  const sign = async (proposal: Proposal, by: OpenAccount): Promise<void> => {
    // State would change too late for a second click in the same moment.
    if (isBusy.current) {
      return;
    }
    isBusy.current = true;
    setStep({ is: "signing", proposal, account: by });
    try {
      const { request, title } = proposal;
      setStep({ is: "sent", id: await submit({ account: by, operation, request, title }) });
      focusSoon(section, "h2");
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
          proposal={step.proposal}
          account={step.account}
          isSigning={step.is === "signing"}
          sign={() => void sign(step.proposal, step.account)}
          back={() => {
            setStep({ is: "filling" });
            focusSoon(section, "input, select, textarea");
          }}
        />
      )}
      {sent !== undefined && <Sent write={sent} done={done} again={again} />}
    </section>
  );
}

/** What will happen, and what the signature covers. */
function Review({
  operation,
  proposal,
  account,
  isSigning,
  sign,
  back,
}: {
  readonly operation: string;
  readonly proposal: Proposal;
  readonly account: OpenAccount;
  readonly isSigning: boolean;
  readonly sign: () => void;
  readonly back: () => void;
}): JSX.Element {
  const texts = walletTexts().wallet.form;
  const { title, facts, warning, request, tokens = [] } = proposal;
  return (
    <>
      <h2 tabIndex={-1}>{texts.reviewTitle}</h2>
      <p class="what">
        <UntrustedText text={title} />
      </p>
      <WithLookAlikes tokens={[...tokensIn(request), ...tokens]}>
        <Facts facts={[[texts.account, <AccountBadge account={account} />], ...facts]} />
      </WithLookAlikes>
      {warning !== undefined && <p class="notice warn">{warning}</p>}
      <p class="quiet">{texts.covers(service.value?.ledger ?? "")}</p>
      <details>
        <summary>{texts.exactly}</summary>
        <pre>{exactText(operation, request)}</pre>
      </details>
      <p class="actions">
        <button type="button" class="primary" disabled={isSigning} onClick={sign}>
          {isSigning ? texts.signing : texts.sign}
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
  again,
}: {
  readonly write: Write;
  readonly done: Props["done"];
  readonly again: () => void;
}): JSX.Element {
  return (
    <>
      <h2 tabIndex={-1}>
        <UntrustedText text={write.title} />
      </h2>
      <WriteStatus write={write} />
      {isDone(write) && done?.(write)}
      <p class="actions">
        <button type="button" onClick={again}>
          {walletTexts().wallet.form.another}
        </button>
      </p>
    </>
  );
}

/** The parameters, as one reads them. */
function exactText(operation: string, request: object): string {
  const inText = (_name: string, value: unknown): unknown =>
    typeof value === "bigint" ? String(value) : value;
  return `${operation} ${JSON.stringify(request, inText, 2)}`;
}

/** After what is shown next is there. */
function focusSoon(section: { readonly current: HTMLElement | null }, selector: string): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => section.current?.querySelector<HTMLElement>(selector)?.focus()),
  );
}
