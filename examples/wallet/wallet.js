import { decimalText, Moneta, parseDecimal, SigningKey, UnansweredError } from "./moneta.min.js";

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

element("faucet").addEventListener("click", ({ currentTarget: button }) =>
  attempt(button, "Coins are on their way …", () => moneta.faucet({ address: alice.address })),
);
element("payment").addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const form = submitted.target;
  const { to, amount, memo } = Object.fromEntries(new FormData(form));
  void attempt(form.querySelector("button"), "Signing …", async () => {
    const units = parseDecimal(amount, coin.decimal);
    try {
      const paid = await alice.transfer({ to, token: 0, amount: units, memo });
      form.reset();
      return paid;
    } catch (error) {
      // Who does not know whether it was paid must not pay again by tapping once more.
      if (error instanceof UnansweredError && error.mayHaveHappened) {
        form.reset();
      }
      throw error;
    }
  });
});

element("offer").addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const { groupid, price } = Object.fromEntries(new FormData(submitted.target));
  void attempt(submitted.target.querySelector("button"), "Minting …", async () => {
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

/** The newest items on sale for the native coin; an entry that stays keeps what its button has said. */
async function showMarket() {
  const { items } = await moneta.mrc401Items({ state: "sale", token: 0, limit: 10 });
  const shown = new Map(
    [...element("market").children].map((entry) => [entry.dataset.sale, entry]),
  );
  element("market").replaceChildren(
    ...items.map((item) => shown.get(saleOf(item)) ?? marketEntry(item)),
  );
}

function saleOf({ id, sell_date, sell_price }) {
  return `${id} ${sell_date} ${sell_price}`;
}

function marketEntry(item) {
  const { id: mrc401id, groupid, holder, sell_price: price } = item;
  const entry = document.createElement("li");
  entry.dataset.sale = saleOf(item);
  const button = document.createElement("button");
  button.textContent = holder === alice.address ? "Mine" : "Buy";
  button.disabled = holder === alice.address;
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  const what = `${groupid || "item"} ${mrc401id.slice(-8)}`;
  const amount = `${decimalText(price, coin.decimal)} ${coin.symbol}`;
  button.addEventListener("click", () =>
    attempt(button, "Buying …", async () => {
      // With the price that is shown, so that nothing dearer is bought.
      const bought = await alice.mrc401buy({ mrc401id, price, token: 0 });
      // The entry goes with its sale.
      element("bought").textContent = `Bought ${what} for ${amount}`;
      return bought;
    }),
  );
  entry.append(button, ` ${what}: ${amount}`, status);
  return entry;
}

/** Does what a button is for, once: until the answer is there, which stands beside it, it cannot be pressed again. */
async function attempt(button, what, action) {
  if (button.disabled) {
    return;
  }
  button.disabled = true;
  const status = button.parentElement.querySelector("[role=status]");
  status.className = "";
  status.textContent = what;
  try {
    const { transaction_id } = await action();
    status.textContent = `Done: transaction ${transaction_id}`;
  } catch (error) {
    status.className = "refused";
    status.textContent = inCoins(error.message);
  }
  button.disabled = false;
}

/** A message that speaks of amounts of the native coin, in decimals. */
function inCoins(message) {
  const text = (units) => `${decimalText(BigInt(units), coin.decimal)} ${coin.symbol}`;
  return message.replace(
    /needs (\d+) of token 0 but can spend only (\d+)/,
    (_, needed, spendable) => `needs ${text(needed)} but can spend only ${text(spendable)}`,
  );
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
