import type { World } from "../../../examples/demo/fill-world.ts";
import { routes } from "../routes.ts";

type Named = Readonly<Record<string, string>>;

/** Names and ids by the noun of the view. */
export type Things = Readonly<Record<string, Named>>;

const OF_EVERY_LEDGER: Things = {
  block: { genesis: "0" },
  token: { coin: "0" },
  new: { item: "item", token: "token", project: "project", units: "units" },
};

/** Neither a route alone nor a tab of a first thing. */
function more({ address = {} }: Things): Named {
  const { fatima, goran } = address;
  return {
    "search nothing": "/explorer/search?q=nothing",
    ...(fatima !== undefined && {
      "address fatima tab units": `/explorer/address/${fatima}?tab=units`,
      "address fatima tab market": `/explorer/address/${fatima}?tab=market`,
    }),
    ...(goran !== undefined && {
      "address goran tab market": `/explorer/address/${goran}?tab=market`,
    }),
  };
}

/** Except the first tab. Tests compare this with the page. */
const TABS: Readonly<Record<string, readonly string[]>> = {
  "/explorer": ["day"],
  "/explorer/items": ["units"],
  "/explorer/market": ["items", "units", "tokens", "orders"],
  "/explorer/address/id": ["items", "units", "market", "orders", "seals", "owned"],
  "/explorer/token/id": ["market", "trades", "orders"],
  "/explorer/project/MRC400": ["units", "market", "life"],
  "/explorer/item/MRC402": ["market", "sales", "life"],
  "/wallet/items": ["units", "projects"],
  "/wallet/market": ["units", "tokens", "mine", "bids", "offers", "orders"],
};

/**
 * The path of every view by name: each route, with all things of its noun; of each pattern one with
 * all its tabs.
 */
export function viewPaths(things: Things = {}): Named {
  const views = { ...ofRoutes(things), ...more(things) };
  const tabs = Object.entries(oneOfEach(views)).flatMap(([name, path]) =>
    (TABS[viewPattern(path)] ?? []).map(
      (tab) => [`${name} tab ${tab}`, `${path}?tab=${tab}`] as const,
    ),
  );
  return { ...views, ...Object.fromEntries(tabs) };
}

function ofRoutes(things: Things): Named {
  const paths = routes().flatMap((route): readonly (readonly [string, string])[] => {
    const [, page = "", noun = "", parameter] = route.split("/");
    if (parameter === undefined) {
      const name = page === "explorer" ? noun || "home" : `${page} ${noun}`.trim();
      return [[name, route]];
    }
    const ofNoun =
      page === "wallet"
        ? Object.entries({ ...OF_EVERY_LEDGER[noun], ...things[noun] }).slice(0, 1)
        : Object.entries({ ...things[noun], ...OF_EVERY_LEDGER[noun] });
    return ofNoun.map(([name, id]) => [
      `${page === "explorer" ? "" : `${page} `}${noun} ${name}`,
      `/${page}/${noun}/${encodeURIComponent(id)}`,
    ]);
  });
  return Object.fromEntries(paths);
}

/** For tests that take longer. */
export function oneOfEach(paths: Named): Named {
  const first = new Map<string, readonly [name: string, path: string]>();
  for (const entry of Object.entries(paths)) {
    const pattern = viewPattern(entry[1]);
    first.set(pattern, first.get(pattern) ?? entry);
  }
  return Object.fromEntries(first.values());
}

/** Replaces ids and values, except the kind of an id and the tab. */
export function viewPattern(path: string): string {
  const { pathname, searchParams } = new URL(path, "http://node");
  const [, page = "", noun = "", id] = pathname.split("/");
  const kind = id === undefined ? "" : `/${/^[A-Z]+\d+(?=_)/.exec(id)?.[0] ?? "id"}`;
  const names = [...searchParams]
    .map(([name, value]) => (name === "tab" ? `tab=${value}` : name))
    .sort()
    .join("&");
  return `/${page}${noun && `/${noun}`}${kind}${names && `?${names}`}`;
}

export function thingsOf(world: World): Things {
  const { shop, studio, hall, ada, fatima, goran } = world.cast;
  const addresses = Object.entries({ shop, studio, hall, ada, fatima, goran }).map(
    ([name, { address }]) => [name, address],
  );
  return {
    address: Object.fromEntries(addresses),
    block: { first: "1" },
    token: world.tokens,
    project: world.projects,
    item: { ...world.items, ...world.units },
    listing: {
      ...prefixed("tokens", world.tokenListings),
      ...prefixed("units", world.unitListings),
    },
    offer: world.offers,
    pair: {
      shells: `${world.tokens.points}-${world.tokens.shells}`,
      closed: `0-${world.tokens.shells}`,
    },
    order: { ...world.orders },
    seal: world.seals,
    transaction: world.transactions,
    group: world.groups,
  };
}

function prefixed(prefix: string, ids: Named): Named {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [`${prefix} ${name}`, id]));
}
