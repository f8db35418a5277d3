import type { JSX } from "preact";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { lazy } from "../frame/lazy-view.tsx";
import { PageFrame, ViewLink } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { PREFIX } from "../ledger/node.ts";
import { t } from "../texts/texts.ts";
import { HomeView } from "./home/home-view.tsx";
import { link } from "./links.ts";
import { NotFoundView } from "./not-found-view.tsx";
import { SearchField } from "./search/search-field.tsx";

// Each view but the first is loaded when it is first shown.
const SearchView = lazy(async () => (await import("./search/search-view.tsx")).SearchView);
const BlocksView = lazy(async () => (await import("./block/blocks-view.tsx")).BlocksView);
const TransactionView = lazy(
  async () => (await import("./transaction/transaction-view.tsx")).TransactionView,
);
const GroupView = lazy(async () => (await import("./group/group-view.tsx")).GroupView);
const TransactionsView = lazy(
  async () => (await import("./transaction/transactions-view.tsx")).TransactionsView,
);
const BlockView = lazy(async () => (await import("./block/block-view.tsx")).BlockView);
const AddressView = lazy(async () => (await import("./address/address-view.tsx")).AddressView);
const TokensView = lazy(async () => (await import("./token/tokens-view.tsx")).TokensView);
const TokenView = lazy(async () => (await import("./token/token-view.tsx")).TokenView);
const ProjectsView = lazy(async () => (await import("./project/projects-view.tsx")).ProjectsView);
const ProjectView = lazy(async () => (await import("./project/project-view.tsx")).ProjectView);
const ListingView = lazy(async () => (await import("./listing/listing-view.tsx")).ListingView);
const OfferView = lazy(async () => (await import("./offer/offer-view.tsx")).OfferView);
const MarketView = lazy(async () => (await import("./market/market-view.tsx")).MarketView);
const PairView = lazy(async () => (await import("./order/pair-view.tsx")).PairView);
const OrderView = lazy(async () => (await import("./order/order-view.tsx")).OrderView);
const SealsView = lazy(async () => (await import("./seal/seals-view.tsx")).SealsView);
const SealView = lazy(async () => (await import("./seal/seal-view.tsx")).SealView);
const ItemsView = lazy(async () => (await import("./item/items-view.tsx")).ItemsView);
const ItemView = lazy(async () => (await import("./item/item-view.tsx")).ItemView);

const ProtocolView = lazy(async () => (await import("./protocol/protocol-view.tsx")).ProtocolView);

const ROOT = `${PREFIX}/explorer`;
const SCOPE = new RegExp(`^${RegExp.escape(ROOT)}(?:[/?#]|$)`);

function Explorer(): JSX.Element {
  return (
    <LocationProvider scope={SCOPE}>
      <PageFrame page="explorer" nav={<Nav />} search={<SearchField />}>
        <Router onRouteChange={startAtTop}>
          <Route path={ROOT} component={HomeView} />
          <Route path={`${ROOT}/search`} component={SearchView} />
          <Route path={`${ROOT}/transaction/:id`} component={TransactionView} />
          <Route path={`${ROOT}/group/:id`} component={GroupView} />
          <Route path={`${ROOT}/transactions`} component={TransactionsView} />
          <Route path={`${ROOT}/blocks`} component={BlocksView} />
          <Route path={`${ROOT}/block/:block`} component={BlockView} />
          <Route path={`${ROOT}/address/:address`} component={AddressView} />
          <Route path={`${ROOT}/tokens`} component={TokensView} />
          <Route path={`${ROOT}/token/:token`} component={TokenView} />
          <Route path={`${ROOT}/projects`} component={ProjectsView} />
          <Route path={`${ROOT}/project/:id`} component={ProjectView} />
          <Route path={`${ROOT}/listing/:id`} component={ListingView} />
          <Route path={`${ROOT}/offer/:id`} component={OfferView} />
          <Route path={`${ROOT}/market`} component={MarketView} />
          <Route path={`${ROOT}/pair/:pair`} component={PairView} />
          <Route path={`${ROOT}/order/:id`} component={OrderView} />
          <Route path={`${ROOT}/seals`} component={SealsView} />
          <Route path={`${ROOT}/seal/:id`} component={SealView} />
          <Route path={`${ROOT}/items`} component={ItemsView} />
          <Route path={`${ROOT}/item/:id`} component={ItemView} />
          <Route path={`${ROOT}/protocol`} component={ProtocolView} />
          <Route default component={NotFoundView} />
        </Router>
      </PageFrame>
    </LocationProvider>
  );
}

function Nav(): JSX.Element {
  const { path } = useLocation();
  const views = [
    ["home", link.home()],
    ["blocks", link.blocks(), link.block("")],
    ["transactions", link.transactions(), link.transaction("")],
    ["tokens", link.tokens(), link.token("")],
    ["projects", link.projects(), link.project("")],
    ["items", link.items(), link.item("")],
    ["market", link.market(), link.listing("")],
    ["protocol", link.protocol()],
  ] as const;
  return (
    <>
      {views.map(([name, href, things]) => (
        <ViewLink key={name} href={href} things={things} path={path}>
          {t().explorer.nav[name]}
        </ViewLink>
      ))}
    </>
  );
}

/** A new view begins at its top, and screen readers begin to read it. */
function startAtTop(): void {
  // Whoever types the next search while a view is loaded goes on typing.
  if (document.activeElement?.closest("search") == null) {
    document.getElementById("main")?.focus({ preventScroll: true });
  }
}

await startPage(Explorer);
