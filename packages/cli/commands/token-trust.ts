import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { trustedTokens, trustTokens } from "../session/trusted-tokens.ts";

/** Source: explorer §3. */
export const tokenTrust: Command = {
  words: "token trust",
  about:
    "Marks a token as trusted, so that commands warn of others that look like it; without TOKEN prints the ids of those that are marked.",
  args: [{ name: "token", about: "id of the token", isOptional: true }],
  flags: [{ name: "remove", about: "take the mark back" }],
  details:
    "A command that names a token warns where its symbol or name looks like those of the native coin, of a token that the acting address has, or of a trusted one. It does not warn of a trusted token itself. The marks are kept in ~/.config/moneta/trusted/, a file for each ledger.",
  async run(given, session) {
    const { output, environment } = session;
    const { ledger_id: ledgerId } = await session.service();
    const before = trustedTokens(ledgerId, environment);
    const token = given.get("token");
    if (token === undefined) {
      output.result({ tokens: before }, before.join("\n"));
      return EXIT.done;
    }
    const isRemoved = given.has("remove");
    if (!isRemoved) {
      await session.units(token); // refuses a token that does not exist
    }
    const others = before.filter((id) => id !== token);
    try {
      trustTokens(isRemoved ? others : [...others, token], ledgerId, environment);
    } catch (thrown) {
      throw new WrongUse(`the mark cannot be stored: ${(thrown as Error).message}`);
    }
    output.result({ token, is_trusted: !isRemoved }, token);
    return EXIT.done;
  },
};
