import type { Proposal } from "@moneta/sdk";
import type { JSX } from "preact";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { QrCode } from "../receive/qr-code.tsx";
import { proposalLink } from "./proposal-link.ts";

export function PassOn({ proposal }: { readonly proposal: Proposal }): JSX.Element {
  const texts = walletTexts().swap;
  const link = proposalLink(proposal);
  const url = `${location.origin}${link}`;
  return (
    <div role="status" class="notice stack">
      <p>{link === undefined ? texts.passOnFile : texts.passOn}</p>
      {link !== undefined && (
        <>
          <p class="proposal-link">
            <WholeId id={url} />
          </p>
          <QrCode text={url} label={texts.qr} tooLong={texts.qrTooLong} />
        </>
      )}
    </div>
  );
}
