import { type AddressInfo, shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { Facts } from "../../parts/facts.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Shown } from "../../parts/shown.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { ProjectList } from "../project/project-list.tsx";
import { proofFact } from "../proof/check-state.tsx";
import { SealList } from "../seal/seal-list.tsx";
import { TokenList } from "../token/token-list.tsx";
import { AddressHistory } from "./address-history.tsx";
import { AddressOrders } from "./address-orders.tsx";
import { BalancesAtTime } from "./balance-list.tsx";
import { BidList } from "./bid-list.tsx";
import { hasKeySet, KeysOf, RecoveryOf } from "./key-set.tsx";
import { OnMarket } from "./on-market.tsx";
import { OwnedItemList } from "./owned-items.tsx";

/** Source: explorer §2. */
export function AddressView({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.address;
  const read = useRead(`address ${address}`, (options) =>
    moneta.addressRead({ address, view: "full" }, options),
  );
  return (
    <View title={texts.title(shortId(address))}>
      <Shown read={read}>{(info) => <About info={info} />}</Shown>
      {read.value !== undefined && (
        <Tabs
          label={texts.parts}
          tabs={[
            ["overview", texts.overview],
            ["items", texts.items],
            ["units", texts.units],
            ["market", texts.market],
            ["orders", t().explorer.order.ordersTab],
            ["seals", t().explorer.seals.title],
            ["owned", texts.owned],
          ]}
        >
          {(tab) => {
            switch (tab) {
              case "overview":
                return (
                  <>
                    <BalancesAtTime address={address} />
                    <AddressHistory address={address} />
                  </>
                );
              case "items":
                return <OwnedItemList address={address} kind="mrc401" />;
              case "units":
                return <OwnedItemList address={address} kind="mrc402" empty={texts.noHoldings} />;
              case "market":
                return (
                  <>
                    <OnMarket address={address} />
                    <BidList address={address} />
                  </>
                );
              case "orders":
                return <AddressOrders address={address} />;
              case "seals":
                return <SealList owner={address} />;
              case "owned":
                return (
                  <>
                    <ProjectList filters={{ owner: address }} cursorName="projects" />
                    <TokenList filters={{ owner: address }} cursorName="tokens" />
                  </>
                );
            }
          }}
        </Tabs>
      )}
    </View>
  );
}

function About({ info }: { readonly info: AddressInfo }): JSX.Element {
  const texts = t().explorer.address;
  const { address, addinfo = "", createdate, publickey = "", signed, keyset } = info;
  const keySet = keyset !== undefined && hasKeySet(keyset) ? keyset : undefined;
  return (
    <Facts
      facts={[
        [texts.address, <WholeId id={address} />],
        [texts.note, addinfo !== "" && <UntrustedText text={addinfo} max={1000} />],
        [texts.created, <TimeText time={createdate} />],
        [texts.signing, signed === "full" && texts.signingFull],
        [texts.keys, keySet && <KeysOf keySet={keySet} />],
        [texts.recovery, keySet?.recoverydelay ? <RecoveryOf keySet={keySet} /> : false],
        proofFact("addressRead", { address }),
        [
          texts.publicKey,
          keySet === undefined && publickey !== "" && (
            <details>
              <summary>{texts.showKey}</summary>
              <pre>{publickey}</pre>
            </details>
          ),
        ],
      ]}
    />
  );
}
