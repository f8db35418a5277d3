import { SigningKey, signTogether } from "@moneta/sdk";
import type { Town } from "./town.ts";

const WEEK_SECONDS = 604_800;

/**
 * The hall's treasury, for which two of three directors sign. One of them loses a key, and finds it
 * again before the recovery ends. Returns its address.
 */
export async function openTreasury({ moneta, cast, coins, tell }: Town): Promise<string> {
  const { hall, artist } = cast;
  const made = Array.from({ length: 5 }, () => SigningKey.generate());
  const [first, ...directors] = (await Promise.all(made)) as [SigningKey, ...SigningKey[]];
  const [one, two, three, friend] = directors as [SigningKey, SigningKey, SigningKey, SigningKey];
  const founded = await moneta.createAddress(first, { addinfo: "Treasury of Lantern Hall" });
  const { address } = founded;
  await hall.transfer({ to: address, token: 0, amount: coins("120"), memo: "for the treasury" });
  const key = ({ publicKeyPem: publickey }: SigningKey): { readonly publickey: string } => ({
    publickey,
  });
  await founded.addresskeys({
    ...{ keys: [one, two, three].map(key), threshold: 2, version: 1 },
    ...{ recoverykeys: [key(friend)], recoverythreshold: 1, recoverydelay: WEEK_SECONDS },
    proof: signTogether([one, two, three].map((signer, place) => [place, signer])),
  });
  const treasury = moneta.actor(
    address,
    signTogether([
      [0, one],
      [2, three],
    ]),
  );
  await treasury.transfer({ to: artist.address, token: 0, amount: coins("15"), memo: "posters" });
  await moneta
    .actor(address, friend)
    .addressrecover({ address, keys: [key(two)], threshold: 1, version: 2, proof: two });
  await treasury.addressrecovercancel();
  const agent = await SigningKey.generate();
  const { grantid } = await artist.grant({
    ...{ agent: agent.publicKeyPem, operations: ["transfer"], note: "the poster printer" },
    limits: [{ token: 0, amount: coins("5"), period: WEEK_SECONDS }],
    ...{ payees: [hall.address], until: Math.floor(moneta.clock.now()) + 4 * WEEK_SECONDS },
  });
  await moneta
    .actor(artist.address, agent, { grant: grantid })
    .transfer({ to: hall.address, token: 0, amount: coins("2"), memo: "paper" });
  const other = await artist.grant({
    ...{ agent: agent.publicKeyPem, operations: ["transfer"], note: "a trial" },
    until: Math.floor(moneta.clock.now()) + WEEK_SECONDS,
  });
  await artist.grantend({ grantid: other.grantid });
  tell("a treasury: two of three keys sign; a program pays for the artist within its grant");
  return address;
}
