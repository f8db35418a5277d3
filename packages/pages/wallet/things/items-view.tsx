import type { JSX } from "preact";
import { OwnedItemList } from "../../explorer/address/owned-items.tsx";
import { ProjectList } from "../../explorer/project/project-list.tsx";
import { View } from "../../frame/view.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";
import { InWallet } from "./in-wallet.tsx";
import "./things.css";

/** Source: explorer §3 */
export function ItemsView(): JSX.Element {
  const texts = walletTexts().things.items;
  const { buttons } = walletTexts().operations;
  const address = actingAccount.value?.address;
  const { title, tabs } = texts;
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
        <InWallet>
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
                <ProjectList
                  filters={{ owner: address }}
                  caption={texts.projects}
                  empty={texts.noProjects}
                />
              ) : (
                <OwnedItemList
                  address={address}
                  kind={tab === "items" ? "mrc401" : "mrc402"}
                  caption={texts[tab]}
                  empty={tab === "items" ? texts.noItems : texts.noUnits}
                />
              )
            }
          </Tabs>
        </InWallet>
      )}
    </View>
  );
}
