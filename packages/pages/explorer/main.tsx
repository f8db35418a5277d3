import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { lazy } from "../frame/lazy-view.tsx";
import { PageFrame, ViewLink } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { Views } from "../frame/views.tsx";
import { PREFIX } from "../ledger/node.ts";
import { t } from "../texts/texts.ts";
import { HomeView } from "./home/home-view.tsx";
import { link } from "./links.ts";
import { SearchField } from "./search/search-field.tsx";

const VIEWS = {
  "/search": lazy(async () => (await import("./search/search-view.tsx")).SearchView),
  "/transaction/:id": lazy(
    async () => (await import("./transaction/transaction-view.tsx")).TransactionView,
  ),
  "/group/:id": lazy(async () => (await import("./group/group-view.tsx")).GroupView),
  "/transactions": lazy(
    async () => (await import("./transaction/transactions-view.tsx")).TransactionsView,
  ),
  "/blocks": lazy(async () => (await import("./block/blocks-view.tsx")).BlocksView),
  "/block/:block": lazy(async () => (await import("./block/block-view.tsx")).BlockView),
  "/address/:address": lazy(async () => (await import("./address/address-view.tsx")).AddressView),
  "/tokens": lazy(async () => (await import("./token/tokens-view.tsx")).TokensView),
  "/token/:token": lazy(async () => (await import("./token/token-view.tsx")).TokenView),
  "/projects": lazy(async () => (await import("./project/projects-view.tsx")).ProjectsView),
  "/project/:id": lazy(async () => (await import("./project/project-view.tsx")).ProjectView),
  "/listing/:id": lazy(async () => (await import("./listing/listing-view.tsx")).ListingView),
  "/offer/:id": lazy(async () => (await import("./offer/offer-view.tsx")).OfferView),
  "/market": lazy(async () => (await import("./market/market-view.tsx")).MarketView),
  "/pair/:pair": lazy(async () => (await import("./order/pair-view.tsx")).PairView),
  "/order/:id": lazy(async () => (await import("./order/order-view.tsx")).OrderView),
  "/seals": lazy(async () => (await import("./seal/seals-view.tsx")).SealsView),
  "/seal/:id": lazy(async () => (await import("./seal/seal-view.tsx")).SealView),
  "/items": lazy(async () => (await import("./item/items-view.tsx")).ItemsView),
  "/item/:id": lazy(async () => (await import("./item/item-view.tsx")).ItemView),
  "/protocol": lazy(async () => (await import("./protocol/protocol-view.tsx")).ProtocolView),
};

const ROOT = `${PREFIX}/explorer`;

function Explorer(): JSX.Element {
  return (
    <PageFrame page="explorer" nav={<Nav />} search={<SearchField />}>
      <Views root={ROOT} home={HomeView} views={VIEWS} names={t().explorer.nav} />
    </PageFrame>
  );
}

function Nav(): JSX.Element {
  const { path } = useLocation();
  const views = [
    ["home", link.home()],
    ["blocks", link.blocks(), link.block("")],
    ["transactions", link.transactions(), link.transaction(""), link.group("")],
    ["tokens", link.tokens(), link.token("")],
    ["projects", link.projects(), link.project("")],
    ["items", link.items(), link.item("")],
    ["market", link.market(), link.listing(""), link.offer(""), `${ROOT}/pair/`, link.order("")],
    ["protocol", link.protocol()],
  ] as const;
  return (
    <>
      {views.map(([name, href, ...things]) => (
        <ViewLink key={name} href={href} things={things} path={path}>
          {t().explorer.nav[name]}
        </ViewLink>
      ))}
    </>
  );
}

await startPage("explorer", Explorer);
