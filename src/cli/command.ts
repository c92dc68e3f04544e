import type { withKeylessProject } from "./keyless/keyless-project.js";
import type { Output } from "./output.js";

/** A flag of a command. `value` is the placeholder for its value; a flag without one is a switch. */
export interface Flag {
  readonly summary: string;
  readonly value?: string;
  /** May be repeated; its values are collected. */
  readonly many?: boolean;
  readonly oneOf?: readonly string[];
}

export type Flags = Readonly<Record<string, Flag>>;

/** The parsed flags: a boolean for a switch, a string for a flag with a value, a list for one that may be repeated. */
export type FlagValues<Defined extends Flags> = {
  readonly [Name in keyof Defined]: Defined[Name] extends { many: true }
    ? readonly ValueOf<Defined[Name]>[]
    : Defined[Name] extends { value: string }
      ? ValueOf<Defined[Name]> | undefined
      : boolean;
};

type ValueOf<Defined extends Flag> = Defined extends { oneOf: readonly (infer Value)[] } ? Value : string;

/** Flags that every command accepts. */
export const commonFlags = {
  cwd: { summary: "Run in this folder instead of the current one", value: "DIR" },
  config: { summary: "Use this configuration file", value: "FILE" },
  env: { summary: "Use this environment", value: "NAME" },
  json: { summary: "Print the result as one JSON document" },
  help: { summary: "Show this help" },
} satisfies Flags;

export interface CommandInput<Defined extends Flags> {
  readonly names: readonly string[];
  readonly flags: FlagValues<Defined & typeof commonFlags>;
  readonly output: Output;
  /** Aborted by the first Ctrl-C or by SIGTERM; the command finishes its current step and stops. */
  readonly signal: AbortSignal;
  /** Opens the project for a command that holds a key, keeping the key out of reach of project code. */
  readonly withKeylessProject: typeof withKeylessProject;
  /** Waits for this many milliseconds; returns early, without an error, when the signal is aborted. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/**
 * A command: its operands and flags, its help, and what it does. Its one-line summary is in `commands`.
 *
 * @example
 * export const command = defineCommand({
 *   operands: "[names…]",
 *   flags: { out: { summary: "Write the files here", value: "DIR" } },
 *   examples: ["templates build --out dist/emails"],
 *   async run({ names, flags, output }) { …; return exitCode.done; },
 * });
 */
export interface Command<Defined extends Flags = Flags> {
  /** The operands in the usage line; absent if the command takes none. */
  readonly operands?: string;
  /** The minimum and maximum number of operands. Default: any number if there are `operands`, else none. */
  readonly count?: readonly [least: number, most: number];
  readonly flags: Defined;
  readonly examples: readonly string[];
  /** Subcommands, by the first operand. */
  readonly words?: Readonly<Record<string, CommandWord>>;
  run(input: CommandInput<Defined>): Promise<ExitCode>;
}

export interface CommandWord {
  readonly summary: string;
  readonly operands?: string;
  /** The command's flags that it accepts, with their summaries. */
  readonly flags: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
}

export function defineCommand<const Defined extends Flags>(command: Command<Defined>): Command<Defined> {
  return command;
}

/** Exit codes. Pipelines rely on them. */
export const exitCode = {
  done: 0,
  /** Check errors, a plan that cannot be applied, or templates held back. */
  findings: 1,
  /** The command line or the configuration is not valid. */
  usage: 2,
  /** The service refused or could not be reached, and nothing was applied. */
  refused: 3,
  /** Only some changes were applied. */
  partial: 4,
  /** Under `sync --check`: something would change or be held back. */
  changes: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
