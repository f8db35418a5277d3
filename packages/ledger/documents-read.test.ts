import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type AnyOperation,
  mrc400Create,
  mrc402Auction,
  mrc402Create,
  mrc402Itemupdate,
  mrc402Sell,
  mrc402Unsell,
  type Texts,
} from "@moneta/protocol";
import { derivedId } from "./state/ids/derived-id.ts";
import { READS_MAX } from "./state/state.ts";
import { operationOf, TestLedger } from "./testing/test-ledger.ts";

const NUMBERS = Array.from({ length: 100 }, (_, number) => String(number).padStart(40, "0"));
const TOKENS = ["0", "1", "2", "3", "4"];

test("the largest valid operations read fewer documents than one may, and the largest of them more than a third as many", async () => {
  using ledger = await TestLedger.begin({ supply: "1000000" });
  const people = (await ledger.createAddresses(8)) as [Address, Address, Address, ...Address[]];
  const [owner, partner, platform, ...shareholders] = people;
  const from = ledger.treasury;
  await ledger.done(ledger.transfer({ from, to: partner, amount: "100000" }));
  for (const token of TOKENS.slice(1)) {
    ledger.give(partner, token, [{ amount: "100000" }]);
  }
  const reads = new Map<string, number>();
  const does = async (
    operation: AnyOperation,
    by: Address,
    params: Texts,
  ): Promise<{ readonly id: string; readonly tkey: string }> => {
    const tkey = ledger.key(by);
    const text = operationOf(operation, { signature: "MEQ=", tkey, ...params }, by);
    const [id] = await ledger.done(text);
    reads.set(operation.name, ledger.ledger.state.documentsRead);
    return { id: id as string, tkey };
  };
  const { tkey } = await does(mrc400Create, owner, {
    ...{ owner, name: "P", category: "game", description: "d", data: "d" },
    ...{ url: "https://p.example/", imageurl: "https://p.example/i" },
    ...{ itemurl: "https://p.example/item", itemimageurl: "https://p.example/image" },
    partner: JSON.stringify({ [partner]: "partner" }),
  });
  const mrc400id = derivedId("MRC400", owner, tkey);
  const texts = (element: (number: string) => object): Texts => ({
    itemdata: JSON.stringify(NUMBERS.map(element)),
  });
  const inProject: typeof texts = (element) => ({ mrc400id, ...texts(element) });
  const idOf = (number: string): string => `${mrc400id}_${number}`;

  await does(
    mrc402Create,
    partner,
    inProject((item_id) => ({
      item_id,
      totalsupply: "10",
      shareholder: Object.fromEntries(shareholders.slice(0, 5).map((one) => [one, "1"])),
      initialreserve: Object.fromEntries(TOKENS.map((token) => [token, "1"])),
      ...{ platform_address: platform, platform_commission: "1" },
      ...{ sell_price: "5", sell_token: "4" },
    })),
  );
  await does(
    mrc402Itemupdate,
    owner,
    inProject((item_id) => ({
      item_id,
      sell_fee: "2",
      groupid: "g",
      item_url: "https://i.example/",
    })),
  );
  const ids = JSON.stringify(NUMBERS.map(idOf));
  await does(mrc402Unsell, partner, { itemdata: ids });
  const platformAndTerms = { platform_address: platform, platform_commission: "1", token: "3" };
  const listed = (terms: object): Texts =>
    texts((number) => ({ id: idOf(number), amount: "3", ...platformAndTerms, ...terms }));
  await does(mrc402Sell, partner, listed({ price: "5" }));
  await does(mrc402Auction, partner, listed({ start: "5" }));

  const largest = Math.max(...reads.values());
  assert.ok(largest <= READS_MAX && largest > READS_MAX / 3, JSON.stringify([...reads]));
});
