import {
  Proposal,
  ProposalError,
  type ProposalForecast,
  type ProposalWarning,
  type SignerWeight,
  shortId,
} from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { link } from "../../explorer/links.ts";
import { RecordSentence } from "../../explorer/transaction/record-sentence.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { saveText } from "../../parts/download.ts";
import { Facts } from "../../parts/facts.tsx";
import { IdLink } from "../../parts/links/address-link.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { LocalProblem } from "../../parts/local-problem.ts";
import { Icon } from "../../parts/pictures/icon.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { clientOf } from "../accounts/accounts.ts";
import { KeyList } from "../keys/key-list.tsx";
import { WhoLink } from "../operations/who-link.tsx";
import { ForecastEffects } from "../writes/forecast.tsx";
// With this view, which one can sign at once.
import "../writes/look-alike-warnings.tsx";
import { WithLookAlikes } from "../writes/look-alikes.tsx";
import { tokensIn } from "../writes/tokens-in.ts";
import { SentStatus } from "../writes/write-status.tsx";
import { submitProposal, writes } from "../writes/writes.ts";
import { ChangeOfAuthority } from "./change-of-authority.tsx";
import { PassOn } from "./pass-on.tsx";
import { isSignerOf, signProposal, toSign } from "./sign-proposal.ts";

const JSON_MAX = 200_000;

/** Source: explorer §3, batches §2.11. */
export function ProposalCard({
  proposal,
  account,
  change,
  close,
}: {
  readonly proposal: Proposal;
  readonly account: OpenAccount;
  readonly change: (proposal: Proposal) => void;
  readonly close: (isDone: boolean) => void;
}): JSX.Element {
  const texts = walletTexts().swap;
  const { address } = account;
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [sentId, setSentId] = useState<string | undefined>(undefined);
  const forecast = useRead(`proposal ${proposal.id}`, (options) => proposal.forecast(options));
  const powers = useRead(`owners ${proposal.id}`, (options) => proposal.ownerPowers(options));
  const sent = writes.value.find(({ id }) => id === sentId);
  const { value: isExecuted = false } = useRead(
    `execution ${proposal.id}`,
    async (options) => {
      const found = await moneta.search({ text: proposal.id, limit: 1 }, options);
      return found.some(({ kind }) => kind === "group");
    },
    { live: true },
  );
  const isRefusedNow = sent?.state.is === "refused";
  useEffect(() => {
    if (isRefusedNow) {
      forecast.again();
    }
  }, [isRefusedNow]);
  const isOver = isExecuted || (sent !== undefined && /^(?:done|sending)$/.test(sent.state.is));
  const { missing, signers, weights } = proposal;
  const own = toSign(account, proposal);
  // Whoever signs for one address waits for no price.
  const warnings = proposal.warnings().filter(({ is }) => is !== "long" || signers.length > 1);
  const isRefused = warnings.some(
    (one) =>
      one.is === "unguarded" &&
      proposal.operations[one.index]?.signers.some((signer) => own.includes(signer)) === true,
  );

  const act = async (action: () => Promise<void>): Promise<void> => {
    if (isBusy) {
      return;
    }
    setBusy(true);
    setFailure(undefined);
    try {
      await action();
    } catch (error) {
      setFailure(
        error instanceof ProposalError ? new LocalProblem(error.message) : (error as Error),
      );
    } finally {
      setBusy(false);
    }
  };
  const sign = (): Promise<void> =>
    act(async () => {
      await signProposal(account, proposal);
      change(await Proposal.from(proposal.toJSON(), clientOf(account.ledgerId)));
    });
  const submit = (): Promise<void> =>
    act(async () => {
      const isSwap = signers.length > 1;
      const others = signers.filter((one) => isSwap && one !== address).map((one) => shortId(one));
      const title = texts.title(others.join(", "));
      setSentId(await submitProposal({ account, proposal, title }));
    });
  const save = (): void =>
    saveText(
      `${JSON.stringify(proposal, undefined, 2)}\n`,
      `proposal-${proposal.id.slice(0, 8)}.json`,
    );

  return (
    <section class="card write-form swap-proposal" aria-labelledby="swap-proposal">
      <h2 id="swap-proposal" tabIndex={-1}>
        {texts.count(proposal.operations.length)}
      </h2>
      {!isOver && (
        <WithLookAlikes tokens={tokensIn(proposal.operations.map(({ params }) => params))}>
          <ForecastEffects read={forecast} own={address} signers={signers} />
        </WithLookAlikes>
      )}
      {!isOver &&
        warnings.map((warning) => (
          <p key={JSON.stringify(warning)} class="notice warn">
            {warningText(warning)}
          </p>
        ))}
      {!isOver && (
        <Shown read={powers}>
          {(all) =>
            all.map(({ item, powers: of }) => (
              <p key={item} class="notice warn">
                <ThingLink id={item} />:{" "}
                {of === "unknown" ? texts.warnings.unknownTerms : t().explorer.item.ownerMay(of)}
              </p>
            ))
          }
        </Shown>
      )}
      <Facts
        facts={[
          [texts.until, !isOver && <TimeLeft until={proposal.expiresAt} />],
          [
            texts.signers,
            (!isExecuted || missing.length === 0) &&
              plainList(weights, (one) => <HowFar weight={one} own={address} />),
          ],
          [texts.id, <WholeId id={proposal.id} />],
        ]}
      />
      <ChangeOfAuthority proposal={proposal} />
      <Operations proposal={proposal} forecast={forecast.value} />
      {failure !== undefined && <Problem error={failure} />}
      {sent !== undefined && <SentStatus write={sent} />}
      {sent === undefined && isExecuted && (
        <p role="status">
          <span class="badge good">
            <Icon of="check" /> {texts.executed}
          </span>{" "}
          <IdLink id={proposal.id} href={link.group(proposal.id)} />
        </p>
      )}
      {!isOver && !isSignerOf(account, proposal) && <p class="notice">{texts.notYours}</p>}
      {!isOver && own.length > 0 && <p class="quiet">{texts.covers}</p>}
      <p class="actions">
        {!isOver && own.length > 0 && (
          <button
            type="button"
            class="primary"
            disabled={isBusy || isRefused}
            onClick={() => void sign()}
          >
            {isBusy ? walletTexts().wallet.form.signing : texts.sign}
          </button>
        )}
        {missing.length === 0 && !isOver && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void submit()}>
            {texts.submit}
          </button>
        )}
        {!isOver && (
          <button type="button" onClick={save}>
            {texts.save}
          </button>
        )}
        <button type="button" onClick={() => close(isOver)}>
          {walletTexts().wallet.form.back}
        </button>
      </p>
      {!isOver && missing.length > 0 && own.length === 0 && <PassOn proposal={proposal} />}
    </section>
  );
}

