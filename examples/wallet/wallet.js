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

for await (const event of moneta.events({ address: [alice.address] })) {
  if (event.kind === "transaction") {
    showTransaction(event.transaction);
    await showBalance();
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
