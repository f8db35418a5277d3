import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, type Amount, parseRate, type Rate } from "@moneta/protocol";
import { platformFee, platformOf } from "./platform.ts";

const commission = parseRate("2.5") as Rate;
const sent = { platform_name: "", platform_url: "", platform_commission: commission };

for (const { platform_address, payment, fee } of [
  { platform_address: "P" as Address, payment: 120n, fee: 3n },
  { platform_address: "P" as Address, payment: 150n, fee: 3n },
  { platform_address: "P" as Address, payment: 39n, fee: 0n },
  { platform_address: undefined, payment: 120n, fee: 0n },
]) {
  test(`market §1.4: ${platform_address ?? "no platform"} gets ${fee} of ${payment} at 2.5 %`, () =>
    assert.equal(platformFee(platformOf({ ...sent, platform_address }), payment as Amount), fee));
}

test("market §1.4: a platform without a commission gets nothing", () => {
  const none = { ...sent, platform_address: "P" as Address, platform_commission: 0n as Rate };
  assert.equal(platformFee(platformOf(none), (10n ** 40n) as Amount), 0n);
});
