const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** A household or a server is usually given that much of an IPv6 address. */
const IPV6_GROUPS = 4;

/** What limits count as one client: an IPv4 address, or the first 64 bits of an IPv6 address, as whoever has one has all that begin like it. */
export function clientOf(ip: string): string {
  if (!ip.includes(":")) {
    return ip;
  }
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
