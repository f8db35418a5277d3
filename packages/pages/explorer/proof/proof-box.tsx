import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../ledger/use-read.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Loading } from "../../parts/shown.tsx";
import { eventText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import type { CheckedProof } from "./check-proof.ts";
import { CheckTable } from "./check-table.tsx";
import { Mark } from "./mark.tsx";
import { believeKeys } from "./proof-memory.ts";
import { kindOf, type Provable, type ProvableKind } from "./provable.ts";
import "./proof.css";

/** The proof of a view's content, checked in the page. Source: explorer §2. */
export function ProofBox({
  shown,
  name,
}: {
  readonly shown: Provable;
  readonly name: string;
}): JSX.Element {
  const texts = t().explorer.proof;
  const [round, setRound] = useState(0);
  const read = useRead(`proof ${name} ${round}`, async (options) =>
    (await import("./check-proof.ts")).checkProof(shown, options),
  );
  const { value, error, again } = read;
  return (
    <section class="card proof" aria-label={texts.title} aria-live="polite">
      {value === undefined ? (
        <>
          <h2>{texts.title}</h2>
          {error === undefined ? <Loading /> : <Problem error={error} again={again} />}
        </>
      ) : (
        <Verdict
          checked={value}
          kind={kindOf(shown)}
          again={() => setRound((before) => before + 1)}
        />
      )}
    </section>
  );
}

function Verdict({
  checked,
  kind,
  again,
}: {
  readonly checked: CheckedProof;
  readonly kind: ProvableKind;
  readonly again: () => void;
}): JSX.Element {
  const texts = t().explorer.proof;
  const { report, growth } = checked;
  const hasShrunk = growth?.verdict === "wrong";
  const verdict = hasShrunk ? "wrong" : report.verdict;
  const { checkpoint } = report;
  const proven = "proven" in report ? report.proven : undefined;
  // A node without state roots may sign checkpoints.
  const isUnproven = kind === "state" && verdict === "unchecked";
  return (
    <div class={`verdict ${verdict}`}>
      <h2>
        <Mark verdict={verdict} />
        {isUnproven ? texts.unproven.title : texts.verdicts[verdict]}
      </h2>
      {verdict === "wrong" && <Failures checked={checked} kind={kind} />}
      {verdict === "unchecked" && <p>{isUnproven ? texts.unproven.about : texts.unsigned}</p>}
      {verdict === "verified" && proven !== undefined && (
        <p>{texts.asOf(numberText(proven.height), eventText(proven.time))}</p>
      )}
      {verdict === "verified" && checkpoint !== undefined && (
        <p>
          {texts.isIn(kind)}{" "}
          <code class="hash">
            <UntrustedText text={`${checkpoint.origin}+${checkpoint.keyId}`} />
          </code>{" "}
          {texts.signedAt(numberText(checkpoint.size))}
        </p>
      )}
      <Growth checked={checked} />
      <Keys checked={checked} again={again} />
      <p class="quiet">{texts.notChecked[kind]}</p>
      <p class="quiet">{texts.sameNode}</p>
      <details>
        <summary>{texts.checks}</summary>
        <CheckTable checks={report.checks} kind={kind} caption={texts.checks} />
        {growth !== undefined && (
          <CheckTable checks={growth.checks} kind={kind} caption={texts.growthChecks} />
        )}
      </details>
    </div>
  );
}

function Failures({
  checked: { report, growth },
  kind,
}: {
  readonly checked: CheckedProof;
  readonly kind: ProvableKind;
}): JSX.Element {
  const texts = t().explorer.proof;
  const failed = [...report.checks, ...(growth?.checks ?? [])].filter(
    ({ result }) => result === "fails",
  );
  const names = new Set(failed.map(({ name }) => name));
  return (
    <>
      <p>{texts.wrong(kind)}</p>
      <ul class="failures">
        {[...names].map((name) => {
          const check = failed.find((one) => one.name === name);
          return (
            <li key={name}>
              <strong>{texts.fails(texts.names[name](kind))}</strong>
              <Compared name={texts.expected}>{check?.expected ?? ""}</Compared>
              <Compared name={texts.found}>{check?.found ?? ""}</Compared>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Compared({
  name,
  children,
}: {
  readonly name: ComponentChildren;
  readonly children: string;
}): JSX.Element {
  return (
    <p>
      <span class="quiet">{name}</span>{" "}
      <code class="hash">
        <UntrustedText text={children} />
      </code>
    </p>
  );
}

function Growth({ checked: { growth, since, report } }: { readonly checked: CheckedProof }) {
  const texts = t().explorer.proof;
  if (growth?.verdict !== "verified" || since === undefined) {
    return null;
  }
  const size = numberText(since.size);
  return (
    <p>
      {report.checkpoint?.size === since.size
        ? texts.sameSize(eventText(since.seen))
        : texts.grown(size, eventText(since.seen))}
    </p>
  );
}

function Keys({
  checked: { keys, shownKeys, ledgerId, report },
  again,
}: {
  readonly checked: CheckedProof;
  readonly again: () => void;
}): JSX.Element | null {
  const texts = t().explorer.proof;
  if (keys === "first") {
    return report.checkpoint === undefined ? null : <p>{texts.keys.first}</p>;
  }
  if (keys === "same") {
    return <p>{texts.keys.same}</p>;
  }
  return (
    <div class="key-warning" role="alert">
      <p>{texts.keys[keys]}</p>
      <ul>
        {shownKeys.map((key) => (
          <li key={key}>
            <code class="hash">
              <UntrustedText text={key} />
            </code>
          </li>
        ))}
      </ul>
      {shownKeys.length > 0 && (
        <button
          type="button"
          onClick={() => {
            believeKeys(ledgerId, shownKeys);
            again();
          }}
        >
          {texts.keys.believe}
        </button>
      )}
    </div>
  );
}
