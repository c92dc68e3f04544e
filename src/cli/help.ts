import { kebab } from "./arguments.js";
import { type Command, commonFlags, type Flags } from "./command.js";
import { commands } from "./commands.js";

export function generalHelp(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    "Transactional email templates as code.",
    "",
    "Usage: templates COMMAND [names…] [flags]",
    "",
    "Commands:",
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "Flags of every command:",
    ...flagLines(commonFlags),
    "",
    "To start, run: templates init",
    "For help on a command, run: templates COMMAND --help",
  ].join("\n");
}

/** @param word A subcommand: then the help is only about that. */
export function commandHelp(name: string, command: Command, word = ""): string {
  const { words = {}, flags } = command;
  const subcommand = Object.hasOwn(words, word) ? words[word] : undefined;
  const { operands, examples } = subcommand ?? command;
  const summary = subcommand?.summary ?? commands[name]?.summary;
  const accepted = subcommand
    ? Object.entries(subcommand.flags).map(([flag, text]) => [flag, { ...flags[flag], summary: text }])
    : [];
  const own = flagLines(subcommand ? Object.fromEntries(accepted) : flags);
  const usage = ["templates", name, ...(subcommand ? [word] : []), ...(operands === undefined ? [] : [operands])];
  return [
    `${summary}.`,
    "",
    `Usage: ${[...usage, ...(own.length > 0 ? ["[flags]"] : [])].join(" ")}`,
    ...(own.length > 0 ? ["", "Flags:", ...own] : []),
    "",
    "Flags of every command:",
    ...flagLines(commonFlags),
    "",
    examples.length > 1 ? "Examples:" : "Example:",
    ...examples.map((example) => `  ${example}`),
  ].join("\n");
}

function flagLines(flags: Flags): string[] {
  const rows = Object.entries(flags).map(([name, flag]) => ({
    left: `--${kebab(name)}${flag.value === undefined ? "" : ` ${flag.oneOf?.join("|") ?? flag.value}`}`,
    right: flag.many ? `${flag.summary} (may be repeated)` : flag.summary,
  }));
  const width = Math.min(34, Math.max(...rows.map(({ left }) => left.length)));
  return rows.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`);
}
