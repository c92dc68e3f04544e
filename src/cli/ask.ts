import { createInterface } from "node:readline/promises";
import type { Environment } from "../project/environment.js";
import { InterruptedError } from "./keyless/keyless-project.js";
import { UsageError } from "./arguments.js";
import { harmless } from "./output.js";

/** Where to ask questions: on standard error, because standard output is for the result. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export interface ServiceProbe {
  /** Aborted by Ctrl-C, which ends the question with an `InterruptedError`. */
  readonly signal: AbortSignal;
  /** Default: the process's standard input and standard error. */
  readonly terminal?: Terminal;
}

const processTerminal: Terminal = { input: process.stdin, output: process.stderr };

/** Whether there is a terminal to ask the user on. */
export function canAsk({ input, output }: Terminal = processTerminal): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/**
 * Asks the user to confirm a change to an environment with `confirm: true` by typing its name.
 *
 * @returns False if the user typed something else.
 * @throws {UsageError} There is no terminal to ask for confirmation. The hint names `--yes`.
 * @throws {InterruptedError} The user pressed Ctrl-C.
 */
export async function confirmEnvironment(
  { name, confirm = false }: Pick<Environment, "name" | "confirm">,
  { yes, ...asking }: ServiceProbe & { readonly yes: boolean },
): Promise<boolean> {
  if (!confirm || yes) return true;
  const answer = await ask(`To change the environment ${name}, type its name: `, asking, {
    message: `Changing the environment "${name}" must be confirmed, and there is no terminal to confirm it in.`,
    hint: "Add --yes to confirm.",
  });
  return answer === name;
}

/**
 * Asks a yes/no question. Any answer but `y` or `yes` means no.
 *
 * @param flag The flag that answers yes without a terminal.
 * @throws {UsageError} There is no terminal to ask for confirmation. The hint names the flag.
 * @throws {InterruptedError} The user pressed Ctrl-C.
 */
export async function askYesNo(
  question: string,
  { flag, ...asking }: ServiceProbe & { readonly flag: string },
): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `, asking, {
    message: `Can't ask for confirmation without a terminal: ${question}`,
    hint: `Add ${flag} to answer yes.`,
  });
  return /^y(?:es)?$/i.test(answer);
}

async function ask(
  question: string,
  { signal, terminal = processTerminal }: ServiceProbe,
  refusal: { readonly message: string; readonly hint: string },
): Promise<string> {
  if (!canAsk(terminal)) throw new UsageError(refusal.message, { hint: refusal.hint });
  const { input, output } = terminal;
  const lines = createInterface({ input, output, terminal: true });
  try {
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    // In raw mode, Ctrl-C is a character that readline reports as an event. Turn it into the signal that the command handles.
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    const answer = await Promise.race([lines.question(harmless(question), { signal }).catch(() => ""), closed]);
    if (signal.aborted) throw new InterruptedError("Interrupted before anything was changed.");
    return answer.trim();
  } finally {
    lines.close();
  }
}
