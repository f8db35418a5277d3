import { type ReadonlySignal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { t } from "../../texts/texts.ts";
import { keep, kept } from "../kept.ts";

const KEPT = "moneta-pictures";
const chosen = signal(kept(KEPT) === "load");

/** From other servers, without a tap. Source: explorer §1. */
export const loadsPictures: ReadonlySignal<boolean> = chosen;

export function PicturesSetting(): JSX.Element {
  const texts = t().pictures;
  return (
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
