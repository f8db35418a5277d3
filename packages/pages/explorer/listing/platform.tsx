import type { TokenListing, UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { LinkOut } from "../../parts/links/link-out.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";

export function platformOf(
  listing: Pick<
    TokenListing | UnitListing,
    "platform_name" | "platform_url" | "platform_address" | "platform_commission"
  >,
): JSX.Element | false {
  const { platform_name: name, platform_url: url, platform_address: address } = listing;
  return (
    (name !== "" || url !== "" || address !== "") && (
      <>
        <UntrustedText text={name} /> {url !== "" && <LinkOut url={url} />}{" "}
        {address !== "" && (
          <>
            <AddressLink address={address} /> {`${listing.platform_commission}\u00a0%`}
          </>
        )}
      </>
    )
  );
}
