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
  keyhash: [noted(text, "hash of the key, to which the owner is committed"), KEYHASH],
  createdate: [time, NOW],
  opendate: [noted(time, "when it may be opened"), TOMORROW],
  referencekey: [text, REFERENCE],
  publickey: [noted(text, "key that opened it; empty before"), ""],
  is_open: [noted(integer, "1 if it was opened, else 0"), 0],
  opened: [noted(time, "when it was opened; 0 before"), 0],
});
