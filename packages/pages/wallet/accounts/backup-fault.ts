import type { KeyBackupError } from "@moneta/sdk/key-backup";
import { walletTexts } from "../../texts/wallet-texts.ts";

export function backupFault({ fault, message }: KeyBackupError): string {
  const texts = walletTexts().wallet.backUp.faults;
  // Only the reader of a malformed file has the reason.
  return fault === "form" ? `${texts.form} (${message})` : texts[fault];
}
