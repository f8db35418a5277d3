import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item, UnitItem } from "@moneta/sdk";
import { pageUrlOf, pictureUrlOf } from "./item-urls.ts";

const PROJECT = "MRC400_c7735425f08d740230c98da57e9977dfc";
const HEX = `${PROJECT}_00000000000000000000000000000000000000ff`;

const TEMPLATES = {
  image_url: "https://rpg.example/p.png",
  item_url: "https://rpg.example/item/{id}",
  item_image_url: "https://rpg.example/image/{id}?of={id}",
};

const item = (own: Partial<Item>): Item =>
  ({ id: HEX, mrc400: PROJECT, item_url: "", item_image_url: "", ...own }) as Item;
const unitItem = (own: Partial<UnitItem>): UnitItem =>
  ({ totalsupply: 5n, url: "", ...TEMPLATES, ...item({}), ...TEMPLATES, ...own }) as UnitItem;

test("an item has its own picture, else that of its project's template, else none", () => {
  const own = "data:image/png;base64,AAAA";
  assert.equal(pictureUrlOf(item({ item_image_url: own }), TEMPLATES), own);
  const number = HEX.slice(41);
  assert.equal(
    pictureUrlOf(item({}), TEMPLATES),
    `https://rpg.example/image/${number}?of=${number}`,
  );
  assert.equal(pictureUrlOf(item({}), undefined), "");
});

test("an item of units has its own picture before the project's template", () => {
  const own = "https://rpg.example/own.png";
  assert.equal(pictureUrlOf(unitItem({ image_url: own }), TEMPLATES), own);
  assert.match(pictureUrlOf(unitItem({}), TEMPLATES), /image\/0{38}ff\?of=/);
  const alone = unitItem({ mrc400: "", image_url: own, item_image_url: "" });
  assert.equal(pictureUrlOf(alone, undefined), own);
});

test("an item leads to its own page, else to that of its project's template", () => {
  assert.equal(
    pageUrlOf(item({ item_url: "https://a.example/" }), TEMPLATES),
    "https://a.example/",
  );
  assert.equal(pageUrlOf(item({}), TEMPLATES), `https://rpg.example/item/${HEX.slice(41)}`);
  assert.equal(pageUrlOf(item({}), undefined), "");
});
