const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Groups of 16 bits: the prefix of a household or a server. */
const IPV6_GROUPS = 4;

/** As in X-Forwarded-For of some proxies; each connection has another port. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[(.*)\])(?::\d+)?$/;

/** An IPv4 address, or the /64 prefix of an IPv6 address, which has one owner. */
export function clientOf(address: string): string {
  if (!address.includes(":")) {
    return address;
  }
  const [, withoutPort, inBrackets] = WITH_PORT.exec(address) ?? [];
  if (withoutPort !== undefined) {
    return withoutPort;
  }
  const ip = inBrackets ?? address;
  const [, ipv4] = MAPPED_IPV4.exec(ip) ?? [];
  if (ipv4 !== undefined) {
    return ipv4;
  }
  const [before = "", after] = ip.split("%", 1)[0]?.split("::") ?? [];
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const groups = [...head, ...(after === undefined ? [] : zeros), ...tail];
  const first = groups
    .slice(0, IPV6_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(":")}::/64`;
}
