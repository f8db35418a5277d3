import type { JSX } from "preact";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { Places, usePlaces } from "../../parts/links/places.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";

export function OwnMark(): JSX.Element {
  return <span class="badge good">{walletTexts().things.thing.you}</span>;
}

/** With one mark if it is the reader's own, also outside `InWallet`. */
export function WhoLink({
  address,
  own,
}: {
  readonly address: string;
  readonly own: string;
}): JSX.Element {
  const places: Places = { ...usePlaces(), mark: (one) => one === own && <OwnMark /> };
  return (
    <Places.Provider value={places}>
      <AddressLink address={address} />
    </Places.Provider>
  );
}
