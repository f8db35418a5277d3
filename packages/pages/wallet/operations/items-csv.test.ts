import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isSendable, itemdataOf, readItemsCsv } from "./items-csv.ts";

const decimals = (token: string): number | undefined => ({ "0": 8, "7": 2 })[token];
const read = (csv: string) => readItemsCsv(csv, { decimals, locale: "en" });

const faultsOf = (csv: string): string[] =>
  read(csv).lines.flatMap(({ line, faults }) =>
    Object.entries(faults).map(([column, { what }]) => `${line} ${column} ${what}`),
  );

describe("a table of items", () => {
  test("decimals behind a comma that is no delimiter are read, and those that make a cell of their own are not cut off", () => {
    assert.deepEqual(faultsOf("sell_price,sell_token\n1,5,7"), ["2 sell_token cells"]);
    assert.deepEqual(faultsOf("groupid,sell_price\nSwords,1,5"), ["2 sell_price cells"]);
    assert.deepEqual(faultsOf("groupid;sell_price\nSwords;1,5"), ["2 sell_price amount"]);
    const { lines } = readItemsCsv("groupid;sell_price\nSwords;1,5", {
      decimals,
      locale: "de",
    });
    assert.equal(lines[0]?.values?.["sell_price"], 150_000_000n);
  });

  test("columns come in any order, cells may be quoted, amounts are in decimals", () => {
    const csv = read(
      '\ufeffgroupid,sell_price,sell_token,initial_reserve\r\n"Swords, old",1.25,7,\r\n\r\nShips,,,0.5\r\n',
    );
    assert.ok(isSendable(csv));
    const plain = { transferable: "Permanent" };
    const given = itemdataOf(csv).map((one) =>
      Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)),
    );
    assert.deepEqual(given, [
      { ...plain, groupid: "Swords, old", sell_price: 125n, sell_token: "7" },
      { ...plain, groupid: "Ships", initial_reserve: 50_000_000n, initial_token: "0" },
    ]);
  });

  test("semicolons and tabs separate as well", () => {
    for (const separator of [";", "\t"]) {
      const csv = read(["groupid,sell_fee", "A,2.5"].join("\n").replaceAll(",", separator));
      assert.equal(itemdataOf(csv)[0]?.["sell_fee"], "2.5");
    }
  });

  test("an auction has its own columns", () => {
    const csv = read(
      "auction_start_price,auction_buynow_price,auction_end\n10,12,2026-12-01T00:00:00Z",
    );
    assert.ok(isSendable(csv));
    const [item] = itemdataOf(csv);
    assert.deepEqual(
      [item?.["auction_start_price"], item?.["auction_buynow_price"], item?.["auction_end"]],
      [1_000_000_000n, 1_200_000_000n, 1_796_083_200],
    );
  });

  test("items have holders from the beginning, and attributes by columns and in one cell", () => {
    const to = "MTBob0000000000000000000000000005f59bcba";
    const csv = read(
      `name,attribute:level,attribute:fire power,attributes,to\nDawn,7,,"rare: true\nmaker: ""9""",\nDusk,,high,,${to}`,
    );
    assert.deepEqual(
      itemdataOf(csv).map(({ attributes, to: holder }) => [attributes, holder]),
      [
        [{ rare: true, maker: "9", name: "Dawn", level: 7 }, undefined],
        [{ name: "Dusk", "fire power": "high" }, to],
      ],
    );
    assert.deepEqual(faultsOf(`to,name\nMTx,Dawn\n,${"n".repeat(257)}`), [
      "2 to address",
      "3 name long",
    ]);
    assert.deepEqual(faultsOf("attributes\nlevel 7"), ["2 attributes named"]);
    assert.deepEqual(read("attribute:a:b\n1").fault, { what: "column", text: "attribute:a:b" });
  });

  test("a fault is located by line and column, as an editor counts them", () => {
    assert.deepEqual(
      faultsOf(
        [
          "item_image_url,sell_price,sell_fee,transferable,sell_token",
          "https://a.example/1.png,1,2.5,Permanent,0",
          "nonsense,1e3,100,Fixed,9",
          "https://a.example/2.png,0.123456789,1.23456,Bound,7",
        ].join("\n"),
      ),
      [
        "3 item_image_url picture",
        "3 sell_price noToken",
        "3 sell_token noToken",
        "3 sell_fee rate",
        "3 transferable choice",
        "4 sell_price decimals",
        "4 sell_fee rate",
      ],
    );
  });

  test("empty lines count as lines", () => {
    assert.deepEqual(faultsOf("\nsell_price,sell_token\n\n1,0\n,\n1e3,0\n"), [
      "6 sell_price amount",
    ]);
  });

  test("an unknown column, no line and a line too many are refused as a whole", () => {
    assert.deepEqual(read("groupid,price\na,1").fault, { what: "column", text: "price" });
    assert.deepEqual(read("groupid").fault, { what: "missing" });
    const many = ["groupid", ...Array.from({ length: 1000 }, () => "a")].join("\n");
    const { lines, fault } = read(many);
    assert.deepEqual([lines.length, fault], [101, { what: "lines", max: 100 }]);
  });
});
