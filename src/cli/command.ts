import type { withProjectApart } from "./apart/project-apart.js";
import type { Output } from "./output.js";

/** A flag of a command. `value` names what follows it; a flag without one is a switch. */
export interface Flag {
  readonly summary: string;
  readonly value?: string;
  /** May be given several times; its values are collected. */
  readonly many?: boolean;
  /** The only values that are taken. */
  readonly oneOf?: readonly string[];
}

export type Flags = Readonly<Record<string, Flag>>;

/** What the arguments said: a switch is true, a flag with a value its text, one that may repeat a list. */
export type FlagValues<Defined extends Flags> = {
  readonly [Name in keyof Defined]: Defined[Name] extends { many: true }
    ? readonly string[]
    : Defined[Name] extends { value: string }
      ? string | undefined
      : boolean;
};

/** Flags that every command takes. */
export const commonFlags = {
  cwd: { summary: "Work in this folder instead of the current one", value: "DIR" },
  config: { summary: "The configuration file to use", value: "FILE" },
  env: { summary: "The environment to talk to", value: "NAME" },
  json: { summary: "Print one JSON document on standard output" },
  help: { summary: "Show this help" },
} satisfies Flags;

export interface CommandInput<Defined extends Flags> {
  readonly names: readonly string[];
  readonly flags: FlagValues<Defined & typeof commonFlags>;
  readonly output: Output;
  /** Aborted by the first Ctrl-C or a request to end; the command finishes what is under way and stops. */
  readonly signal: AbortSignal;
  /** Lends the project to a command that holds a key, whose reach the project's own code must stay out of. */
  readonly withProjectApart: typeof withProjectApart;
  /** Lets milliseconds pass; ends sooner, without an error, when the signal aborts. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/**
 * A command as a value: what it takes, what it says of itself, what it does.
 *
 * @example
 * export const build = defineCommand({
 *   summary: "Compile all templates",
 *   operands: "[names…]",
 *   flags: { out: { summary: "Write the files here", value: "DIR" } },
 *   examples: ["templates build --out dist/emails"],
 *   async run({ names, flags, output }) { …; return exitCode.done; },
 * });
 */
export interface Command<Defined extends Flags = Flags> {
  readonly summary: string;
  /** The operands as the usage line shows them; absent where the command takes none. */
  readonly operands?: string;
  /** The least and the most operands; any number where absent and `operands` is given. */
  readonly count?: readonly [least: number, most: number];
  readonly flags: Defined;
  readonly examples: readonly string[];
  /** Where the first operand says what to do: what is said of each of these. */
  readonly words?: Readonly<Record<string, CommandWord>>;
  run(input: CommandInput<Defined>): Promise<ExitCode>;
}

export interface CommandWord {
  readonly summary: string;
  readonly operands?: string;
  /** Summaries of those of the command's flags that it takes. */
  readonly flags: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
}

export function defineCommand<const Defined extends Flags>(command: Command<Defined>): Command<Defined> {
  return command;
}

/** How a command ends; the contract that pipelines rely on. */
export const exitCode = {
  done: 0,
  /** Check errors, a plan that cannot be applied, drift left alone. */
  findings: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** The service refused or could not be reached, and nothing was applied. */
  refused: 3,
  /** Partly applied. */
  partial: 4,
  /** Under `sync --check`: something would change or be held back. */
  changes: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
