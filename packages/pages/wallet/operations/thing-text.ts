import { nameText } from "@moneta/sdk/text";
import { pairName } from "../../explorer/order/pair-link.tsx";
import { amountText, numberText, tokenName } from "../../parts/amount-text.tsx";
import { itemName } from "../../parts/links/item-name.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { Subject } from "./subject.ts";

/** `12.5 GLD`, `3 units of Potion`, `Swords #1a2b3c`. */
export function thingText(subject: Subject, values: Readonly<Record<string, unknown>>): string {
  const amount = typeof values["amount"] === "bigint" ? values["amount"] : undefined;
  const unitsOf = (count: bigint, name: string): string =>
    walletTexts().operations.unitsOf(unitsText(count), name);
  switch (subject.kind) {
    case "nothing":
      return String(values["name"] ?? "");
    case "token":
      return amount === undefined
        ? tokenName(subject.token.id)
        : amountText(amount, subject.token.id);
    case "project": {
      const { name, price, groupid = "" } = values;
      const project = nameText(subject.project.name, t().nothingVisible);
      // An offer has a price.
      return typeof price === "bigint"
        ? walletTexts().operations.anyOf(String(groupid), project)
        : typeof name === "string"
          ? name
          : project;
    }
    case "item":
      return itemName(subject.item);
    case "units":
      return amount === undefined
        ? itemName(subject.item)
        : unitsOf(amount, itemName(subject.item));
    case "tokenListing": {
      const { listing } = subject;
      const isLot = listing.side === "auction" || amount === undefined;
      return amountText(isLot ? listing.remain_amount : amount, listing.mrc010);
    }
    case "pair": {
      const { book } = subject;
      const { side, qtt, price } = values;
      return (side === "SELL" || side === "BUY") &&
        typeof qtt === "bigint" &&
        typeof price === "bigint"
        ? walletTexts().operations.wish[side](
            amountText(qtt, book.targettoken),
            amountText(price, book.basetoken),
          )
        : pairName(book);
    }
    case "order": {
      const { side, remainqtt, price, targettoken, basetoken } = subject.order;
      return typeof values["qtt"] === "bigint"
        ? amountText(values["qtt"], targettoken)
        : walletTexts().operations.wish[side](
            amountText(remainqtt, targettoken),
            amountText(price, basetoken),
          );
    }
    case "itemOffer": {
      const { offer, item, project } = subject;
      const wanted =
        item !== undefined
          ? itemName(item)
          : walletTexts().operations.anyOf(
              offer.groupid,
              nameText(project.name, t().nothingVisible),
            );
      return walletTexts().operations.priceFor(amountText(offer.price, offer.token), wanted);
    }
    case "unitOffer": {
      const { offer, item } = subject;
      const units = unitsOf(amount ?? offer.remain_amount, itemName(item));
      return walletTexts().operations.priceForEach(amountText(offer.price, offer.token), units);
    }
    case "unitListing": {
      const { listing, item } = subject;
      const isLot = listing.side === "auction" || amount === undefined;
      return unitsOf(isLot ? listing.remain_amount : amount, itemName(item));
    }
  }
}

export function subjectName(subject: Subject): string {
  return thingText(subject, {});
}

export function unitsText(count: bigint): string {
  return t().explorer.records.units(numberText(count), count === 1n);
}
