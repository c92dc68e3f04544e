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
    "Start with: templates init",
    "More about one command: templates COMMAND --help",
  ].join("\n");
}

export function commandHelp(name: string, command: Command): string {
  const own = flagLines(command.flags);
  return [
    `${command.summary}.`,
    "",
    `Usage: templates ${name}${command.operands === undefined ? "" : ` ${command.operands}`}${own.length > 0 ? " [flags]" : ""}`,
    ...(own.length > 0 ? ["", "Flags:", ...own] : []),
    "",
    "Flags of every command:",
    ...flagLines(commonFlags),
    "",
    command.examples.length > 1 ? "Examples:" : "Example:",
    ...command.examples.map((example) => `  ${example}`),
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
