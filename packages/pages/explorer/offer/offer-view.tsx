import { type CallOptions, shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import type { Offer } from "../../parts/links/places.ts";
import { thingName } from "../../parts/links/thing-link.tsx";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { inLanguage } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { Life } from "../item/life.tsx";
import { OfferAbout } from "./offer-about.tsx";

const TITLE = {
  en: (id: string, thing?: string): string => (thing ? `Offer for ${thing}` : `Offer ${id}`),
  ko: (id: string, thing?: string): string => `구매 제안 ${thing || id}`,
} as const;

/** Source: offers §7. */
export function OfferView({ id }: { readonly id: string }): JSX.Element {
  const read = useRead(`offer ${id}`, (options) => readOffer(id, options), { live: true });
  const title = inLanguage(TITLE)(shortId(id), read.value && thingName(read.value.id));
  return (
    <View
      title={title}
      heading={<UntrustedText text={title} max={120} />}
      wallet={read.value !== undefined && walletLink.offer(id)}
    >
      <Shown read={read}>{(offer) => <OfferAbout offer={offer} />}</Shown>
      {read.value !== undefined && <Life id={id} />}
    </View>
  );
}

/** Throws `6004` if it does not exist. */
function readOffer(offerid: string, options: CallOptions): Promise<Offer> {
  return offerid.startsWith("OFF402_")
    ? moneta.mrc402Offer({ offerid }, options)
    : moneta.mrc401Offer({ offerid }, options);
}
