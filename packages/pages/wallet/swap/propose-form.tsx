import { ProblemError, Proposal, ProposalError, parseAddress } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { LocalProblem } from "../../parts/local-problem.ts";
import { Problem } from "../../parts/problem.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { clientOf } from "../accounts/accounts.ts";
import { AddressField } from "../fields/address-field.tsx";
import { ChoiceField } from "../fields/choice-field.tsx";
import { FieldError, type FormState } from "../fields/form-state.ts";
import { handOver } from "./swap-sides.ts";
import { ThingFieldset } from "./thing-fieldset.tsx";

/** Time for signatures, seconds. */
const VALIDITIES = [600, 3600, 21_600, 86_400] as const;
/** Each side may have half of 16 operations. */
const THINGS_MAX = 8;

const WITH = "with";
const VALID = "valid";

type Side = "gives" | "gets";

/** What is filled in, which outlasts a look at the proposal. */
export interface Draft {
  readonly form: FormState;
  readonly counts: Readonly<Record<Side, number>>;
}

/** Source: explorer §3. */
export function ProposeForm({
  account,
  draft: { form, counts },
  setCounts,
  propose,
}: {
  readonly account: OpenAccount;
  readonly draft: Draft;
  readonly setCounts: (counts: Draft["counts"]) => void;
  readonly propose: (proposal: Proposal) => void;
}): JSX.Element {
  const texts = walletTexts().swap;
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const other = parseAddress(form.value(WITH)) ?? "";
  const parties = { gives: account.address, gets: other };

  const submit = async (): Promise<void> => {
    setFailure(undefined);
    if (isBusy || !form.check()) {
      return;
    }
    setBusy(true);
    try {
      const operations = (["gives", "gets"] as const).flatMap((side) =>
        placesOf(counts[side]).map((place) =>
          handOver(form, {
            prefix: `${side}${place}`,
            giver: parties[side],
            taker: parties[side === "gives" ? "gets" : "gives"],
          }),
        ),
      );
      const validSeconds = Number(form.value(VALID));
      propose(await Proposal.propose(clientOf(account.ledgerId), operations, { validSeconds }));
    } catch (error) {
      if (error instanceof FieldError) {
        form.fail(error.field, error.message);
      } else if (error instanceof ProblemError && error.parameter === "address") {
        form.fail(WITH, error.message);
      } else {
        setFailure(
          error instanceof ProposalError ? new LocalProblem(error.message) : (error as Error),
        );
      }
    } finally {
      setBusy(false);
    }
  };
  const change = (side: Side, by: 1 | -1): void =>
    setCounts({ ...counts, [side]: counts[side] + by });

  return (
    <section class="card write-form" aria-labelledby="swap-propose">
      <h2 id="swap-propose">{texts.propose}</h2>
      <p class="quiet">{texts.proposeText}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {failure !== undefined && <Problem error={failure} />}
        <AddressField form={form} name={WITH} label={texts.with} />
        {(["gives", "gets"] as const).map((side) => (
          <div key={side} class="swap-side">
            {placesOf(counts[side]).map((place) => (
              <ThingFieldset
                key={place}
                form={form}
                prefix={`${side}${place}`}
                legend={texts.sides[side](place + 1)}
                giver={parties[side]}
                isOwn={side === "gives"}
              />
            ))}
            <p class="actions">
              {counts[side] < THINGS_MAX && (
                <button type="button" class="small" onClick={() => change(side, 1)}>
                  {texts.more[side]}
                </button>
              )}
              {counts[side] > 1 && (
                <button type="button" class="small" onClick={() => change(side, -1)}>
                  {texts.less}
                </button>
              )}
            </p>
          </div>
        ))}
        <ChoiceField
          form={form}
          name={VALID}
          label={texts.valid}
          hint={texts.validHint}
          choices={VALIDITIES.map((seconds) => [String(seconds), texts.validities[seconds]])}
        />
        <p class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {walletTexts().wallet.form.review}
          </button>
        </p>
      </form>
    </section>
  );
}

/** Of `Draft`. */
export const ONE_OF_EACH = { gives: 1, gets: 1 } as const;
export const NOTHING_FILLED: Readonly<Record<string, string>> = {
  [VALID]: String(VALIDITIES[0]),
  ...Object.fromEntries(
    placesOf(THINGS_MAX).flatMap((place) =>
      ["gives", "gets"].flatMap((side) => [
        [`${side}${place}.kind`, "tokens"],
        [`${side}${place}.token`, "0"],
        [`${side}${place}.units`, "1"],
      ]),
    ),
  ),
};

function placesOf(count: number): readonly number[] {
  return Array.from({ length: count }, (_, place) => place);
}
