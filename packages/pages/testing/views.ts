import type { World } from "../../../examples/demo/fill-world.ts";
import { routes } from "./routes.ts";

/** Paths or ids by names. */
type Named = Readonly<Record<string, string>>;

/** What a ledger has that views are about: names and ids by the noun of the view. */
export type Things = Readonly<Record<string, Named>>;

/** What even an empty ledger has. */
const OF_EVERY_LEDGER: Things = {
  block: { genesis: "0" },
  token: { coin: "0" },
  new: { token: "token", project: "project", units: "units" },
};

/** Views that are not a route alone. */
const MORE: Named = {
  "search nothing": "/explorer/search?q=nothing",
};

/**
 * The path of every view by its name, for tests and screenshots that go through all of them: each
 * route without parameters, and each with one parameter for all of the things of its noun.
 */
export function viewPaths(things: Things = {}): Named {
  const paths = routes().flatMap((route): readonly (readonly [string, string])[] => {
    const [, page = "", noun = "", parameter] = route.split("/");
    if (parameter === undefined) {
      const name = page === "explorer" ? noun || "home" : `${page} ${noun}`.trim();
      return [[name, route]];
    }
    // Without an account the wallet shows the same whatever it is about.
    const ofNoun = Object.entries({ ...OF_EVERY_LEDGER[noun], ...things[noun] });
    return (page === "wallet" ? ofNoun.slice(0, 1) : ofNoun).map(([name, id]) => [
      `${page === "explorer" ? "" : `${page} `}${noun} ${name}`,
      `/${page}/${noun}/${encodeURIComponent(id)}`,
    ]);
  });
  return { ...Object.fromEntries(paths), ...MORE };
}

/** The first of the paths of each pattern, for tests that take longer. */
export function oneOfEach(paths: Named): Named {
  const first = new Map<string, readonly [name: string, path: string]>();
  for (const entry of Object.entries(paths)) {
    const pattern = viewPattern(entry[1]);
    first.set(pattern, first.get(pattern) ?? entry);
  }
  return Object.fromEntries(first.values());
}

/**
 * A path with ids and values replaced, but for the kind of an id: what has the same pattern is
 * shown by the same view.
 */
export function viewPattern(path: string): string {
  const { pathname, searchParams } = new URL(path, "http://node");
  const [, page = "", noun = "", id] = pathname.split("/");
  const kind = id === undefined ? "" : `/${/^[A-Z]+\d+(?=_)/.exec(id)?.[0] ?? "id"}`;
  const names = [...searchParams.keys()].sort().join("&");
  return `/${page}${noun && `/${noun}`}${kind}${names && `?${names}`}`;
}

/** What the demonstration's world has. */
export function thingsOf(world: World): Things {
  const { shop, studio, hall, ada, fatima } = world.cast;
  const addresses = Object.entries({ shop, studio, hall, ada, fatima }).map(
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
    transaction: world.transactions,
  };
}

function prefixed(prefix: string, ids: Named): Named {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [`${prefix} ${name}`, id]));
}
