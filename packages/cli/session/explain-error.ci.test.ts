import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer as createPages } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { type KeyHolder, TestNode } from "../../node/testing/test-node.ts";
import { EXIT } from "../command-line/command.ts";
import { CommandRuns, ENTRY } from "../testing/command-runs.ts";

let node: TestNode;
let proxy: ForwardingProxy;
let user: CommandRuns;
let alice: string;
let payee: KeyHolder;

before(async () => {
  node = await TestNode.start();
  proxy = await ForwardingProxy.to(node.url);
  user = new CommandRuns(proxy.url);
  await user.moneta("key", "new");
  alice = (await user.moneta("address", "new")).trim();
  payee = await node.holder();
});
after(async () => {
  user?.[Symbol.dispose]();
  await proxy?.[Symbol.asyncDispose]();
  await node?.[Symbol.asyncDispose]();
});
afterEach(() => {
  proxy.loses = () => false;
  proxy.answer = () => false;
});

test("a clock that differs from the ledger's is reported once", async () => {
  assert.equal((await user.run(["block"])).stderr, "");
  using _ = node.showTime();
  const { stderr } = await user.run(["balance", alice]);
  assert.match(stderr, /^The clock of this machine is \d+ minutes ahead of the ledger's.*$/m);
  assert.equal(stderr.match(/The clock of this machine/g)?.length, 1);
});

test("a refused payment shows what is missing in decimals, and the faucet", async () => {
  const printed = await user.refused(EXIT.refused, "transfer", payee.address, "1.5");
  assert.match(printed, /^moneta: The payer needs 1\.5 TST but can spend only 0 TST\. \(5001\)$/m);
  assert.match(printed, /^moneta balance .* moneta faucet/m);
  const units = await user.refused(1, "transfer", payee.address, "150000000", "--units");
  assert.match(units, /The payer needs 150000000 of token 0 but can spend only 0\. \(5001\)$/m);
});

test("who may do it is named where a token or a project belongs to another address", async () => {
  const other = ["--key", join(user.home, "other.pem")];
  await user.moneta("key", "new", ...other);
  const owner = (await user.moneta("address", "new", ...other)).trim();
  await user.moneta("token", "save", "OWN", "Own", "--supply", "9", ...other);
  const token = (await user.moneta("token", "create", ...other)).trim();
  const sell = ["token", "sell", token, "1", "1", ...other];
  const listing = (await user.moneta(...sell)).trim();
  for (const command of [
    ["token", "burn", token, "1"],
    ["token", "unsell", listing],
  ]) {
    const printed = await user.refused(EXIT.refused, ...command);
    assert.match(printed, new RegExp(`it was not issued to ${owner}, who acts here`));
    assert.match(printed, new RegExp(`\\(2020\\)\nOnly ${owner} may do this: --key FILE`));
    assert.doesNotMatch(printed, /Run the command again/);
  }
  const early = ["token", "auction", token, "1", "1", "--end", "2020-01-01T00:00:00Z"];
  assert.match(
    await user.refused(EXIT.refused, ...early, ...other),
    /--end is "20\d\d-\S+" but must be a time from 20\d\d-\S+ to 20\d\d-\S+, or 0/,
  );
});

test("an address, a token, a draft that does not exist: the message names the command that shows or makes one", async () => {
  const stranger = "MTBob0000000000000000000000000005f59bcba";
  const printed = await user.refused(EXIT.refused, "balance", stranger);
  assert.match(
    printed,
    /\(3090\)\nCheck the address, and the node that was asked \(http.*moneta address new/,
  );
  assert.match(
    await user.refused(EXIT.refused, "token", "show", "99"),
    /\(4001\)\nmoneta token list/,
  );
  const item = await user.refused(EXIT.refused, "item", "show", "MRC400_x_Sword");
  assert.match(
    item,
    /^moneta: ITEM "MRC400_x_Sword" is not the id of an item on this ledger\. \(6004\)/,
  );
  assert.match(await user.refused(EXIT.refused, "token", "create"), /\(6010\)\nmoneta token save/);
  assert.match(
    await user.refused(EXIT.refused, "transfer", payee.address, "1", "--token", "99"),
    /4001/,
  );
});

test("a transfer whose response is lost is retried, and done once", async () => {
  await user.moneta("faucet");
  let lost = 0;
  proxy.loses = ({ url }) => url === "/transfer" && lost++ === 0;
  await user.moneta("transfer", payee.address, "1");
  assert.equal(lost, 2);
  assert.deepEqual(await node.balances(payee), ["0: 100000000"]);
});

test("the creation of an address whose response is lost is retried, and done once", async () => {
  let lost = 0;
  proxy.loses = ({ url }) => url === "/address" && lost++ === 0;
  const created = (await user.moneta("address", "new")).trim();
  assert.equal(lost, 2);
  assert.equal(await user.moneta("address", "list"), `${alice}\n${created}\n`);
});

test("a write without an answer is reported as possibly executed, with exit code 3", async () => {
  proxy.loses = ({ url }) => url === "/faucet";
  const printed = await user.refused(EXIT.unanswered, "faucet", payee.address);
  assert.match(printed, /It may have been done anyway: check with moneta history/);
  assert.deepEqual(await node.balances(payee), ["0: 10100000000"]);
});

test("the command reports that it waits for a node, and on Ctrl-C that the write may have been done", async () => {
  proxy.answer = ({ url }) => url === "/transfer"; // never
  const paying = user.start(["transfer", payee.address, "1", "--from", alice]);
  let printed = "";
  for await (const chunk of paying.stderr ?? []) {
    printed += chunk;
    if (/^Waiting for a response from http.*Ctrl-C to give up\.$/m.test(printed)) {
      paying.kill("SIGINT");
    }
  }
  assert.match(printed, /^Given up\. It may have been done anyway: check with moneta history/m);
  if (paying.exitCode === null && paying.signalCode === null) {
    await once(paying, "exit");
  }
  assert.equal(paying.signalCode, "SIGINT");
});

test("without a faucet, the message says that production has none", async () => {
  await using production = await TestNode.startWithOperator("--deployment", "production");
  const { address } = await production.holder();
  const printed = await user.refused(EXIT.refused, "faucet", address, "--url", production.url);
  assert.match(printed, /\(9404\)\n.*production has no faucet/);
});

test("without an operator the hint is that rules cannot be announced", async () => {
  const printed = await user.refused(EXIT.refused, "rules", "announce", "9", "100000", "later");
  assert.match(printed, /\(9404\)\n.*its genesis file names no operator/);
});

test("something else than a node is recognised", async () => {
  proxy.answer = (_, response) => {
    response.writeHead(404, { "Content-Type": "text/html" }).end("<html>\u001b[31mno</html>");
    return true;
  };
  const printed = await user.refused(EXIT.unanswered, "height");
  assert.match(printed, /something else than a ledger/);
  assert.match(printed, /--url or MONETA_URL/);
  assert.ok(!printed.includes("\u001b"));
});

test("an answer that is no JSON is no crash", async () => {
  proxy.change = (path, body) => (path.startsWith("/balance") ? "{" : body);
  const { code, stderr } = await user.call(["balance", alice]);
  proxy.change = (_, body) => body;
  assert.equal(code, EXIT.unanswered, stderr);
});

test("with --json an error is one line of JSON on stderr, and nothing on stdout", async () => {
  const refused = await user.refused(EXIT.refused, "token", "show", "99", "--json");
  assert.deepEqual(JSON.parse(refused), {
    error: {
      message: 'TOKEN "99" is not the id of a token on this ledger. (4001)',
      hint: "moneta token list shows the tokens that there are.",
      exit_code: 1,
      code: "4001",
      status: 404,
      parameter: "token",
      detail: 'token "99" is not the id of a token on this ledger.',
    },
  });
  for (const args of [
    ["token", "shw", "--json"],
    ["--json", "transfer"],
    ["height", "--json", "--url", "x"],
  ]) {
    const { error } = JSON.parse(await user.refused(EXIT.misused, ...args)) as {
      error: { message: string; exit_code: number };
    };
    assert.equal(error.exit_code, 2);
    assert.ok(error.message.length > 0);
  }
  proxy.answer = (_, response) => {
    response.destroy();
    return true;
  };
  const unanswered = JSON.parse(await user.refused(EXIT.unanswered, "height", "--json")) as {
    error: { hint: string };
  };
  assert.match(unanswered.error.hint, /Nothing was written/);
});

const openssl = spawnSync("openssl", ["version"]).error === undefined;

test("a certificate that is not trusted: nothing was written, and the message says how to trust it", {
  skip: openssl ? false : "not on this machine: openssl",
}, async () => {
  const [cert, key] = [join(user.home, "cert.pem"), join(user.home, "tls-key.pem")];
  // biome-ignore format: an option and its value belong together
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
    "-nodes", "-keyout", key, "-out", cert, "-days", "1", "-subj", "/CN=localhost",
    "-addext", "subjectAltName=IP:127.0.0.1"], { stdio: "pipe" });
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, answer) =>
    answer.writeHead(404).end(),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const untrusted = await user.refused(EXIT.unanswered, "faucet", alice, "--url", url);
  assert.match(untrusted, /did not respond: self-signed certificate/);
  assert.match(
    untrusted,
    /^Nothing was written\. This machine does not trust .* NODE_EXTRA_CA_CERTS=FILE/m,
  );
  const trusted = await user.run(["info", "--url", url], {
    environment: { NODE_EXTRA_CA_CERTS: cert },
  });
  assert.match(trusted.stderr, /status 404 of something else than a ledger/);
  server.close();
});

