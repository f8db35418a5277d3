import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { link } from "../../explorer/links.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { IdLink } from "../../parts/links/address-link.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { DoneState, Refusal, Write } from "./write.ts";

/** Shown by a form, so the list of writes leaves it out. */
export const shownWrite: Signal<string | undefined> = signal(undefined);

export function SentStatus({ write }: { readonly write: Write }): JSX.Element {
  useEffect(() => {
    shownWrite.value = write.id;
    return () => {
      shownWrite.value = undefined;
    };
  }, [write.id]);
  return <WriteStatus write={write} />;
}

/** Source: explorer §3. */
export function WriteStatus({ write }: { readonly write: Write }): JSX.Element {
  return (
    <div class="write-status" role="status">
      <State write={write} />
    </div>
  );
}

function State({ write: { state } }: { readonly write: Write }): JSX.Element {
  const texts = walletTexts().wallet.writes;
  switch (state.is) {
    case "sending":
      return (
        <p>
          <span class="badge accent">{texts.sending}</span>{" "}
          {state.refusal !== undefined ? (
            <>
              {texts.refusedLater} <RefusalText refusal={state.refusal} />
            </>
          ) : state.keyRefusal !== undefined ? (
            <>
              {texts.keyRefused} <RefusalText refusal={state.keyRefusal} />
            </>
          ) : state.attempts === 0 ? (
            texts.sendingText
          ) : (
            texts.unanswered(state.attempts)
          )}
        </p>
      );
    case "done":
      return (
        <>
          <p>
            <span class="badge good">
              <Icon of="check" /> {texts.inBlock(numberText(state.height))}
            </span>{" "}
            <ProofBadge proof={state.proof} />
          </p>
          <p>
            {texts.transaction}{" "}
            <IdLink id={state.transactionId} href={link.transaction(state.transactionId)} />
          </p>
        </>
      );
    case "refused":
      return (
        <p>
          <span class="badge bad">{texts.refused}</span> <RefusalText refusal={state} />
        </p>
      );
    case "expired":
      return (
        <p>
          <span class="badge bad">{texts.expired}</span> {texts.expiredText}
        </p>
      );
  }
}

function RefusalText({ refusal: { code, message } }: { readonly refusal: Refusal }): JSX.Element {
  return (
    <>
      <code>{code}</code> <UntrustedText text={message} />
    </>
  );
}

function ProofBadge({ proof }: Pick<DoneState, "proof">): JSX.Element {
  const texts = walletTexts().wallet.writes;
  switch (proof) {
    case "verified":
      return (
        <span class="badge good">
          <Icon of="check" /> {texts.verified}
        </span>
      );
    case "otherKey":
      return <span class="badge warn">{texts.otherKey}</span>;
    case "wrong":
      return <span class="badge bad">{texts.wrong}</span>;
    case "unchecked":
    case "unsigned":
      return <span class="badge">{texts[proof]}</span>;
  }
}
