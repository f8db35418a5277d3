import type { ComponentChildren, JSX } from "preact";
import { link } from "../../explorer/links.ts";
import { pairOf } from "../../explorer/order/pair.ts";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { ShareButton } from "../../parts/share-button.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { walletLink } from "../links.ts";
import type { Subject } from "./subject.ts";

interface MadeThing {
  readonly id: string;
  readonly href: string;
  readonly shared: string;
  readonly next?: { readonly action: "sell" | "new-item"; readonly href: string };
}

type Ids = Readonly<Record<string, unknown>>;

export function Made({
  result,
  name = "",
  about = {},
  canSell = true,
  children,
}: {
  readonly result: Ids;
  /** As typed: the item may not be found by its id yet. */
  readonly name?: string;
  /** What it acts on, if it has created nothing. */
  readonly about?: Ids;
  readonly canSell?: boolean;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const texts = walletTexts().operations;
  const things = thingsOf(result);
  // An item and its new project: the item is the last.
  const main = [...thingsOf(about), ...things].at(-1);
  if (main === undefined) {
    return <p class="actions">{children}</p>;
  }
  const { next } = main;
  return (
    <>
      {things.length > 0 && (
        <p>
          {texts.made}{" "}
          {things.toReversed().map(({ id, href }) => (
            <span key={id} class="made">
              <ThingLink
                id={id}
                href={href}
                {...(name === "" || id !== main.id ? {} : { name })}
              />{" "}
            </span>
          ))}
        </p>
      )}
      <p class="actions">
        <a class="button primary" href={main.href}>
          {texts.openIt}
        </a>
        <ShareButton url={main.shared} />
        {next !== undefined && (canSell || next.action !== "sell") && (
          <a class="button" href={next.href}>
            {texts.buttons[next.action]}
          </a>
        )}
        {children}
      </p>
    </>
  );
}

/** By the names of results. What was bought from a listing counts, not the listing. */
export function aboutOf(subject: Subject, action: string): Ids {
  switch (subject.kind) {
    case "nothing":
      return {};
    case "token":
      return { token: subject.token.id };
    case "project":
      return { mrc400id: subject.project.id };
    case "item":
    case "units":
    case "unitListing":
    case "unitOffer":
      return { mrc401ids: subject.item.id };
    case "itemOffer":
      return { offerid: subject.offer.offerid, mrc401ids: subject.item?.id };
    case "tokenListing": {
      const { dexid, mrc010: token } = subject.listing;
      return action === "buy" ? { token } : { dexid };
    }
    case "pair":
    case "order":
      return { pair: `${subject.book.basetoken}-${subject.book.targettoken}` };
  }
}

function thingsOf(ids: Ids): readonly MadeThing[] {
  return Object.entries(ids).flatMap(([name, value]) =>
    [value].flat().flatMap((id) => (typeof id === "string" ? (thingOf(name, id) ?? []) : [])),
  );
}

function thingOf(name: string, id: string): MadeThing | undefined {
  switch (name) {
    case "mrc400id":
      return {
        ...{ id, href: walletLink.project(id), shared: link.project(id) },
        next: { action: "new-item", href: walletLink.project(id, "new-item") },
      };
    case "mrc401ids":
    case "mrc402ids":
    case "mrc402id":
      return {
        ...{ id, href: walletLink.item(id), shared: link.item(id) },
        next: { action: "sell", href: walletLink.item(id, "sell") },
      };
    case "token":
      return {
        ...{ id, href: walletLink.token(id), shared: link.token(id) },
        next: { action: "sell", href: walletLink.token(id, "sell") },
      };
    case "offerid":
      return { id, href: walletLink.offer(id), shared: link.offer(id) };
    case "mrc040id":
      return { id, href: walletLink.order(id), shared: link.order(id) };
    case "pair": {
      const pair = pairOf(id);
      return { id, href: walletLink.pair(pair), shared: link.pair(pair) };
    }
    default:
      return /dexids?$/.test(name)
        ? { id, href: walletLink.listing(id), shared: link.listing(id) }
        : undefined;
  }
}
