import assert from "node:assert/strict";
import { type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import { newKey, publicPem } from "../testing/test-node.ts";
import { type Claim, type ClaimVerdict, SignaturePool } from "./signature-pool.ts";
import { lengthOf, type Search, SignatureSearches } from "./signature-searches.ts";

/** Notes the maximum of simultaneous checks, and the number of texts verified. */
class WatchedPool extends SignaturePool implements AsyncDisposable {
  underWayMax = 0;
  textsMax = 0;
  #underWay = 0;

  override async check(claim: Claim): Promise<ClaimVerdict> {
    this.#underWay += 1;
    this.underWayMax = Math.max(this.underWayMax, this.#underWay);
    this.textsMax = Math.max(this.textsMax, claim.texts.length);
    try {
      return await super.check(claim);
    } finally {
      this.#underWay -= 1;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const KEY = newKey();
const CHOICES = Array.from({ length: 64 }, (_, index) => String(index + 1));
const AROUND = { before: "", after: "|https://a.b|info|ipfs://x|key" };
const AMPLE = { costMax: 1e6, lengthMax: 1e9 };

function bodyOf(key: KeyObject): string {
  return publicPem(key).replaceAll(/-----.*-----|\n/g, "");
}

/** Of a signature for a choice, none if that is not among them. */
function search(choice: string, digest = "sha256", choices = CHOICES): Search {
  const text = `${AROUND.before}${choice}${AROUND.after}`;
  const signature = sign(digest, Buffer.from(text), KEY).toString("base64");
  return { publicKey: bodyOf(KEY), signature, choices, ...AROUND };
}

const NOTHING = search("0");

test("a signature is found among the choices; the digest that the signer last used is tried for all of them first", async () => {
  let verifications = 0;
  await using pool = new WatchedPool(2, {
    onVerified: (count) => {
      verifications += count;
    },
  });
  const searches = new SignatureSearches(pool, AMPLE);
  for (const { choice, digest, verdict, count } of [
    { choice: "64", digest: "sha256", verdict: 63, count: 64 },
    { choice: "64", digest: "sha384", verdict: 63, count: 64 + 64 },
    { choice: "64", digest: "sha384", verdict: 63, count: 64 },
    { choice: "1", digest: "sha384", verdict: 0, count: 1 },
    { choice: "64", digest: "sha256", verdict: 63, count: 64 + 64 },
    { choice: "0", digest: "sha256", verdict: "misfits", count: 192 },
  ]) {
    verifications = 0;
    assert.equal(await searches.search("a", search(choice, digest)), verdict);
    assert.equal(verifications, count);
  }
  assert.equal(await searches.search("a", { ...NOTHING, signature: "?" }), "malformed");
  assert.equal(pool.textsMax, 8, "other signatures have their turn in between");
  assert.deepEqual([searches.count, searches.cost, searches.length], [0, 0, 0]);
});

for (const { threads, clients, together } of [
  { threads: 1, clients: 3, together: 1 },
  { threads: 2, clients: 3, together: 1 },
  { threads: 4, clients: 3, together: 2 },
  { threads: 8, clients: 1, together: 2 },
  { threads: 8, clients: 3, together: 4 },
]) {
  test(`${threads} threads, ${clients} clients with four searches each: ${together} at a time`, async () => {
    await using pool = new WatchedPool(threads);
    const searches = new SignatureSearches(pool, AMPLE);
    const some = { ...NOTHING, choices: CHOICES.slice(0, 16) };
    const all = Array.from({ length: 4 * clients }, (_, index) =>
      searches.search(String(index % clients), some),
    );
    assert.deepEqual(new Set(await Promise.all(all)), new Set(["misfits"]));
    assert.equal(pool.underWayMax, together);
  });
}

test("clients take turns: a client with one search does not wait for all of another's", async () => {
  await using pool = new WatchedPool(2);
  const searches = new SignatureSearches(pool, AMPLE);
  const done: string[] = [];
  const begin = async (client: string): Promise<void> => {
    await searches.search(client, { ...NOTHING, choices: CHOICES.slice(0, 8) });
    done.push(client);
  };
  const many = Array.from({ length: 20 }, () => begin("attacker"));
  await Promise.all([...many, begin("a"), begin("b"), begin("b")]);
  assert.deepEqual(done.slice(0, 7).toSorted(), [
    ...["a", "attacker", "attacker", "attacker", "attacker", "b", "b"],
  ]);
});

test("ordinary signatures do not wait for the end of a search", async () => {
  await using pool = new WatchedPool(1);
  const searches = new SignatureSearches(pool, AMPLE);
  const done: string[] = [];
  const searched = searches.search("a", NOTHING).then(() => done.push("search"));
  const { publicKey, signature } = search("1");
  const texts = [`1${AROUND.after}`];
  for (let count = 0; count < 5; count += 1) {
    assert.equal(await pool.check({ publicKey, signature, texts }), 0);
    done.push("check");
  }
  await searched;
  assert.deepEqual(done, ["check", "check", "check", "check", "check", "search"]);
});

for (const { what, limits } of [
  { what: "choices", limits: { costMax: 4 * 64, lengthMax: 1e9 } },
  { what: "bytes", limits: { costMax: 1e6, lengthMax: 4 * lengthOf(NOTHING) } },
]) {
  test(`searches beyond the maximum of waiting ${what} are refused; a client with fewer displaces the newest of the client with most`, async () => {
    await using pool = new WatchedPool(2);
    const searches = new SignatureSearches(pool, limits);
    const many = Array.from({ length: 10 }, () => searches.search("attacker", NOTHING));
    assert.ok(searches.count <= 4 && searches.length <= limits.lengthMax);
    const others = ["a", "b"].map((client) => searches.search(client, search("1")));
    assert.ok(searches.count <= 4 && searches.length <= limits.lengthMax);
    assert.deepEqual(await Promise.all(others), [0, 0]);
    const answers = await Promise.all(many);
    assert.deepEqual(answers.slice(0, 2), ["misfits", "misfits"]);
    assert.deepEqual(new Set(answers.slice(2)), new Set(["refused"]));
    assert.deepEqual([searches.count, searches.cost, searches.length], [0, 0, 0]);
  });
}

test("a client with the most searches is refused before its choices are found, one with fewer has room", async () => {
  await using pool = new WatchedPool(2);
  const searches = new SignatureSearches(pool, { costMax: 4 * 64, lengthMax: 1e9 });
  assert.equal(searches.isFullFor("attacker"), false);
  const many = Array.from({ length: 4 }, () => searches.search("attacker", NOTHING));
  assert.deepEqual(
    ["attacker", "a"].map((client) => searches.isFullFor(client)),
    [true, false],
  );
  searches.close();
  await Promise.all(many);
  assert.equal(searches.isFullFor("attacker"), false);
});

test("one search may always be made, whatever the limits", async () => {
  await using pool = new WatchedPool(1);
  const searches = new SignatureSearches(pool, { costMax: 0, lengthMax: 0 });
  assert.equal(await searches.search("a", search("3")), 2);
});

test("waiting searches are refused when searches are closed, and so are later ones", async () => {
  await using pool = new WatchedPool(2);
  const searches = new SignatureSearches(pool, AMPLE);
  const [first, ...others] = ["a", "b", "c", "c"].map((client) => searches.search(client, NOTHING));
  searches.close();
  assert.deepEqual(await Promise.all([...others, searches.search("a", NOTHING)]), [
    ...["refused", "refused", "refused", "refused"],
  ]);
  assert.equal(await first, "misfits");
  assert.equal(searches.count, 0);
});

test("a search whose thread fails rejects, and frees its place", async () => {
  await using pool = new WatchedPool(2);
  const searches = new SignatureSearches(pool, AMPLE);
  const broken = { ...NOTHING, signature: undefined as unknown as string };
  await assert.rejects(searches.search("a", broken), TypeError);
  assert.equal(searches.count, 0);
});
