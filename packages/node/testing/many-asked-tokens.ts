import { derivedId } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import { pastHttp } from "./past-http.ts";

const TOGETHER = 100;

/**
 * Creates tokens, and for each of them an item that is on sale for it, in the directory of a node
 * that does not run. Returns the project's id.
 */
export function growAskedTokens(
  dataDirectory: string,
  owner: Address,
  tokens: number,
): Promise<string> {
  return pastHttp(dataDirectory, owner, async ({ make, execute, state }) => {
    const url = "https://items.example/";
    const project = make("mrc400create", {
      ...{ owner, name: "Many tokens", url, imageurl: `${url}p.png` },
      ...{ category: "game", description: "Sold for every token", data: "{}" },
      ...{ itemurl: `${url}{id}`, itemimageurl: `${url}{id}.png` },
    });
    await execute([project.text]);
    const mrc400id = derivedId("MRC400", owner, project.tkey);
    const token = { owner, symbol: "K", name: "Kind", totalsupply: "1" };
    for (let made = 0; made < tokens; made += TOGETHER) {
      const first = state.count("token") + 1;
      const ids = Array.from({ length: Math.min(TOGETHER, tokens - made) }, (_, n) => first + n);
      const operations = ids.flatMap(() => [
        make("tokensave", token, { key: "Temporarykey" }).text,
        make("tokencreate", {}, { decided: { name: token.name } }).text,
      ]);
      const items = ids.map((id) => ({ sell_price: "1", sell_token: String(id) }));
      const params = { mrc400id, creator: owner, itemdata: JSON.stringify(items) };
      await execute([...operations, make("mrc401create", params).text]);
    }
    return mrc400id;
  });
}
