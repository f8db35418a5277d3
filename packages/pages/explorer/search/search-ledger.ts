import { type CallOptions, ProblemError } from "@moneta/sdk";
import { moneta } from "../../ledger/node.ts";
import { noted } from "../../ledger/tokens.ts";
import { tokenName } from "../../parts/amount-text.tsx";
import { thingHref } from "../../parts/links/thing-link.tsx";
import { readItem } from "../item/read-item.ts";
import { link } from "../links.ts";
import { type Meaning, meaningsOf } from "./meanings.ts";

/** Something that a searched text means on this ledger. */
export interface Found {
  readonly is: Meaning["is"];
  /** Its id, or what somebody calls it. */
  readonly name: string;
  readonly href: string;
}

/** Tokens with one symbol that are shown; symbols are not unique. */
const TOKENS_MAX = 20;

/**
 * What a text means on this ledger. Asks only for what its form allows, at once. Throws where the
 * node does not answer. Source: explorer §2.
 */
export async function searchLedger(text: string, options: CallOptions): Promise<readonly Found[]> {
  const found = await Promise.all(meaningsOf(text).map((meaning) => lookUp(meaning, options)));
  return found.flat();
}

async function lookUp(meaning: Meaning, options: CallOptions): Promise<readonly Found[]> {
  try {
    return await ask(meaning, options);
  } catch (error) {
    // What is not there, or has a form that nothing has, means something else.
    if (error instanceof ProblemError && (error.status === 404 || error.status === 400)) {
      return [];
    }
    throw error;
  }
}

async function ask({ is, id }: Meaning, options: CallOptions): Promise<readonly Found[]> {
  switch (is) {
    case "address":
      await moneta.addressRead({ address: id }, options);
      return [{ is, name: id, href: link.address(id) }];
    case "transaction":
      await moneta.transaction({ transaction_id: id }, options);
      return [{ is, name: id, href: link.transaction(id) }];
    case "block":
      return (await hasBlock(id, options)) ? [{ is, name: id, href: link.block(id) }] : [];
    case "group":
      await moneta.groupTransactions({ id }, options);
      return [{ is, name: id, href: link.group(id) }];
    case "token": {
      const { name } = noted(await moneta.token({ token: id }, options));
      return [{ is, name: `${tokenName(id)}, ${name}`, href: link.token(id) }];
    }
    case "symbol": {
      const { items } = await moneta.tokens({ symbol: id, limit: TOKENS_MAX }, options);
      return items.map(noted).map(({ id: token, name }) => ({
        is: "token" as const,
        name: `${tokenName(token)}, ${name}`,
        href: link.token(token),
      }));
    }
    case "project": {
      const { name } = await moneta.mrc400({ mrc400id: id }, options);
      return [{ is, name, href: link.project(id) }];
    }
    case "item":
      await readItem(id, options);
      return [{ is, name: id, href: thingHref(id) }];
    case "listing":
      await (id.startsWith("DEX402_")
        ? moneta.mrc402Listing({ dexid: id }, options)
        : moneta.tokenListing({ dexid: id }, options));
      return [{ is, name: id, href: link.listing(id) }];
    case "offer":
      await (id.startsWith("OFF402_")
        ? moneta.mrc402Offer({ offerid: id }, options)
        : moneta.mrc401Offer({ offerid: id }, options));
      return [{ is, name: id, href: link.offer(id) }];
    case "order":
      await moneta.order({ mrc040id: id }, options);
      return [{ is, name: id, href: link.order(id) }];
    case "seal":
      await moneta.seal({ mrc020key: id }, options);
      return [{ is, name: id, href: link.seal(id) }];
    case "trade": {
      const { transaction_id } = await moneta.orderTrade({ id }, options);
      return [{ is, name: id, href: link.transaction(transaction_id) }];
    }
  }
}

/** By number without reading the block, which may be long. */
async function hasBlock(id: string, options: CallOptions): Promise<boolean> {
  if (id.length < 20) {
    return Number(id) <= Number(await moneta.height(options));
  }
  await moneta.block({ block: id }, options);
  return true;
}
