import { MARKET } from "../../description/examples.ts";
import { jsonObject, NO_MEMBERS } from "../../description/json/json-object.ts";
import {
  eachOptional,
  fullySigned,
  optional,
  type Parameter,
} from "../../description/parameter.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { text } from "../../description/parameters/texts.ts";
import { url } from "../../description/parameters/urls.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { NATIVE_COIN } from "../../text/amount.ts";
import { NO_POLICY, policyParameter } from "./policy.ts";

/** Source: mrc401 §3. */
export type PartnerRole = "partner" | "seller" | "creator";

const SOCIAL_MEDIA_LENGTH_MAX = 40_960;

/** Clients also write `saller`. */
const partnerRole: Parameter<PartnerRole> = (() => {
  const words = wordOrFirst("partner", "seller", "creator", "saller");
  return {
    ...words,
    wanted: "partner, seller or creator",
    schema: { type: "string", enum: ["partner", "seller", "creator"] },
    read(given: string, name: string) {
      const read = words.read(given, name);
      return read === "saller" ? "seller" : read;
    },
  } as Parameter<PartnerRole>;
})();

/** Source: mrc401 §3. */
const projectParameters = {
  name: text({ max: 128, withoutBar: true }),
  url: url({ use: "item", max: 255, withoutBar: true }),
  imageurl: url({ use: "image", max: 255, withoutBar: true }),
  allowtoken: tokenId(16),
  category: text({ max: 64, withoutBar: true }),
  description: text({ max: 4096 }),
  itemurl: url({ use: "item", max: 255, withoutBar: true }),
  itemimageurl: url({ use: "image", max: 255, withoutBar: true }),
  data: text({ max: 4096 }),
  socialmedia: jsonObject({
    lengthMax: SOCIAL_MEDIA_LENGTH_MAX,
    value: url({ use: "page", max: SOCIAL_MEDIA_LENGTH_MAX }),
  }),
  partner: jsonObject({
    lengthMax: SOCIAL_MEDIA_LENGTH_MAX,
    value: partnerRole,
    names: address(),
  }),
  policy: fullySigned(policyParameter),
} as const;

export const projectExample = {
  name: "Meta-RPG",
  url: "https://rpg.example/",
  imageurl: "https://rpg.example/logo.png",
  allowtoken: "0",
  category: "game",
  description: "Items of a game",
  itemurl: "https://rpg.example/item/{id}",
  itemimageurl: "https://rpg.example/image/{id}",
  data: "season 1",
  socialmedia: JSON.stringify({ chat: "https://chat.example/rpg" }),
  partner: JSON.stringify({ [MARKET]: "seller" }),
  // Without bounds, so that items of the examples can be transferred.
  policy: JSON.stringify({ transfers: "free", maxheld: "0" }),
} as const;

export const newProjectParameters = {
  ...projectParameters,
  allowtoken: optional(projectParameters.allowtoken, NATIVE_COIN),
  socialmedia: optional(projectParameters.socialmedia, NO_MEMBERS),
  partner: optional(projectParameters.partner, NO_MEMBERS),
  policy: optional(projectParameters.policy, NO_POLICY),
} as const;

/** Absent or empty ones stay unchanged. Source: mrc401 §4. */
export const keptProjectParameters = eachOptional(projectParameters);

export const PROJECT_FIELDS = [
  "name",
  "url",
  "imageurl",
  "category",
  "itemurl",
  "itemimageurl",
] as const;

/** Source: mrc401 §3. */
export const PROJECT_RECORD_FIELDS = [
  "name",
  "url",
  "imageurl",
  "allowtoken",
  "category",
  "description",
  "itemurl",
  "itemimageurl",
  "data",
] as const;
