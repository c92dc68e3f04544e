import { createInterface } from "node:readline/promises";
import type { Environment } from "../config/environment.js";
import { InterruptedError } from "./apart/errors.js";
import { UsageError } from "./arguments.js";
import { harmless } from "./harmless.js";

/** Where questions are asked: on standard error, as standard output holds the result. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export interface Asking {
  /** Aborted by Ctrl-C, which ends the question with an `InterruptedError`. */
  readonly signal: AbortSignal;
  /** Default: the process's standard input and standard error. */
  readonly terminal?: Terminal;
}

const processTerminal: Terminal = { input: process.stdin, output: process.stderr };

/** Whether there is somebody to ask. */
export function canAsk({ input, output }: Terminal = processTerminal): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/**
 * Makes sure that somebody wants to change an environment that says `confirm: true`: its name has to be typed.
 *
 * @example
 * if (!(await confirmEnvironment(environment, { yes: flags.yes, signal }))) return exitCode.interrupted;
 *
 * @returns False where another name was typed, or none.
 * @throws {UsageError} There is no terminal to ask on; names `--yes`.
 * @throws {InterruptedError} Ctrl-C.
 */
export async function confirmEnvironment(
  { name, confirm = false }: Pick<Environment, "name" | "confirm">,
  { yes, ...asking }: Asking & { readonly yes: boolean },
): Promise<boolean> {
  if (!confirm || yes) return true;
  const answer = await ask(`To change the environment ${name}, type its name: `, asking, {
    message: `Changing the environment "${name}" needs a confirmation, and there is no terminal to ask on.`,
    hint: "Add --yes to confirm.",
  });
  return answer === name;
}

/**
 * Asks a question that is answered with yes or no; anything but `y` and `yes` is a no.
 *
 * @example
 * const isWanted = await askYesNo("Delete 3 templates?", { flag: "--yes", signal });
 *
 * @param flag What says yes where there is no terminal.
 * @throws {UsageError} There is no terminal to ask on; names the flag.
 * @throws {InterruptedError} Ctrl-C.
 */
export async function askYesNo(
  question: string,
  { flag, ...asking }: Asking & { readonly flag: string },
): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `, asking, {
    message: `There is no terminal to ask on: ${question}`,
    hint: `Add ${flag} to answer yes.`,
  });
  return /^y(?:es)?$/i.test(answer);
}

async function ask(
  question: string,
  { signal, terminal = processTerminal }: Asking,
  refusal: { readonly message: string; readonly hint: string },
): Promise<string> {
  if (!canAsk(terminal)) throw new UsageError(refusal.message, { hint: refusal.hint });
  const { input, output } = terminal;
  const lines = createInterface({ input, output, terminal: true });
  try {
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    // In a terminal's raw mode Ctrl-C is a character, which readline hands on; the command hears of a signal.
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    const answer = await Promise.race([lines.question(harmless(question), { signal }).catch(() => ""), closed]);
    if (signal.aborted) throw new InterruptedError("Interrupted before anything was changed.");
    return answer.trim();
  } finally {
    lines.close();
  }
}
