import { visibleText } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../texts/texts.ts";
import { pictureSource } from "./picture-source.ts";
import { loadsPictures } from "./pictures-setting.tsx";

/**
 * A picture that somebody has named by its URL. One in the ledger is shown; one at another server
 * only after a tap or with the setting; in its place a pattern made of `seed`. Source: explorer §1.
 */
export function Picture({
  url,
  alt,
  seed,
  size = "card",
}: {
  readonly url: string;
  readonly alt: string;
  /** Usually the id of what the picture shows. */
  readonly seed: string;
  /** One of thumb size cannot be tapped. */
  readonly size?: "thumb" | "card" | "full";
}): JSX.Element {
  const texts = t().pictures;
  const [tapped, setTapped] = useState("");
  const [broken, setBroken] = useState("");
  const source = pictureSource(url);
  const isShown =
    source.kind === "inline" ||
    (source.kind === "remote" && (loadsPictures.value || tapped === url));
  const isBroken = broken === url && url !== "";
  if (isShown && !isBroken) {
    return (
      <span class={`picture ${size}`}>
        <img
          src={source.url}
          alt={visibleText(alt)}
          loading={source.kind === "remote" ? "lazy" : "eager"}
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setBroken(url)}
        />
      </span>
    );
  }
  return (
    <span class={`picture ${size}`}>
      <Pattern seed={seed} />
      {size !== "thumb" && source.kind === "remote" && (
        <span class="picture-note">
          {isBroken ? texts.broken : ""}
          <button
            type="button"
            onClick={() => {
              setTapped(url);
              setBroken("");
            }}
          >
            {isBroken ? t().frame.tryAgain : texts.load}
          </button>
          <span class="host">{source.host}</span>
        </span>
      )}
      {size === "full" && source.kind === "unloadable" && (
        <span class="picture-note">{texts.unloadable}</span>
      )}
      {size !== "thumb" && source.kind === "inline" && isBroken && (
        <span class="picture-note">{texts.broken}</span>
      )}
    </span>
  );
}

const SIDE = 5;

/** Symmetrical squares that the seed chooses, so that things without a picture can be told apart. */
function Pattern({ seed }: { readonly seed: string }): JSX.Element {
  let hash = 2_166_136_261;
  for (const character of seed) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  }
  const squares: JSX.Element[] = [];
  for (let x = 0; x < Math.ceil(SIDE / 2); x++) {
    for (let y = 0; y < SIDE; y++) {
      if (((hash >>> (x * SIDE + y)) & 1) === 1) {
        squares.push(<rect x={x} y={y} width="1" height="1" />);
        squares.push(<rect x={SIDE - 1 - x} y={y} width="1" height="1" />);
      }
    }
  }
  return (
    <svg
      class={`pattern tone-${(hash >>> 16) % 4}`}
      viewBox={`-2 -2 ${SIDE + 4} ${SIDE + 4}`}
      aria-hidden="true"
      shape-rendering="crispEdges"
    >
      {squares}
    </svg>
  );
}
