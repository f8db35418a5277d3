import { decimalText, Moneta, parseDecimal, SigningKey } from "./moneta.min.js";

const url = new URLSearchParams(location.search).get("url") ?? "http://127.0.0.1:20922";
const element = (id) => document.getElementById(id);

const moneta = new Moneta(url);
const { ledger, coin } = await moneta.service().catch((error) => {
  element("ledger").textContent = `No node answers at ${url}. Start one with npm start.`;
  throw error;
});
element("ledger").textContent = `Ledger ${ledger} at ${url}`;

const alice = await openWallet();
element("address").textContent = alice.address;
await showBalance();
for (const button of document.querySelectorAll("button")) {
  button.disabled = false;
}

element("faucet").addEventListener("click", () =>
  attempt("Coins are on their way …", () => moneta.faucet({ address: alice.address })),
);
element("payment").addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const { to, amount, memo } = Object.fromEntries(new FormData(submitted.target));
  void attempt("Signing …", () =>
    alice.transfer({ to, token: 0, amount: parseDecimal(amount, coin.decimal), memo }),
  );
});

element("offer").addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const { groupid, price } = Object.fromEntries(new FormData(submitted.target));
  void attempt("Minting …", async () => {
    const item = { groupid, sell_price: parseDecimal(price, coin.decimal), sell_token: 0 };
    return alice.mrc401create({ mrc400id: await ownProject(), itemdata: [item] });
  });
});

await Promise.all([followPayments(), followMarket()]);

/** What this wallet does and what is done to it. */
async function followPayments() {
  for await (const event of moneta.events({ address: [alice.address] })) {
    if (event.kind === "transaction") {
      showTransaction(event.transaction);
      await showBalance();
    }
  }
}

/** What anybody offers and buys. */
async function followMarket() {
  await showMarket();
  for await (const event of moneta.events({ type: ["mrc401_sell", "mrc401_buy"] })) {
    if (event.kind === "transaction") {
      await showMarket();
    }
  }
}

/** The key and the address of this browser: kept in IndexedDB, where no program can read the private key, not even this one. */
async function openWallet() {
  const database = await done(indexedDB.open("moneta-wallet"), (request) => {
    request.result.createObjectStore("wallets");
  });
  const { ledger_id: id } = await moneta.service();
  const read = database.transaction("wallets").objectStore("wallets").get(id);
  const kept = await done(read);
  if (kept !== undefined) {
    return moneta.actor(kept.address, await SigningKey.fromKeyPair(kept.keyPair));
  }
  const key = await SigningKey.generate();
  const actor = await moneta.createAddress(key, { signed: "full" });
  const store = database.transaction("wallets", "readwrite").objectStore("wallets");
  await done(store.put({ address: actor.address, keyPair: key.keyPair }, id));
  return actor;
}

function done(request, upgrade) {
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => upgrade(request);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function showBalance() {
  const entries = await moneta.balanceOfToken({ address: alice.address, token: 0 });
  const free = entries.find(({ unlockdate }) => unlockdate === 0)?.balance ?? 0n;
  element("balance").textContent = `${decimalText(free, coin.decimal)} ${coin.symbol}`;
}

/** The project that this wallet mints in, opened when it is needed. */
async function ownProject() {
  const { items: projects } = await moneta.mrc400Projects({ owner: alice.address, limit: 1 });
  if (projects.length > 0) {
    return projects[0].id;
  }
  const { mrc400id } = await alice.mrc400create({
    name: "Minted in a browser",
    url: "https://rpg.example/",
    imageurl: "https://rpg.example/logo.png",
    category: "game",
    description: "Items that a page has minted",
    itemurl: "https://rpg.example/item/{id}",
    itemimageurl: "https://rpg.example/image/{id}",
    data: "example",
  });
  return mrc400id;
}

/** The newest items on sale for the native coin. */
async function showMarket() {
  const { items } = await moneta.mrc401Items({ state: "sale", token: 0, limit: 10 });
  element("market").replaceChildren(
    ...items.map(({ id: mrc401id, groupid, holder, sell_price: price }) => {
      const entry = document.createElement("li");
      const button = document.createElement("button");
      button.textContent = holder === alice.address ? "Mine" : "Buy";
      button.disabled = holder === alice.address;
      // With the price that is shown, so that nothing dearer is bought.
      button.addEventListener("click", () =>
        attempt("Buying …", () => alice.mrc401buy({ mrc401id, price, token: 0 })),
      );
      const what = `${groupid || "item"} ${mrc401id.slice(-8)}: `;
      entry.append(button, ` ${what}${decimalText(price, coin.decimal)} ${coin.symbol}`);
      return entry;
    }),
  );
}

async function attempt(what, action) {
  const status = element("status");
  status.className = "";
  status.textContent = what;
  try {
    const { transaction_id } = await action();
    status.textContent = `Done: transaction ${transaction_id}`;
  } catch (error) {
    status.className = "refused";
    status.textContent = error.message;
  }
}

function showTransaction({ type, timestamp, parameters, token }) {
  const entry = document.createElement("li");
  const time = document.createElement("time");
  time.textContent = new Date(timestamp * 1000).toLocaleTimeString();
  const isPayment = type === "transfer" && token === 0;
  const [from, to, amount, , , , , memo] = parameters;
  const who = from === alice.address ? `to ${to}` : `from ${from}`;
  const text = isPayment
    ? ` ${decimalText(BigInt(amount), coin.decimal)} ${coin.symbol} ${who}${memo ? `: ${memo}` : ""}`
    : ` ${type}`;
  entry.append(time, text);
  element("events").prepend(entry);
}