function HowFar({
  weight: { address, isProof, keys, signed, needed, given },
  own,
}: {
  readonly weight: SignerWeight;
  readonly own: string;
}): JSX.Element {
  const texts = walletTexts().swap;
  return (
    <>
      <WhoLink address={address} own={own} /> {isProof && texts.newKeys}{" "}
      {given >= needed ? (
        <span class="badge good">
          <Icon of="check" /> {texts.signed}
        </span>
      ) : (
        <span class="badge">{keys.length === 1 ? texts.notSigned : texts.of(given, needed)}</span>
      )}
      {keys.length > 1 && <KeyList keys={keys} signed={signed} />}
    </>
  );
}

/** As far as the forecast goes, and exactly the signed parameters. */
function Operations({
  proposal,
  forecast,
}: {
  readonly proposal: Proposal;
  readonly forecast: ProposalForecast | undefined;
}): JSX.Element {
  const texts = walletTexts().swap;
  return (
    <details>
      <summary>{texts.operations}</summary>
      <ol class="stack">
        {proposal.operations.map(({ operation, params }, index) => {
          const record = forecast?.records[index];
          return (
            <li key={index}>
              {record === undefined ? <code>{operation}</code> : <RecordSentence record={record} />}
              <pre>
                <UntrustedText
                  text={`${operation} ${JSON.stringify(params, null, 2)}`}
                  max={JSON_MAX}
                />
              </pre>
            </li>
          );
        })}
      </ol>
    </details>
  );
}

function warningText(warning: ProposalWarning): string {
  const texts = walletTexts().swap.warnings;
  switch (warning.is) {
    case "long":
      return texts.long;
    case "expired":
      return texts.expired;
    case "unguarded":
      return texts.unguarded(warning.index + 1, warning.missing.join(", "));
    case "open":
      return texts.open(
        warning.index + 1,
        warning.depends.map((term) => texts.depends[term]).join(", "),
      );
  }
}
