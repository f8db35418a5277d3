import assert from "node:assert/strict";
import { test } from "node:test";
import { clientOf } from "./client-name.ts";

for (const { ip, client } of [
  { ip: "192.0.2.1", client: "192.0.2.1" },
  { ip: "::ffff:192.0.2.1", client: "192.0.2.1" },
  { ip: "2001:db8:1:2:3:4:5:6", client: "2001:db8:1:2::/64" },
  { ip: "2001:db8:1:2::", client: "2001:db8:1:2::/64" },
  { ip: "2001:0db8:0001:0002:ffff::1", client: "2001:db8:1:2::/64" },
  { ip: "2001:db8::5", client: "2001:db8:0:0::/64" },
  { ip: "fe80::1%eth0", client: "fe80:0:0:0::/64" },
  { ip: "192.0.2.1:50123", client: "192.0.2.1" },
  { ip: "[2001:db8:1:2::7]:50123", client: "2001:db8:1:2::/64" },
  { ip: "[2001:db8:1:2::7]", client: "2001:db8:1:2::/64" },
  { ip: "[::ffff:192.0.2.1]:50123", client: "192.0.2.1" },
  { ip: "::1", client: "0:0:0:0::/64" },
]) {
  test(`${ip} is the client ${client}`, () => assert.equal(clientOf(ip), client));
}
