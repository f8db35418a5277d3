import { NODE_COMMANDS } from "../commands/node.ts";
import type { Flag } from "./arguments.ts";
import { COMMON_FLAGS, type Command, commonFlagsOf } from "./command.ts";

export type Shell = "bash" | "zsh" | "fish";

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      return zsh(commands);
    case "fish":
      return fish(commands);
  }
}

interface Place {
  readonly words: string;
  readonly next: readonly string[];
  readonly command: Command | undefined;
}

function placesOf(commands: readonly Command[]): readonly Place[] {
  const all = commands.flatMap((command) =>
    [command.words, ...(command.otherWords ?? [])].map((words) => ({ words, command })),
  );
  const firsts = [...new Set(all.map(({ words }) => words.split(" ")[0] as string))];
  const place = (words: string): Place => ({
    words,
    next:
      words === "help"
        ? firsts
        : all.flatMap((each) =>
            each.words.startsWith(`${words} `) ? [each.words.slice(words.length + 1)] : [],
          ),
    command: all.find((each) => each.words === words)?.command,
  });
  return [
    { words: "", next: firsts, command: undefined },
    ...firsts.map(place),
    ...all.filter(({ words }) => words.includes(" ")).map(({ words }) => place(words)),
  ];
}

/** Words or choices that can follow, except flags. */
function wordsAt({ next, command }: Place): readonly string[] {
  return [...next, ...(command?.args[0]?.choices ?? [])];
}

function flagsAt({ command }: Place): readonly Flag[] {
  return command === undefined
    ? [...COMMON_FLAGS, { name: "version", about: "the version of this program" }]
    : isOfNode(command)
      ? []
      : [...command.flags, ...commonFlagsOf(command)];
}

function isOfNode(command: Command | undefined): boolean {
  return NODE_COMMANDS.some(({ words }) => words === command?.words);
}

function switches(commands: readonly Command[]): readonly string[] {
  const flags = [...COMMON_FLAGS, ...commands.flatMap((command) => command.flags)];
  const names = flags
    .filter(({ placeholder }) => placeholder === undefined)
    .map(({ name }) => `--${name}`);
  return [...new Set([...names, "--version"])];
}

function fileFlags(commands: readonly Command[]): readonly string[] {
  const flags = [...COMMON_FLAGS, ...commands.flatMap((command) => command.flags)];
  return [...new Set(flags.filter(({ takesFile }) => takesFile).map(({ name }) => `--${name}`))];
}

function choicesBehindFlags(
  places: readonly Place[],
): readonly (readonly [string, readonly string[]])[] {
  return places.flatMap((place) =>
    flagsAt(place).flatMap(({ name, choices }) =>
      choices === undefined ? [] : [[`${place.words} --${name}`, choices] as const],
    ),
  );
}

function bash(commands: readonly Command[]): string {
  const places = placesOf(commands);
  return `# Completion of moneta for bash. Put this into ~/.bashrc: source <(moneta completion bash)
_moneta() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words=() i place options files= IFS=$' \\t\\n'
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${switches(commands).join("|")}) ;;
      -*) if [[ \${COMP_WORDS[i+1]} == = ]]; then ((i += 2)); else ((i += 1)); fi ;;
      *) words+=("\${COMP_WORDS[i]}") ;;
    esac
  done
  place="\${words[*]:0:2}"
  case "$place" in
    ${quotedAlternatives(places.filter(({ words }) => words.includes(" ")).map(({ words }) => words))}) ;;
    *) place="\${words[0]}" ;;
  esac
  case "$place $prev" in
${choicesBehindFlags(places)
  .map(([flag, choices]) => `    "${flag}") options="${choices.join(" ")}" ;;`)
  .join("\n")}
    *)
      case "$prev" in
        ${fileFlags(commands).join("|")}) files=yes ;;
        ${switches(commands).join("|")}) options=- ;;
        -*) return ;;
        *) options=- ;;
      esac ;;
  esac
  if [[ $options == - ]]; then
    case "$place" in
${places
  .map((place) => {
    const flags = flagsAt(place).map(({ name }) => `--${name}`);
    const files = isOfNode(place.command) ? " files=yes" : "";
    return `      "${place.words}") options="${wordsAt(place).join(" ")}"; [[ $cur == -* ]] && options="${flags.join(" ")}";${files} ;;`;
  })
  .join("\n")}
      *) options= ;;
    esac
    if ((\${#words[@]} > 2)); then [[ $cur == -* ]] || options=; fi
  fi
  COMPREPLY=($(compgen -W "$options" -- "$cur"))
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}
complete -F _moneta moneta
`;
}

