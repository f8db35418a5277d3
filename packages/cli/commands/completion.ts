import { type Command, EXIT } from "../command-line/command.ts";
import type { Shell } from "../command-line/completion-script.ts";

export const completion: Command = {
  words: "completion",
  about: "Prints the script that completes commands and flags in a shell.",
  args: [{ name: "shell", about: "the shell", choices: ["bash", "zsh", "fish"] }],
  flags: [],
  details:
    "bash: put source <(moneta completion bash) into ~/.bashrc. zsh: put source <(moneta completion zsh) into ~/.zshrc, behind compinit. fish: moneta completion fish > ~/.config/fish/completions/moneta.fish",
  async run(given, { output }) {
    const { COMMANDS } = await import("./registry.ts");
    const { completionScript } = await import("../command-line/completion-script.ts");
    output.print(completionScript(given.get("shell") as Shell, COMMANDS));
    return EXIT.done;
  },
};
