import {
  ALICE,
  CIPHER,
  KEYHASH,
  LETTER,
  NOW,
  REFERENCE,
  SEAL,
  TOMORROW,
} from "../../description/examples.ts";
import { address, integer, noted, shown, text, time } from "../../description/shown.ts";

export const shownSeal = shown("Seal", {
  id: [text, SEAL],
  owner: [address, ALICE],
  algorithm: [text, CIPHER],
  data: [noted(text, "what the key decrypts, if it is not the text itself"), LETTER],
  keyhash: [noted(text, "what its owner has committed to"), KEYHASH],
  createdate: [time, NOW],
  opendate: [noted(time, "from when on it can be opened, Unix seconds"), TOMORROW],
  referencekey: [text, REFERENCE],
  publickey: [noted(text, "the key that has opened it, empty before"), ""],
  is_open: [noted(integer, "0 or 1"), 0],
  opened: [noted(time, "when it was opened, Unix seconds; 0 before"), 0],
});
