import type { KeyBackupError } from "@moneta/sdk/key-backup";
import { walletTexts } from "../../texts/wallet-texts.ts";

/** Why a back-up cannot be opened, in the reader's language. */
export function backupFault({ fault, message }: KeyBackupError): string {
  const texts = walletTexts().wallet.backUp.faults;
  // A file that is none says in what way, which only its reader knows.
  return fault === "form" ? `${texts.form} (${message})` : texts[fault];
}
