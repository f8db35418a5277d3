import type { JSX } from "preact";
import { Icon } from "../../parts/pictures/icon.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { shownWrite, WriteStatus } from "./write-status.tsx";
import { dismiss, writes } from "./writes.ts";

export function WriteList(): JSX.Element | null {
  const texts = walletTexts().wallet.writes;
  const others = writes.value.filter(({ id }) => id !== shownWrite.value);
  if (others.length === 0) {
    return null;
  }
  return (
    <section class="card write-list" aria-labelledby="write-list">
      <h2 id="write-list">{texts.title}</h2>
      <ul class="plain">
        {others.map((write) => (
          <li key={write.id}>
            <p class="what">
              <span>
                <UntrustedText text={write.title} />{" "}
                <span class="quiet">
                  <TimeText time={write.createdAt} />
                </span>
              </span>
              {write.state.is !== "sending" && (
                <button
                  type="button"
                  class="small dismiss"
                  aria-label={texts.dismiss(write.title)}
                  onClick={() => void dismiss(write.id)}
                >
                  <Icon of="close" />
                </button>
              )}
            </p>
            <WriteStatus write={write} />
          </li>
        ))}
      </ul>
    </section>
  );
}
