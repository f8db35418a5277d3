import { type ReadonlySignal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../../texts/texts.ts";
import { keep, kept } from "../kept.ts";

const KEPT = "moneta-pictures";
const chosen = signal(kept(KEPT) === "load");

/** From other servers, without a tap. Source: explorer §1. */
export const loadsPictures: ReadonlySignal<boolean> = chosen;

/** Shown pictures of other servers, loaded or not. */
const remote = signal(0);

export function useRemote(isRemote: boolean): void {
  useEffect(() => {
    if (!isRemote) {
      return undefined;
    }
    remote.value += 1;
    return () => {
      remote.value -= 1;
    };
  }, [isRemote]);
}

export function PicturesSetting(): JSX.Element | null {
  const texts = t().pictures;
  return remote.value === 0 ? null : (
    <p class="pictures-setting">
      <label>
        <input
          type="checkbox"
          checked={chosen.value}
          onChange={({ currentTarget: { checked } }) => {
            chosen.value = checked;
            keep(KEPT, checked ? "load" : "ask");
          }}
        />{" "}
        {texts.setting}
      </label>{" "}
      <span class="quiet">{texts.settingMeans}</span>
    </p>
  );
}
