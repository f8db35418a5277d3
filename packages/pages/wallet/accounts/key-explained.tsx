import type { JSX } from "preact";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { localhostUrl, passkeyPlace } from "./passkeys.ts";

/** Source: authority §3. */
export function KeyExplained(): JSX.Element {
  const texts = walletTexts().wallet.noAccount;
  const place = passkeyPlace();
  return (
    <p>
      {place === "here" ? texts.passkey : texts.key}
      {place === "localhost" && (
        <>
          {" "}
          {texts.localhost} <a href={localhostUrl()}>{localhostUrl()}</a>
        </>
      )}
    </p>
  );
}
