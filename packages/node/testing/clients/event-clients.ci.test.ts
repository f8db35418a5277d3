// Clients of other languages receive each event of GET /events before the next one happens. Before
// the last lane: those of curl and one of Python.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { longTest, someCases } from "../../../ledger/testing/lane.ts";
import { launchChromium, withoutChromium } from "../chromium.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { TestNode, transactionIdOf } from "../test-node.ts";
import { until } from "../until.ts";

const PYTHON = fileURLToPath(
  new URL("../../../../node_modules/.cache/python/bin/python3", import.meta.url),
);

const python = (file: string): string[] => [PYTHON, "-u", file];

/** Programs that print events from the URL in their last argument, as they arrive. */
const PROGRAMS: readonly {
  readonly client: string;
  readonly command: (file: string) => readonly string[];
  readonly file?: string;
  readonly source?: string;
  /** A command that fails if the client is not installed. */
  readonly check: readonly string[];
}[] = [
  {
    client: "curl",
    command: () => ["curl", "-sN"],
    check: ["curl", "--version"],
  },
  {
    client: "curl with HTTP/1.0",
    command: () => ["curl", "-sN", "--http1.0"],
    check: ["curl", "--version"],
  },
  {
    client: "requests with sseclient-py",
    command: python,
    file: "sse.py",
    source: `import requests, sseclient, sys
for event in sseclient.SSEClient(requests.get(sys.argv[1], stream=True)).events():
    print(event.event, event.data)
`,
    check: [PYTHON, "-c", "import requests, sseclient"],
  },
  {
    client: "requests by lines",
    command: python,
    file: "lines.py",
    source: `import requests, sys
for line in requests.get(sys.argv[1], stream=True).iter_lines():
    print(line.decode())
`,
    check: [PYTHON, "-c", "import requests"],
  },
  {
    client: "urllib",
    command: python,
    file: "with_urllib.py",
    source: `import sys, urllib.request
for line in urllib.request.urlopen(sys.argv[1]):
    print(line.decode(), end="")
`,
    check: [PYTHON, "--version"],
  },
  {
    client: "httpx",
    command: python,
    file: "with_httpx.py",
    source: `import httpx, sys
with httpx.stream("GET", sys.argv[1], timeout=None) as response:
    for line in response.iter_lines():
        print(line)
`,
    check: [PYTHON, "-c", "import httpx"],
  },
  {
    client: "aiohttp",
    command: python,
    file: "with_aiohttp.py",
    source: `import aiohttp, asyncio, sys
async def main():
    async with aiohttp.ClientSession() as session, session.get(sys.argv[1]) as response:
        async for line in response.content:
            print(line.decode(), end="")
asyncio.run(main())
`,
    check: [PYTHON, "-c", "import aiohttp"],
  },
  {
    client: "PHP with curl",
    command: (file) => ["php", file],
    file: "curl.php",
    source: `<?php
$request = curl_init($argv[1]);
curl_setopt($request, CURLOPT_WRITEFUNCTION, function ($request, $part) { echo $part; return strlen($part); });
curl_exec($request);
`,
    check: ["php", "-r", "curl_init();"],
  },
  {
    client: "PHP's own streams",
    command: (file) => ["php", file],
    file: "lines.php",
    source: `<?php
$stream = fopen($argv[1], "r");
while (($line = fgets($stream)) !== false) { echo $line; }
`,
    check: ["php", "--version"],
  },
  {
    client: "Java's HttpClient",
    command: (file) => ["java", file],
    file: "Lines.java",
    source: `import java.net.URI;
import java.net.http.*;
public class Lines {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(args[0])).build();
    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofLines()).body().forEach(System.out::println);
  }
}
`,
    check: ["java", "--version"],
  },
];

/** Sends no height by itself, which would push a late event out of a client's buffer. */
const SILENT = { heightAfterMs: 24 * 3600 * 1000 };

/** Pays twice; the second time once `received` has the transaction of the first. */
async function payTwice(node: TestNode, received: () => string): Promise<void> {
  const shown = async (text: string): Promise<void> => {
    await until(
      () => received().includes(text),
      () => `${text} is missing in ${received()}`,
    );
  };
  await shown('"sn"');
  const { address: to } = await node.holder();
  for (let count = 0; count < 2; count += 1) {
    const transfer = await node.fullTransfer(node.treasury, { to, amount: "1" });
    await shown(transactionIdOf(await node.post("/transfer", transfer)));
  }
}

let node: TestNode;
before(async () => {
  node = await TestNode.with(SILENT);
});
after(() => node[Symbol.asyncDispose]());

for (const { client, command, file = "", source, check } of someCases(PROGRAMS, 3)) {
  const [program = "", ...args] = check;
  const skip =
    spawnSync(program, args, { stdio: "ignore" }).status === 0
      ? false
      : `not on this machine: ${client}`;
  test(`an event reaches ${client} before the next one happens`, { skip }, async () => {
    using directory = new TemporaryDirectory("event-client");
    const path = join(directory.path, file);
    if (source !== undefined) {
      writeFileSync(path, source);
    }
    const [executable = "", ...rest] = command(path);
    const child: ChildProcess = spawn(executable, [...rest, `${node.url}/events?type=transfer`], {
      env: { ...process.env, no_proxy: "127.0.0.1", NO_PROXY: "127.0.0.1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    try {
      await payTwice(node, () => output);
    } finally {
      child.kill("SIGKILL");
    }
  });
}

longTest(
  "an event reaches a browser's EventSource before the next one happens",
  {
    skip: withoutChromium(),
  },
  async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      let output = "";
      await page.exposeFunction("received", (text: string) => {
        output += text;
      });
      await page.evaluate(`{
      const source = new EventSource("${node.url}/events?type=transfer");
      for (const type of ["height", "transaction"]) {
        source.addEventListener(type, ({ data }) => received(data));
      }
    }`);
      await payTwice(node, () => output);
    } finally {
      await browser.close();
    }
  },
);
