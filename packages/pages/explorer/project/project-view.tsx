import { type CallOptions, type Project, shortId } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { LinkOut } from "../../parts/links/link-out.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { Picture } from "../../parts/pictures/picture.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tile } from "../../parts/pictures/tile.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { Shown } from "../../parts/shown.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedName, UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { ItemList, UnitItemList } from "../item/item-list.tsx";
import { ItemOffers } from "../item/item-offers.tsx";
import { Life } from "../item/life.tsx";
import { UnitListingList } from "../listing/unit-listing-list.tsx";
import { proofFact } from "../proof/check-state.tsx";
import { dayVolume } from "./day-volume.tsx";

const SHOWN_MAX = 50;

/** Source: explorer §2. */
export function ProjectView({ id }: { readonly id: string }): JSX.Element {
  const texts = t().explorer.project;
  const read = useRead(`project ${id}`, (options) => moneta.mrc400({ mrc400id: id }, options), {
    live: true,
  });
  const project = read.value;
  const { value: first } = useRead(`first tab of ${id}`, (options) =>
    firstTab(id, options).catch(() => "items" as const),
  );
  return (
    <View
      title={project === undefined ? texts.title(shortId(id)) : project.name}
      heading={project === undefined ? undefined : <UntrustedName name={project.name} max={128} />}
      wallet={project !== undefined && walletLink.project(id)}
      act="offer"
    >
      <Shown read={read}>{(one) => <About project={one} />}</Shown>
      {project !== undefined && first !== undefined && (
        <Tabs
          label={texts.about}
          tabs={[
            ...(first === "units" ? [] : [["items", t().explorer.items.items] as const]),
            ["units", t().explorer.items.unitItems],
            ["market", t().explorer.listing.unitListings],
            ["life", t().explorer.item.life],
          ]}
        >
          {(tab) => {
            switch (tab) {
              case "items":
                return <ItemList project={id} />;
              case "units":
                return <UnitItemList project={id} />;
              case "market":
                return (
                  <>
                    <UnitListingList filters={{ mrc400id: id }} />
                    <ItemOffers id={id} />
                  </>
                );
              case "life":
                return <Life id={id} />;
            }
          }}
        </Tabs>
      )}
    </View>
  );
}

/** A project with multi-unit items alone has no other tab of items. */
async function firstTab(mrc400id: string, options: CallOptions): Promise<"items" | "units"> {
  const one = { mrc400id, limit: 1 };
  if ((await moneta.mrc401Items(one, options)).items.length > 0) {
    return "items";
  }
  return (await moneta.mrc402Items(one, options)).items.length > 0 ? "units" : "items";
}

function About({ project }: { readonly project: Project }): JSX.Element {
  const texts = t().explorer.project;
  const { id, description, data, allow_token, socialmedia, partner } = project;
  return (
    <div class="beside-picture small-picture">
      <div>
        <Picture
          url={project.image_url}
          name={project.name}
          alt={project.name}
          seed={id}
          size="full"
        />
      </div>
      <div class="stack">
        <Prices project={project} />
        <Facts
          facts={[
            [
              texts.description,
              <p class="prose">
                <UntrustedText text={description} max={2000} />
              </p>,
            ],
            [texts.category, <UntrustedText text={project.category} max={64} />],
            [texts.owner, <AddressLink address={project.owner} />],
            [
              texts.roles,
              plainList(
                Object.entries(partner),
                ([address, role]) => (
                  <>
                    <AddressLink address={address} />{" "}
                    <span class="quiet">{texts.roleOf[role]}</span>
                  </>
                ),
                SHOWN_MAX,
              ) || <span class="quiet">{texts.noRoles}</span>,
            ],
            [
              texts.allowed,
              allow_token === 0 ? texts.anyToken : <TokenLink token={String(allow_token)} />,
            ],
            policyFact(project),
            [texts.fees, project.policy.transfers !== "market" && texts.feesMean],
            [texts.page, <LinkOut url={project.url} />],
            [
              texts.links,
              plainList(
                Object.entries(socialmedia),
                ([name, url]) => (
                  <>
                    <UntrustedText text={name} max={40} />: <LinkOut url={url} />
                  </>
                ),
                SHOWN_MAX,
              ) || <span class="quiet">{texts.noLinks}</span>,
            ],
            [texts.created, <TimeText time={project.createdate} />],
            proofFact("mrc400", { mrc400id: id }),
          ]}
        />
        <details>
          <summary>{texts.technical}</summary>
          <Facts
            facts={[
              [texts.itemPages, <UntrustedText text={project.item_url} max={255} />],
              [texts.itemPictures, <UntrustedText text={project.item_image_url} max={255} />],
              [texts.data, <UntrustedText text={data} />],
              [texts.id, <WholeId id={id} />],
            ]}
          />
        </details>
        <PicturesSetting />
      </div>
    </div>
  );
}

/** The lowest price of an item or unit on sale, the highest offer for any item, and the day's trades. */
function Prices({ project: { id, allow_token } }: { readonly project: Project }): JSX.Element {
  const texts = t().explorer.project;
  const token = String(allow_token);
  const { value } = useRead(
    `prices of ${id} ${token}`,
    async (options) => {
      const first = { token, order: "price", limit: 1 } as const;
      const ofProject = { ...first, mrc400id: id };
      const [items, units, offers, market] = await Promise.all([
        moneta.mrc401Items({ ...ofProject, state: "sale" }, options),
        moneta.mrc402Listings({ ...ofProject, side: "sell" }, options),
        moneta.mrc401Offers({ ...first, id }, options),
        moneta.mrc400Market({ mrc400id: id }, options),
      ]);
      const [one, other] = [items, units].map((page) => page.items[0]?.sell_price);
      return {
        floor: one !== undefined && other !== undefined && other < one ? other : (one ?? other),
        best: offers.items[0]?.price,
        market,
      };
    },
    { live: true },
  );
  const price = (amount: bigint | undefined): ComponentChildren =>
    amount === undefined ? "–" : <AmountText amount={amount} token={token} />;
  return (
    <dl class="tiles">
      <Tile name={texts.floor}>{price(value?.floor)}</Tile>
      <Tile name={texts.bestOffer}>{price(value?.best)}</Tile>
      <Tile name={texts.dayVolume}>{(value && dayVolume(value.market)) || "–"}</Tile>
      <Tile name={t().explorer.home.day.trades}>
        {value === undefined ? "–" : numberText(value.market.day_trades)}
      </Tile>
    </dl>
  );
}