test("https:// to a port that speaks http://: the message suggests the right URL", async () => {
  const url = node.url.replace("http:", "https:");
  const printed = await user.refused(EXIT.unanswered, "info", "--url", url);
  assert.match(printed, /^Nothing was written\. .*is it http:\/\/ instead of https:\/\/\?$/m);
});

test("an answer that cannot be written is reported in one line", {
  skip: existsSync("/dev/full") ? false : "not on this machine: /dev/full",
}, async () => {
  const line = `'${process.execPath}' '${ENTRY}' info > /dev/full`;
  const env = { ...process.env, ...user.environment };
  const { status, stderr } = await new Promise<{ status: number | null; stderr: string }>(
    (resolve) =>
      execFile("sh", ["-c", line], { env }, (error, _, printed) =>
        resolve({ status: Number(error?.code ?? 0), stderr: printed }),
      ),
  );
  assert.equal(status, EXIT.failed);
  assert.match(stderr, /^moneta: the output cannot be written: ENOSPC.*\n$/);
});

test("where a page for browsers answers, the message names what to leave out of the URL", async () => {
  const pages = createPages((request, response) => {
    // A node serves its explorer at any path below.
    response.writeHead(request.method === "GET" ? 200 : 405, {
      "Content-Type":
        request.method === "GET" ? "text/html; charset=utf-8" : "application/problem+json",
      "Ledger-Height": "7",
    });
    response.end(request.method === "GET" ? "<!doctype html>" : '{"code":"9405","status":405}');
  }).listen(0, "127.0.0.1");
  await once(pages, "listening");
  try {
    const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const batch = user.file("page.jsonl", "");
    for (const command of [
      ["height"],
      ["balance", alice],
      ["faucet", alice],
      ["transfer", payee.address, "1"],
      ["transfer", payee.address, "1", "--from", alice, "--units"],
      ["watch"],
      ["batch", batch],
    ]) {
      const printed = await user.refused(EXIT.unanswered, ...command, "--url", `${url}/explorer`);
      assert.match(printed, /http.*\/explorer is no node of a ledger: it returns a web page/);
      assert.match(printed, /^Nothing was written\. Leave out \/explorer at the end of the URL/m);
    }
    const other = await user.refused(EXIT.unanswered, "height", "--url", url);
    assert.match(other, /http.* is no node of a ledger.*\nNothing was written\. Does a/);
  } finally {
    pages.close();
  }
});
