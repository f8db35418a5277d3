import { type Command, EXIT } from "../command-line/command.ts";
import { commandsMeant } from "../command-line/commands-meant.ts";
import { WrongUse } from "../command-line/wrong-use.ts";

export const help: Command = {
  words: "help",
  about: "Explains a command, or lists the commands.",
  args: [
    { name: "command", about: "such as transfer or token", isOptional: true },
    { name: "word", about: "its second word, such as sell", isOptional: true },
  ],
  flags: [],
  async run(given, { output }) {
    const words = [given.get("command"), given.get("word")].filter((word) => word !== undefined);
    const { COMMANDS } = await import("./registry.ts");
    const { helpFor } = await import("../command-line/help-text.ts");
    const all = COMMANDS.flatMap((command) => [command.words, ...(command.otherWords ?? [])]);
    const groups = new Set(all.map((each) => each.split(" ")[0] as string));
    const asked = words.join(" ");
    if (asked !== "" && !all.includes(asked) && !groups.has(asked)) {
      throw new WrongUse(
        `there is no such command.${commandsMeant(words, COMMANDS, "moneta help ")} moneta help lists them`,
      );
    }
    output.print(helpFor(asked, COMMANDS, output));
    return EXIT.done;
  },
};
