import { parseArgs } from "node:util";
import { LettershopError } from "../errors.js";
import { nearest } from "../text/nearest.js";
import { type Command, commonFlags, type Flag, type Flags } from "./command.js";

/** The command line is not valid. The command ends with exit code 2. */
export class UsageError extends LettershopError {
  override readonly name = "UsageError";
  readonly code = "usage";
}

export interface ParsedArguments {
  readonly names: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** Parses the arguments after a command's name. Unknown flags are refused with a suggestion. */
export function parseArguments(commandName: string, command: Command, args: readonly string[]): ParsedArguments {
  const defined: Flags = { ...command.flags, ...commonFlags };
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(defined).map(([name, flag]) => [
        kebab(name),
        { type: flag.value === undefined ? "boolean" : "string" },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const byFlagName = new Map(Object.entries(defined).map(([name, flag]) => [kebab(name), { name, flag }]));
  const names: string[] = [];
  const flags: Record<string, string | boolean | string[] | undefined> = {};
  for (const [name, flag] of Object.entries(defined))
    flags[name] = flag.many ? [] : flag.value === undefined ? false : undefined;

  for (const token of tokens) {
    if (token.kind === "positional") names.push(token.value);
    if (token.kind !== "option") continue;
    if (token.name === "h" && token.rawName === "-h") {
      flags["help"] = true;
      continue;
    }
    const definition = byFlagName.get(token.name);
    if (definition === undefined)
      throw new UsageError(`Unknown flag ${token.rawName} for "templates ${commandName}".`, {
        hint: didYouMean(token.name, byFlagName.keys(), " --") ?? `Run: templates ${commandName} --help`,
      });
    // In `--out --dry-run`, the value of --out was forgotten: `--dry-run` is a flag, not the name of a folder.
    const isNextFlag = token.inlineValue === false && token.value?.startsWith("-");
    const value = readValue(token.rawName, definition.flag, isNextFlag ? undefined : token.value);
    const previous = flags[definition.name];
    if (Array.isArray(previous) && typeof value === "string") previous.push(value);
    else flags[definition.name] = value;
  }
  if (flags["help"] !== true) checkOperands(commandName, command, names);
  return { names, flags };
}

function readValue(rawName: string, flag: Flag, value: string | undefined): string | true {
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return true;
  }
  if (value === undefined || value === "") throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value}.`);
  if (flag.oneOf !== undefined && !flag.oneOf.includes(value))
    throw new UsageError(`${rawName} must be one of ${flag.oneOf.join(", ")}, not "${value}".`, {
      hint: didYouMean(value, flag.oneOf),
    });
  return value;
}

function checkOperands(commandName: string, command: Command, names: readonly string[]): void {
  const [least, most] = command.count ?? (command.operands === undefined ? [0, 0] : [0, Number.POSITIVE_INFINITY]);
  if (names.length >= least && names.length <= most) return;
  const usage = `templates ${commandName}${command.operands === undefined ? "" : ` ${command.operands}`}`;
  throw new UsageError(
    names.length < least
      ? `"templates ${commandName}" needs ${command.operands}.`
      : `"templates ${commandName}" does not take "${names[most]}".`,
    { hint: `Usage: ${usage}` },
  );
}

/** The hint for a name that doesn't exist: the one that was most likely meant; undefined if none is similar. */
export function didYouMean(name: string, known: Iterable<string>, before = " "): string | undefined {
  const near = nearest(name, known);
  return near === undefined ? undefined : `Did you mean${before}${near}?`;
}

/** A flag's name on the command line: `dryRun` becomes `dry-run`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Whether a flag was used. */
export function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/**
 * Refuses flags that a subcommand would ignore.
 *
 * @param usage The command line without flags: `templates outbox list`.
 * @param accepted The flags that each subcommand accepts; flags that are in none of the lists are accepted by all.
 */
export function refuseOtherFlags<Word extends string>(
  usage: string,
  word: Word,
  accepted: Readonly<Record<Word, readonly string[]>>,
  flags: Readonly<Record<string, unknown>>,
): void {
  const all = new Set(Object.values<readonly string[]>(accepted).flat());
  const wrong = [...all].find((name) => !accepted[word].includes(name) && isGiven(flags[name]));
  if (wrong !== undefined) throw new UsageError(`"${usage}" does not accept --${kebab(wrong)}.`);
}

/** Parses the value of a flag that takes a whole number. */
export function wholeNumber(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
  return value;
}

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/**
 * Parses `--since`: a time or an age.
 *
 * @throws {UsageError} The value is neither.
 */
export function readSince(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (unit === "s" || unit === "m" || unit === "h" || unit === "d")
    return new Date(now.getTime() - Number(count) * units[unit] * 1000);
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`--since must be a time such as 2026-11-20T10:00:00Z or an age such as 30m, not "${text}".`);
  return time;
}

/** Formats a duration: `2 d 3 h`. */
export function ageInWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = (Object.entries(units) as [string, number][])
    .toReversed()
    .map(([unit, length], index, all) => {
      const before = all[index - 1]?.[1] ?? Number.POSITIVE_INFINITY;
      return [Math.floor((seconds % before) / length), unit] as const;
    })
    .filter(([count]) => count > 0)
    .slice(0, 2);
  return parts.length === 0 ? "0 s" : parts.map(([count, unit]) => `${count} ${unit === "m" ? "min" : unit}`).join(" ");
}
