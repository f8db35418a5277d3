import { visibleText } from "@moneta/sdk/text";
import type { JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { NODE_URL } from "../../ledger/node.ts";
import { t } from "../../texts/texts.ts";
import type { PictureSource } from "./picture-source.ts";
import { loadsPictures, useRemote } from "./pictures-setting.tsx";
import type { Raster } from "./raster.ts";

export type PictureSize = "thumb" | "card" | "full";

/** The longest side, px: twice the size, for dense screens. */
const DRAWN_PX: Readonly<Record<PictureSize, number>> = { thumb: 96, card: 480, full: 1024 };

const PIXEL_ART_MAX = 64;

const DRAWING_MS = 20_000;

/**
 * A picture at a user's URL. A drawing needs a tap, another server a tap or the setting; until then
 * a pattern of `seed` and a letter is shown. Source: explorer §1.
 */
export function Picture({
  url,
  name,
  alt = "",
  seed,
  size = "card",
}: {
  readonly url: string;
  readonly name: string;
  readonly alt?: string;
  readonly seed: string;
  readonly size?: PictureSize;
}): JSX.Element {
  const texts = t().pictures;
  const [tapped, setTapped] = useState("");
  const [failed, setFailed] = useState("");
  const place = useRef<HTMLSpanElement>(null);
  const source = usePictureSource(url, place);
  useRemote(source.kind === "remote");
  const fail = (): void => setFailed(url);
  const hasFailed = failed === url;
  const isAskedFor = tapped === url || (source.kind === "remote" && loadsPictures.value);
  if (!hasFailed) {
    if (source.kind === "raster") {
      const { raster } = source;
      return (
        <span class={`picture ${size}`}>
          <RasterPicture raster={raster} alt={alt} side={DRAWN_PX[size]} onFail={fail} />
        </span>
      );
    }
    if (source.kind === "remote" && isAskedFor) {
      return (
        <span class={`picture ${size}`}>
          <img
            src={source.url}
            alt={visibleText(alt)}
            loading="lazy"
            decoding="async"
            referrerpolicy="no-referrer"
            onError={fail}
          />
        </span>
      );
    }
    if (source.kind === "drawing" && isAskedFor) {
      return (
        <span class={`picture ${size}`}>
          <Drawing url={source.url} title={visibleText(alt || name)} onOver={() => setTapped("")} />
        </span>
      );
    }
  }
  const canTap =
    source.kind === "remote" ? size !== "thumb" : source.kind === "drawing" && size === "full";
  return (
    <span class={`picture ${size}`} ref={place}>
      <Pattern seed={seed} />
      <Letter of={name} />
      {canTap && (
        <span class="picture-note">
          {hasFailed && texts.broken}
          <button
            type="button"
            onClick={() => {
              setTapped(url);
              setFailed("");
            }}
          >
            {hasFailed ? t().frame.tryAgain : texts.load}
          </button>
          {source.kind === "remote" && <span class="host">{source.host}</span>}
        </span>
      )}
      {size === "full" && source.kind === "unloadable" && (
        <span class="picture-note">{texts.unloadable}</span>
      )}
      {size === "full" && source.kind === "raster" && (
        <span class="picture-note">{texts.broken}</span>
      )}
    </span>
  );
}

const NO_PICTURE: PictureSource = { kind: "none" };

/** Readers of image formats load with the first URL. What the node has is loaded once in sight. */
function usePictureSource(url: string, place: RefObject<HTMLSpanElement | null>): PictureSource {
  const [known, setKnown] = useState({ url: "", source: NO_PICTURE });
  useEffect(() => {
    if (url === "") {
      return;
    }
    const over = new AbortController();
    const read = (): void => {
      readSource(url, over.signal).then(
        (source) => over.signal.aborted || setKnown({ url, source }),
        // The pattern and the letter stay in its place.
        () => undefined,
      );
    };
    if (OF_NODE.test(url) && place.current !== null) {
      onceInSight(place.current, over.signal, read);
    } else {
      read();
    }
    return () => over.abort();
  }, [url]);
  return known.url === url ? known.source : NO_PICTURE;
}

/** Lists have a path of this node in the place of a larger image. Source: tokens §2. */
const OF_NODE = /^\/token\/[0-9]+\/image$/;

async function readSource(url: string, signal: AbortSignal): Promise<PictureSource> {
  const { bytesSource, pictureSource } = await import("./picture-source.ts");
  if (!OF_NODE.test(url)) {
    return pictureSource(url);
  }
  const response = await fetch(`${NODE_URL}${url}`, { signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytesSource({ mediaType: response.headers.get("content-type") ?? "", bytes });
}

function onceInSight(element: Element, over: AbortSignal, then: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) {
      observer.disconnect();
      then();
    }
  });
  observer.observe(element);
  over.addEventListener("abort", () => observer.disconnect());
}

/** Only the first frame, so that nothing of a stranger's moves. */
function RasterPicture({
  raster,
  alt,
  side,
  onFail,
}: {
  readonly raster: Raster;
  readonly alt: string;
  readonly side: number;
  readonly onFail: () => void;
}): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isOver = false;
    const decoding = import("./raster.ts").then(({ decoded }) => decoded(raster));
    decoding.then(
      (bitmap) => {
        if (!isOver && canvas.current !== null) {
          draw(bitmap, canvas.current, side);
        }
        bitmap.close();
      },
      () => isOver || onFail(),
    );
    return () => {
      isOver = true;
    };
  }, [raster, side]);
  return (
    <canvas
      ref={canvas}
      class={isPixelArt(raster) ? "pixels" : undefined}
      role={alt === "" ? undefined : "img"}
      aria-label={alt === "" ? undefined : visibleText(alt)}
    />
  );
}

/** Lossless and tiny: enlarged with hard edges. */
function isPixelArt({ type, width, height }: Raster): boolean {
  return /png|gif/.test(type) && Math.max(width, height) <= PIXEL_ART_MAX;
}

function draw(bitmap: ImageBitmap, canvas: HTMLCanvasElement, side: number): void {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
}

/**
 * A document without origin, scripts and requests; some browsers draw it in its own process.
 * Source: WHATWG HTML, sandboxing.
 */
function Drawing({
  url,
  title,
  onOver,
}: {
  readonly url: string;
  readonly title: string;
  readonly onOver: () => void;
}): JSX.Element {
  useEffect(() => {
    const timer = setTimeout(onOver, DRAWING_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <iframe
      sandbox=""
      title={title}
      tabIndex={-1}
      srcdoc={`<!doctype html><body marginwidth="0" marginheight="0"><img src="${url}" alt="" width="100%" height="100%">`}
    />
  );
}

function Letter({ of }: { readonly of: string }): JSX.Element | null {
  const [letter] = /[\p{L}\p{N}]\p{M}?/u.exec(of) ?? [];
  return letter === undefined ? null : (
    <span class="picture-letter" aria-hidden="true">
      {letter.toUpperCase().slice(0, 2)}
    </span>
  );
}

const SIDE = 5;

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
