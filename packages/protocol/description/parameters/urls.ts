import { isUrl, type UrlUse } from "../../text/url.ts";
import { FORM, type FormHint, type Parameter, refuseValue, type Schema } from "../parameter.ts";
import { type TextBounds, text } from "./texts.ts";

interface UrlBounds extends Pick<TextBounds, "withoutBar"> {
  readonly use: UrlUse;
  readonly max: number;
}

/** Kept as it was sent. Source: conventions §1.9. */
export function url({ use, max, withoutBar = false }: UrlBounds): Parameter<string> {
  const isImage = use === "image";
  const wanted = `an absolute ${SCHEMES[use]} URL of at most ${max} characters${withoutBar ? " without |" : ""}${isImage ? ENCODED_HASH : ""}`;
  return {
    ...text({ max, withoutBar }),
    wanted,
    schema: urlSchema(isImage ? "picture" : "url", {
      max,
      pattern: urlPattern(use, withoutBar ? ["[^|]", "[^|#]"] : ["[^\\n]", "[^#]"]),
    }),
    admit: (given, name) => (isUrl(given, use) ? undefined : refuseValue(wanted, name)),
  };
}

const SCHEMES: Readonly<Record<UrlUse, string>> = {
  page: "http or https",
  item: "http, https, ipfs or ar",
  image: "http, https, ipfs, ar or data",
};

function urlSchema(
  kind: Extract<FormHint["kind"], "url" | "picture" | "file">,
  { max: maxLength, pattern }: { readonly max: number; readonly pattern: string },
): Schema {
  return { type: "string", format: "uri", minLength: 1, maxLength, pattern, [FORM]: { kind } };
}

/** An unencoded # would begin the fragment of the URL and end the image. */
const ENCODED_HASH = ", in a data: URL with # as %23";

/** Schemes are of any case, and JSON Schema has no flags. */
function urlPattern(use: UrlUse, [ofUrl, ofData]: readonly [string, string]): string {
  const anyCase = (schemes: string): string =>
    schemes.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
  const schemes = anyCase(use === "page" ? "https?" : "https?|ipfs|ar");
  return use === "image"
    ? `^((${schemes}):${ofUrl}*|${anyCase("data")}:${ofData}*)$`
    : `^(${schemes}):${ofUrl}*$`;
}

const DATA_URL_LENGTH_MAX = 1_048_576;
const DATA_IMAGE = /^data:image\//i;
const PRINTABLE_ASCII_WITHOUT_BAR = /^[\x20-\x7b\x7d\x7e]+$/;

/** Source: tokens §3. */
export function tokenImage(): Parameter<string> {
  const wanted = `a data:image/ URL of at most ${DATA_URL_LENGTH_MAX} characters or an http, https, ipfs or ar URL of at most 255, in printable ASCII without |${ENCODED_HASH}`;
  const isData = (given: string): boolean => DATA_IMAGE.test(given);
  return {
    ...text({ max: DATA_URL_LENGTH_MAX }),
    wanted,
    schema: urlSchema("file", {
      max: DATA_URL_LENGTH_MAX,
      pattern: urlPattern("image", ["[ -{}~]", '[ -"$-{}~]']),
    }),
    read: (given, name) =>
      given.length <= (isData(given) ? DATA_URL_LENGTH_MAX : 255) &&
      PRINTABLE_ASCII_WITHOUT_BAR.test(given)
        ? given
        : refuseValue(wanted, name),
    // For images, the scheme check alone accepts `data:text/html,...`.
    admit: (given, name) =>
      isUrl(given, "image") && (isData(given) || !/^data:/i.test(given))
        ? undefined
        : refuseValue(wanted, name),
  };
}
