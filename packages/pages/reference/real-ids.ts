import { NODE_URL } from "../ledger/node.ts";

/** Lists whose newest entry has a real id, and the ids of examples that it replaces; longer ids first. */
const NEWEST = [
  { list: "mrc020?state=all", member: "id", example: /MRC020_MTAlice\w+/g },
  { list: "mrc401?state=all", member: "id", example: /MRC400_[0-9a-f]{33}_(?:Sword|Shield)0+1/g },
  { list: "mrc402", member: "id", example: /MRC402_[0-9a-f]{33}/g },
  { list: "mrc400", member: "id", example: /MRC400_[0-9a-f]{33}(?!_)/g },
  { list: "mrc040/orders?state=all", member: "mrc040id", example: /MRC040_[0-9a-f]{33}/g },
  { list: "mrc040/trades", member: "id", example: /TRD040_[0-9a-f]{33}/g },
  { list: "token/dex?state=all", member: "dexid", example: /DEX010_[0-9a-f]{33}/g },
  { list: "mrc402/dex?state=all", member: "dexid", example: /DEX402_[0-9a-f]{33}/g },
  { list: "mrc401/offers?state=all", member: "offerid", example: /OFF401_[0-9a-f]{33}/g },
  { list: "mrc402/offers?state=all", member: "offerid", example: /OFF402_[0-9a-f]{33}/g },
  { list: "grants?state=all", member: "grantid", example: /GRT_[0-9a-f]{33}/g },
  { list: "blocks", member: "id", example: /fbd75e55[0-9a-f]{56}/g },
  {
    list: "transactions?type=transfer",
    member: "id",
    example: /00000000000001020000[0-9a-f]{44}/g,
  },
  { list: "transactions?type=transfer", member: "address", example: /MT(?:Alice|Bob)0+\w{8}/g },
];

type Replacing = (text: string) => string;

/** Replaces ids of examples by the newest ones of this ledger, as far as it has any. */
export async function withRealIds(): Promise<Replacing> {
  const found = await Promise.all(
    NEWEST.map(async ({ list, member, example }): Promise<Replacing> => {
      const query = `${list.includes("?") ? "&" : "?"}limit=1`;
      const { items = [] } = await fetch(`${NODE_URL}/${list}${query}`)
        .then(
          (response) => response.json() as Promise<{ items?: Readonly<Record<string, unknown>>[] }>,
        )
        .catch(() => ({ items: [] }));
      const id = String(items[0]?.[member] ?? "");
      // Readers copy samples into a shell.
      return (text) => (/^\w+$/.test(id) ? text.replaceAll(example, id) : text);
    }),
  );
  return (text) => found.reduce((shown, replace) => replace(shown), text);
}
