import type { JSX } from "preact";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";

/** Marks an address as the reader's own. */
export function OwnMark(): JSX.Element {
  return <span class="badge good">{walletTexts().things.thing.you}</span>;
}

/** An address, and that it is the reader's own if it is. */
export function WhoLink({
  address,
  own,
}: {
  readonly address: string;
  readonly own: string;
}): JSX.Element {
  return (
    <>
      <AddressLink address={address} /> {address === own && <OwnMark />}
    </>
  );
}
