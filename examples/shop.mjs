// A shop in one file: opens a project, mints three swords and puts them on sale; a customer buys one. `node shop.mjs [URL of a node]`; MONETA_URL may name it, too.
import { decimalText, everyItem, Moneta, parseDecimal, SigningKey } from "@moneta/sdk";

// Failures, such as an unreachable node, are a sentence here.
process.on("uncaughtException", ({ message }) => {
  console.error(`shop: ${message}`);
  process.exit(1);
});

const moneta = new Moneta(process.argv[2] ?? process.env.MONETA_URL ?? "http://127.0.0.1:20922");
const { coin } = await moneta.service();
const coins = (text) => parseDecimal(text, coin.decimal);
const shown = (amount) => `${decimalText(amount, coin.decimal)} ${coin.symbol}`;

const studio = await moneta.createAddress(await SigningKey.generate());
const player = await moneta.createAddress(await SigningKey.generate());
await Promise.all([studio, player].map(({ address }) => moneta.faucet({ address })));

const { mrc400id } = await studio.mrc400create({
  name: "Meta-RPG",
  url: "https://rpg.example/",
  imageurl: "https://rpg.example/logo.png",
  category: "game",
  description: "Items of a game",
  itemurl: "https://rpg.example/item/{id}",
  itemimageurl: "https://rpg.example/image/{id}",
  data: "season 1",
});
await studio.mrc401create({
  mrc400id,
  itemdata: ["Iron", "Silver", "Gold"].map((groupid, rank) => ({
    groupid,
    sell_fee: "2.5",
    sell_price: coins(String(10 ** rank)),
    sell_token: 0,
  })),
});

console.log("On sale:");
const onSale = everyItem((cursor) => moneta.mrc401Items({ mrc400id, state: "sale", cursor }));
for await (const { id, groupid, sell_price } of onSale) {
  console.log(`  ${groupid.padEnd(6)}  ${shown(sell_price).padStart(8)}  ${id}`);
}

const { items } = await moneta.mrc401Items({ mrc400id, groupid: "Silver" });
const [{ id: mrc401id, sell_price: price }] = items;
const { transaction_id } = await player.mrc401buy({ mrc401id, price, token: 0 });
const { holder } = await moneta.mrc401({ mrc401id });
const [left] = await moneta.balance({ address: player.address });
console.log(`Sold for ${shown(price)} in transaction ${transaction_id}`);
console.log(
  `It is ${holder === player.address ? "the player's" : "not sold"} now, who has ${shown(left.balance)} left.`,
);
