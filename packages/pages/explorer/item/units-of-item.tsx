import type { UnitHolder, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { projectOf } from "../../ledger/projects.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { LinkOut } from "../../parts/links/link-out.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { ownerFact } from "../../parts/owner-powers.tsx";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { pageUrlOf } from "../../parts/pictures/item-urls.ts";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tile } from "../../parts/pictures/tile.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { UnitListingList } from "../listing/unit-listing-list.tsx";
import { ProjectLink } from "../project/project-link.tsx";
import { proofFact } from "../proof/check-state.tsx";
import { feeFacts } from "./fee-facts.tsx";
import { ItemState } from "./item-card.tsx";
import { Attributes, metadataFacts } from "./item-metadata.tsx";
import { BestOffer, ItemOffers } from "./item-offers.tsx";
import { ItemSales } from "./item-sales.tsx";
import { Life } from "./life.tsx";
import { LastTrade } from "./single-item.tsx";

/** An item of equal units: picture, terms, who holds how many, and what is on offer. */
export function UnitsOfItem({ item }: { readonly item: UnitItem }): JSX.Element {
  const texts = t().explorer.item;
  const existing = item.totalsupply - item.meltedamount;
  return (
    <>
      <div class="beside-picture">
        <div>
          <ItemPicture item={item} size="full" />
          <PicturesSetting />
        </div>
        <div class="stack">
          <section class="card offer" aria-live="polite" aria-label={texts.offer}>
            <p class="price">
              <ItemState item={item} />
            </p>
            {existing > 0n && <BestOffer item={item} />}
            {item.description !== "" && <Prose text={item.description} />}
            {item.information !== "" && <Prose text={item.information} />}
          </section>
          <dl class="tiles">
            <Tile name={texts.existing}>{numberText(existing)}</Tile>
            <Tile name={texts.holders}>{numberText(item.holders)}</Tile>
            <Tile name={texts.meltedUnits}>{numberText(item.meltedamount)}</Tile>
            <Tile name={texts.burnedUnits}>{numberText(item.burnedamount)}</Tile>
          </dl>
          <UnitFacts item={item} />
        </div>
      </div>
      <Attributes item={item} />
      <Tabs
        label={texts.about}
        tabs={[
          ["holders", texts.holders],
          ["market", texts.listings],
          ["sales", texts.sales],
          ["life", texts.life],
        ]}
      >
        {(tab) => {
          switch (tab) {
            case "holders":
              return <UnitHolders item={item} />;
            case "market":
              return (
                <>
                  <UnitListingList filters={{ mrc402id: item.id }} withItem={false} />
                  <ItemOffers item={item} />
                </>
              );
            case "sales":
              return <ItemSales id={item.id} ofUnits />;
            case "life":
              return <Life id={item.id} />;
          }
        }}
      </Tabs>
    </>
  );
}

function UnitFacts({ item }: { readonly item: UnitItem }): JSX.Element {
  const texts = t().explorer.item;
  const url = pageUrlOf(item, projectOf(item.mrc400).value);
  const copyright = [
    item.copyright_registrar,
    item.copyright_registration_number,
    item.copyright_registration_country,
  ].filter((text) => text !== "");
  return (
    <Facts
      facts={[
        [texts.project, item.mrc400 !== "" && <ProjectLink id={item.mrc400} />],
        [texts.category, item.category !== "" && <UntrustedText text={item.category} />],
        [texts.group, item.groupid !== "" && <UntrustedText text={item.groupid} />],
        [texts.issuer, <AddressLink address={item.creator} />],
        [texts.transferable, texts.transferables[item.transferable]],
        [texts.reservePerUnit, amountsByToken(item.initialreserve)],
        [texts.reserve, amountsByToken(item.reserve)],
        ownerFact(item),
        policyFact(item),
        ...feeFacts(item),
        [texts.lastTrade, item.last_trade_date > 0 && <LastTrade item={item} />],
        [texts.created, <TimeText time={item.createdate} />],
        [texts.page, url !== "" && <LinkOut url={url} />],
        ...metadataFacts(item),
        [texts.copyright, copyright.length > 0 && <UntrustedText text={copyright.join(", ")} />],
        proofFact("mrc402", { mrc402id: item.id }),
        [texts.id, <WholeId id={item.id} />],
      ]}
    />
  );
}

/** At most five tokens, as the rules allow no more. */
function amountsByToken(amounts: UnitItem["reserve"]): JSX.Element | false {
  const entries = Object.entries(amounts);
  return (
    entries.length > 0 && (
      <ul class="plain">
        {entries.map(([token, amount]) => (
          <li key={token}>
            <AmountText amount={amount} token={token} />
          </li>
        ))}
      </ul>
    )
  );
}

function UnitHolders({ item }: { readonly item: UnitItem }): JSX.Element {
  const texts = t().explorer.item;
  const existing = item.totalsupply - item.meltedamount;
  const sum = (one: UnitHolder): bigint => one.balance + one.saleamount + one.auctionamount;
  return (
    <LedgerList<UnitHolder>
      caption={texts.holders}
      path={`/mrc402/holders/${item.id}`}
      read={(page, options) => moneta.mrc402Holders({ mrc402id: item.id, ...page }, options)}
      keyOf={({ address }) => address}
      cursorName="cursor"
      live
      empty={texts.noHolders}
      columns={[
        {
          head: texts.holder,
          kind: "main",
          cell: ({ address }) => <AddressLink address={address} />,
        },
        { head: texts.freeUnits, kind: "number", cell: (one) => numberText(one.balance) },
        { head: texts.onSale, kind: "number", cell: (one) => numberText(one.saleamount) },
        { head: texts.onAuction, kind: "number", cell: (one) => numberText(one.auctionamount) },
        {
          head: texts.share,
          kind: "number",
          cell: (one) => <ShareBar part={sum(one)} whole={existing} />,
        },
      ]}
    />
  );
}

function Prose({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="prose">
      <UntrustedText text={text} max={2000} />
    </p>
  );
}
