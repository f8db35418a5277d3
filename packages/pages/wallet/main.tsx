import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { link } from "../explorer/links.ts";
import { lazy } from "../frame/lazy-view.tsx";
import { PageFrame, ViewLink } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { View } from "../frame/view.tsx";
import { Views } from "../frame/views.tsx";
import { PREFIX } from "../ledger/node.ts";
import { service } from "../ledger/service.ts";
import { Problem } from "../parts/problem.tsx";
import { Loading } from "../parts/shown.tsx";
import { t } from "../texts/texts.ts";
import { walletTexts } from "../texts/wallet-texts.ts";
import { isOpen } from "./accounts/account.ts";
import { AccountSwitch } from "./accounts/account-switch.tsx";
import { accounts, accountsFailure, currentAccount, loadAccounts } from "./accounts/accounts.ts";
import { FirstAccount } from "./accounts/first-account.tsx";
import { HomeView } from "./home/home-view.tsx";
import { KeyNotice } from "./keys/key-notice.tsx";
import { walletLink } from "./links.ts";
import { keepShell, UpdateNotice } from "./update-notice.tsx";
import { proposed } from "./writes/proposed.ts";
import { WriteList } from "./writes/write-list.tsx";
import { loadWrites } from "./writes/writes.ts";
import "./wallet.css";

const VIEWS = {
  "/send": lazy(async () => (await import("./send/send-view.tsx")).SendView),
  "/send-many": lazy(async () => (await import("./send/send-many-view.tsx")).SendManyView),
  "/receive": lazy(async () => (await import("./receive/receive-view.tsx")).ReceiveView),
  "/history": lazy(async () => (await import("./history/history-view.tsx")).HistoryView),
  "/accounts": lazy(async () => (await import("./accounts/accounts-view.tsx")).AccountsView),
  "/new-account": lazy(
    async () => (await import("./accounts/new-account-view.tsx")).NewAccountView,
  ),
  "/keys": lazy(async () => (await import("./keys/keys-view.tsx")).KeysView),
  "/grant": lazy(async () => (await import("./keys/new-grant-view.tsx")).NewGrantView),
  "/device": lazy(async () => (await import("./keys/device-view.tsx")).DeviceView),
  "/back-up": lazy(async () => (await import("./accounts/back-up-view.tsx")).BackUpView),
  "/restore": lazy(async () => (await import("./accounts/restore-view.tsx")).RestoreView),
  "/sweep": lazy(async () => (await import("./accounts/sweep-view.tsx")).SweepView),
  "/tokens": lazy(async () => (await import("./things/tokens-view.tsx")).TokensView),
  "/items": lazy(async () => (await import("./things/items-view.tsx")).ItemsView),
  "/market": lazy(async () => (await import("./things/market-view.tsx")).MarketView),
  "/swap": lazy(async () => (await import("./swap/swap-view.tsx")).SwapView),
  "/new/:what": lazy(async () => (await import("./things/new-thing-view.tsx")).NewThingView),
  "/token/:id": lazy(async () => (await import("./things/thing-view.tsx")).thingView("token")),
  "/project/:id": lazy(async () => (await import("./things/thing-view.tsx")).thingView("project")),
  "/item/:id": lazy(async () => (await import("./things/thing-view.tsx")).thingView("item")),
  "/listing/:id": lazy(async () => (await import("./things/thing-view.tsx")).thingView("listing")),
  "/offer/:id": lazy(async () => (await import("./things/thing-view.tsx")).thingView("offer")),
  "/pair/:id": lazy(async () => (await import("./things/thing-view.tsx")).thingView("pair")),
  "/order/:id": lazy(async () => (await import("./things/thing-view.tsx")).thingView("order")),
};

const ROOT = `${PREFIX}/wallet`;

const WITHOUT_ACCOUNT: ReadonlySet<string> = new Set([
  walletLink.newAccount(),
  walletLink.restore(),
]);

function Wallet(): JSX.Element {
  return (
    <PageFrame page="wallet" nav={<Nav />} search={<AccountSwitch />}>
      <Deployment />
      <UpdateNotice />
      <KeyNotice />
      <ToProposal />
      <NeedsAccount>
        <Views root={ROOT} home={HomeView} views={VIEWS} names={navTexts()} />
        <WriteList />
      </NeedsAccount>
    </PageFrame>
  );
}

function Nav(): JSX.Element {
  const { path } = useLocation();
  const texts = navTexts();
  const views = [
    ["home", walletLink.home()],
    ["send", walletLink.send(), walletLink.sendMany()],
    ["receive", walletLink.receive()],
    ["tokens", walletLink.tokens(), walletLink.token(""), walletLink.make("token")],
    [
      "items",
      walletLink.items(),
      walletLink.item(""),
      walletLink.project(""),
      walletLink.make("item"),
      walletLink.make("project"),
      walletLink.make("units"),
    ],
    [
      "market",
      walletLink.market(),
      walletLink.listing(""),
      walletLink.offer(""),
      `${ROOT}/pair/`,
      walletLink.order(""),
    ],
    ["swap", walletLink.swap()],
    ["history", walletLink.history()],
    [
      "accounts",
      walletLink.accounts(),
      walletLink.newAccount(),
      walletLink.keys(),
      walletLink.grant(),
      walletLink.device(),
      walletLink.backUp(),
      walletLink.restore(),
      walletLink.sweep(),
    ],
  ] as const;
  return (
    <>
      {views.map(([name, href, ...things]) => (
        <ViewLink key={name} href={href} things={things} path={path}>
          {texts[name]}
        </ViewLink>
      ))}
    </>
  );
}

function navTexts() {
  const { wallet, things, swap } = walletTexts();
  return { ...wallet.nav, ...things.nav, swap: swap.name };
}

/** For proposals of any form that other keys have to sign. */
function ToProposal(): null {
  const { path, route } = useLocation();
  const isThere = proposed.value !== undefined;
  useEffect(() => {
    if (isThere && path !== walletLink.swap()) {
      route(walletLink.swap());
    }
  }, [isThere]);
  return null;
}

function Deployment(): JSX.Element | null {
  return service.value?.deployment === "production" ? (
    <p class="notice warn production-notice">{walletTexts().wallet.production}</p>
  ) : null;
}

function NeedsAccount({ children }: { readonly children: ComponentChildren }): ComponentChildren {
  const { path } = useLocation();
  const known = accounts.value;
  const current = currentAccount.value;
  if (WITHOUT_ACCOUNT.has(path)) {
    return children;
  }
  if (known === undefined) {
    const failure = accountsFailure.value;
    return (
      <View title={t().frame.page.wallet}>
        {failure === undefined ? <Loading /> : <Problem error={failure} />}
      </View>
    );
  }
  if (current === undefined) {
    return <FirstAccount />;
  }
  return isOpen(current) ? (
    children
  ) : (
    <View title={walletTexts().wallet.noAccount.title}>
      <p class="card" role="status">
        {walletTexts().wallet.opening}
      </p>
    </View>
  );
}

/** Plain HTTP has no keys. Source: explorer §1. */
function Insecure(): JSX.Element {
  const texts = walletTexts().wallet.insecure;
  return (
    <PageFrame page="wallet" nav={null}>
      <View title={texts.title}>
        <section class="card">
          <p>{texts.text}</p>
          <p>
            <a href={link.home()}>{texts.explorer}</a>
          </p>
        </section>
      </View>
    </PageFrame>
  );
}

if (isSecureContext) {
  void loadAccounts();
  void loadWrites();
  keepShell();
}
await startPage("wallet", isSecureContext ? Wallet : Insecure);
