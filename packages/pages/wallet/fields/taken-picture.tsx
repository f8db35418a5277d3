import type { JSX } from "preact";
import { numberText } from "../../parts/amount-text.tsx";
import { Picture } from "../../parts/pictures/picture.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";

export function TakenPicture({ url }: { readonly url: string }): JSX.Element {
  return (
    <span class="taken-picture">
      <Picture url={url} name="" seed={url.slice(0, 100)} size="thumb" />
      <span>{walletTexts().operations.fileTaken(numberText(url.length))}</span>
    </span>
  );
}
