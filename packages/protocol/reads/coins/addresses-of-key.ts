import { ALICE, PUBLIC_KEY_BODY } from "../../description/examples.ts";
import { listedKey } from "../../description/parameters/keys.ts";
import { address, integer, noted, oneOf, shown } from "../../description/shown.ts";
import { textListRead } from "../list-read.ts";

/** Source: authority §1.5. */
export const addressesOfKey = textListRead({
  name: "addressesOfKey",
  title: "Find addresses that a key may sign for",
  route: "GET /addresses",
  about:
    "Lists the addresses whose keys were changed, or are passkeys, that have a public key among their keys or recovery keys; POST /address/bykey lists those of which it is the only key.",
  list: "addresses",
  filters: { publickey: listedKey() },
  filtersExample: { publickey: PUBLIC_KEY_BODY },
  entries: "addresses, oldest first",
  shown: shown("AddressOfKey", {
    address: [address, ALICE],
    role: [
      noted(
        oneOf("key", "recovery", "pending"),
        "what the key is for: `pending` if a recovery under way will bring it",
      ),
      "key",
    ],
    weight: [noted(integer, "weight of this key"), 1],
    sum: [noted(integer, "weight of all keys of this role together"), 3],
    threshold: [noted(integer, "weight that the signing keys must reach together"), 2],
  }),
  after: "41",
});