function quotedAlternatives(all: readonly string[]): string {
  return all.map((each) => `"${each}"`).join("|");
}

function zsh(commands: readonly Command[]): string {
  const places = placesOf(commands);
  return `#compdef moneta
# Completion of moneta for zsh. Put this into ~/.zshrc, behind compinit: source <(moneta completion zsh)
_moneta() {
  local cur="\${words[CURRENT]}" prev="\${words[CURRENT-1]}" place i
  local -a given options
  for ((i = 2; i < CURRENT; i++)); do
    case "\${words[i]}" in
      ${switches(commands).join("|")}) ;;
      -*=*) ;;
      -*) ((i += 1)) ;;
      *) given+=("\${words[i]}") ;;
    esac
  done
  place="\${(j: :)given[1,2]}"
  case "$place" in
    (${quotedAlternatives(places.filter(({ words }) => words.includes(" ")).map(({ words }) => words))}) ;;
    (*) place="\${given[1]}" ;;
  esac
  case "$place $prev" in
${choicesBehindFlags(places)
  .map(([flag, choices]) => `    ("${flag}") compadd -- ${choices.join(" ")}; return ;;`)
  .join("\n")}
  esac
  case "$prev" in
    (${fileFlags(commands).join("|")}) _files; return ;;
    (${switches(commands).join("|")}) ;;
    (-*) return ;;
  esac
  case "$place" in
${places
  .map((place) => {
    const words = wordsAt(place);
    const flags = flagsAt(place).map(({ name }) => `--${name}`);
    const other = isOfNode(place.command)
      ? "_files"
      : words.length > 0
        ? `compadd -- ${words.join(" ")}`
        : ":";
    return `    ("${place.words}") if [[ $cur == -* ]]; then ${flags.length > 0 ? `compadd -- ${flags.join(" ")}` : ":"}; else ${other}; fi ;;`;
  })
  .join("\n")}
  esac
}
if [[ "\${funcstack[1]}" == _moneta ]]; then _moneta "$@"; else compdef _moneta moneta; fi
`;
}

function fish(commands: readonly Command[]): string {
  const places = placesOf(commands);
  const lines = places.flatMap((place) => [
    ...wordsAt(place).map((word) => {
      const command = commands.find(({ words }) => words === `${place.words} ${word}`.trim());
      return `complete -c moneta -n '__moneta_at "${place.words}"' -a ${word}${aboutFlag(command?.about)}`;
    }),
    ...flagsAt(place).map(({ name, placeholder, choices, takesFile, about }) => {
      const value =
        placeholder === undefined
          ? ""
          : choices !== undefined
            ? ` -xa '${choices.join(" ")}'`
            : takesFile
              ? " -rF"
              : " -x";
      return `complete -c moneta -n '__moneta_in "${place.words}"' -l ${name}${value}${aboutFlag(about)}`;
    }),
    ...(isOfNode(place.command) ? [`complete -c moneta -n '__moneta_in "${place.words}"' -F`] : []),
  ]);
  return `# Completion of moneta for fish. moneta completion fish > ~/.config/fish/completions/moneta.fish
function __moneta_words
  set -l isValue 0
  for token in (commandline -opc)[2..-1]
    if test $isValue = 1
      set isValue 0
      continue
    end
    switch $token
      case ${switches(commands).join(" ")} '-*=*'
      case '-*'
        set isValue 1
      case '*'
        echo $token
    end
  end
end
function __moneta_at
  set -l words (__moneta_words)
  test "$words" = "$argv[1]"
end
function __moneta_in
  set -l words (__moneta_words)
  test "$words" = "$argv[1]"; or string match -q -- "$argv[1] *" "$words"; and test -n "$argv[1]"; or test "$words$argv[1]" = ""
end
complete -c moneta -f
${lines.join("\n")}
`;
}

function aboutFlag(about: string | undefined): string {
  if (about === undefined || about === "") {
    return "";
  }
  const [first = ""] = about.split(/(?<=[.;]) /);
  return ` -d '${first.replace(/[.;]$/, "").slice(0, 80).replaceAll(/['\\]/g, "\\$&")}'`;
}
