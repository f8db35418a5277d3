import type { ListedProject, OwnedItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedName, UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";
import { ItemCards } from "./item-cards.tsx";
import "./things.css";

const LIMIT = 24;

/** The account's items, units and projects, with the ways to make more. Source: explorer §3 */
export function ItemsView(): JSX.Element {
  const { title, tabs } = walletTexts().things.items;
  const { buttons } = walletTexts().operations;
  const address = actingAccount.value?.address;
  return (
    <View title={title}>
      <p class="actions">
        <a class="button primary" href={walletLink.make("item")}>
          {buttons["new-item"]}
        </a>
        <a class="button" href={walletLink.make("project")}>
          {buttons.project}
        </a>
        <a class="button" href={walletLink.make("units")}>
          {buttons.units}
        </a>
      </p>
      {address !== undefined && (
        <Tabs
          label={title}
          tabs={[
            ["items", tabs.items],
            ["units", tabs.units],
            ["projects", tabs.projects],
          ]}
        >
          {(tab) =>
            tab === "projects" ? (
              <Projects owner={address} />
            ) : (
              <Owned address={address} kind={tab === "items" ? "mrc401" : "mrc402"} />
            )
          }
        </Tabs>
      )}
      <PicturesSetting />
    </View>
  );
}

function Owned({
  address,
  kind,
}: {
  readonly address: string;
  readonly kind: "mrc401" | "mrc402";
}): JSX.Element {
  const texts = walletTexts().things.items;
  const isUnits = kind === "mrc402";
  const caption = isUnits ? texts.units : texts.items;
  return (
    <LedgerList<OwnedItem>
      caption={caption}
      path={`/address/${address}/items?kind=${kind}&view=full`}
      read={(page, options) =>
        moneta.addressItems({ address, kind, view: "full", ...page }, options)
      }
      keyOf={({ id }) => id}
      limit={LIMIT}
      cursorName="cursor"
      live
      empty={isUnits ? texts.noUnits : texts.noItems}
      show={(entries) => (
        <ItemCards
          label={caption}
          entries={entries}
          itemOf={({ record }) => record}
          more={({ balance = 0n, saleamount = 0n, auctionamount = 0n }) =>
            isUnits && (
              <span class="quiet small">
                {texts.ofUnits(
                  numberText(balance),
                  numberText(saleamount),
                  numberText(auctionamount),
                )}
              </span>
            )
          }
        />
      )}
    />
  );
}

function Projects({ owner }: { readonly owner: string }): JSX.Element {
  const texts = walletTexts().things.items;
  return (
    <LedgerList<ListedProject>
      caption={texts.projects}
      path={`/mrc400?owner=${owner}`}
      read={(page, options) => moneta.mrc400Projects({ owner, ...page }, options)}
      keyOf={({ id }) => id}
      cursorName="cursor"
      live
      empty={texts.noProjects}
      columns={[
        {
          head: texts.project,
          kind: "main",
          cell: ({ id, name }) => (
            <a href={walletLink.project(id)}>
              <UntrustedName name={name} max={80} />
            </a>
          ),
        },
        {
          head: texts.category,
          cell: ({ category }) => <UntrustedText text={category} max={40} />,
        },
        { head: texts.created, cell: ({ createdate }) => <TimeText time={createdate} /> },
      ]}
    />
  );
}
