import {
  type CallOptions,
  type Found,
  ProblemError,
  type SearchRequest,
  shortId,
} from "@moneta/sdk";
import { tokenText } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { ShortNumber } from "../../parts/links/item-name.tsx";
import { thingHref } from "../../parts/links/thing-link.tsx";
import { Picture } from "../../parts/pictures/picture.tsx";
import { UntrustedName, UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";

const NAME_MAX = 60;
/** Others may have the same name. */
const HAS_ID: ReadonlySet<Found["kind"]> = new Set(["address", "project"]);

/** No results for a text that the node rejects. Source: explorer §5. */
export async function searchLedger(
  request: SearchRequest,
  options: CallOptions,
): Promise<readonly Found[]> {
  try {
    return request.text === "" ? [] : await moneta.search(request, options);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 400) {
      return [];
    }
    throw error;
  }
}

export function foundHref({ kind, id, attribute = "", groupid = "" }: Found): string {
  switch (kind) {
    case "address":
    case "transaction":
    case "block":
    case "group":
    case "token":
      return link[kind](id);
    case "attribute":
      return `${link.project(id)}?tab=items&attribute=${encodeURIComponent(attribute)}`;
    case "groupid":
      return `${link.project(id)}?tab=items&groupid=${encodeURIComponent(groupid)}`;
    default:
      return thingHref(id, link);
  }
}

export function FoundThing({ found }: { readonly found: Found }): JSX.Element {
  const { kind, id, name, attribute, groupid, image = "" } = found;
  const ofItems = groupid ?? attribute;
  return (
    <>
      <span aria-hidden="true">
        <Picture url={image} name={name || id} seed={id} size="thumb" />
      </span>
      <span class="found-name">
        <FoundName found={found} />
        {ofItems !== undefined && (
          <small class="quiet">
            <UntrustedText text={ofItems} max={NAME_MAX} />
          </small>
        )}
        {kind === "item" && <ShortNumber id={id} name={name} />}
        {HAS_ID.has(kind) && name !== "" && <small class="quiet id">{shortId(id)}</small>}
        {kind === "token" && (
          <small class="quiet">
            <UntrustedName name={name} max={NAME_MAX} />
          </small>
        )}
      </span>
      <span class="badge">{t().explorer.search.kinds[kind]}</span>
    </>
  );
}

function FoundName({
  found: { kind, id, name, symbol = "" },
}: {
  readonly found: Found;
}): JSX.Element {
  if (kind === "token") {
    return <bdi>{tokenText({ id, symbol }, t().nothingVisible)}</bdi>;
  }
  return name === "" ? (
    <span class="id" title={id}>
      {shortId(id)}
    </span>
  ) : (
    <UntrustedName name={name} max={NAME_MAX} />
  );
}
