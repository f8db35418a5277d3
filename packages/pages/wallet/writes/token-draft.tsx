import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../../parts/problem.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { isOpen, type OpenAccount } from "../accounts/account.ts";
import { accounts } from "../accounts/accounts.ts";
import { type DoneWrite, isDone, type Write } from "./write.ts";
import { submit, writes } from "./writes.ts";

/** Drafts of which this tab makes the token now. */
const begun = signal<ReadonlySet<string>>(new Set());

/** Signs and sends what makes a token from a draft that is in a block. Throws as `submit`. */
export async function createFromDraft(
  draft: DoneWrite,
  { account, title }: { readonly account: OpenAccount; readonly title: string },
): Promise<string | undefined> {
  begun.value = new Set([...begun.value, draft.id]);
  try {
    return await submit({ account, operation: "tokencreate", request: {}, title });
  } finally {
    begun.value = new Set([...begun.value].filter((id) => id !== draft.id));
  }
}

/**
 * What is left to do of a token whose form was closed, or the page reloaded, when only its draft was
 * in a block: its entry among the writes would read as if the token were there.
 */
export function DraftLeft({ write }: { readonly write: Write }): JSX.Element | null {
  const texts = walletTexts().operations.steps;
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const account = accounts.value?.filter(isOpen).find(({ address }) => address === write.address);
  if (account === undefined || !isDone(write) || !isLeft(write)) {
    return null;
  }
  const create = (): void => {
    setFailure(undefined);
    createFromDraft(write, { account, title: write.title }).catch(setFailure);
  };
  return (
    <>
      <p class="notice">
        {texts.left}{" "}
        <button type="button" class="small" onClick={create}>
          {texts.createNow}
        </button>
      </p>
      {failure !== undefined && <Problem error={failure} />}
    </>
  );
}

/** Whether nothing that was signed since can have made a token from the draft. */
function isLeft({ id, operation, address, createdAt }: Write): boolean {
  return (
    operation === "tokensave" &&
    !begun.value.has(id) &&
    !writes.value.some(
      (one) =>
        one.id !== id &&
        one.address === address &&
        one.createdAt >= createdAt &&
        /^token(?:save|create)$/.test(one.operation) &&
        /^(?:sending|done)$/.test(one.state.is),
    )
  );
}
