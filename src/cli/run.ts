import { setTimeout as sleep } from "node:timers/promises";
import { VERSION } from "../version.js";
import { didYouMean, parseArguments, UsageError } from "./arguments.js";
import { type CommandInput, type ExitCode, exitCode, type Flags } from "./command.js";
import type { withKeylessProject } from "./keyless/keyless-project.js";
import { commands } from "./commands.js";
import { createOutput, type OutputOptions } from "./output.js";

/** The exit code for a bug in lettershop: `EX_SOFTWARE` in sysexits.h, which is not one of `exitCode`. */
const softwareError = 70;

export interface CommandRunOptions extends Pick<OutputOptions, "stdout" | "stderr"> {
  /** Aborted by the first Ctrl-C or by SIGTERM. */
  readonly signal: AbortSignal;
  /** Default: project code runs in another process. */
  readonly withKeylessProject?: typeof withKeylessProject;
  /** How commands that poll wait. Default: in real time. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

async function waitReal(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/**
 * Runs `templates` with these arguments in this process, with its environment variables and current folder.
 *
 * @returns The exit code. The promise never rejects.
 */
export async function run(
  argv: readonly string[],
  { signal, withKeylessProject: override, wait = waitReal, ...streams }: CommandRunOptions,
): Promise<number> {
  const [name, ...args] = argv;
  const output = createOutput({ json: args.includes("--json"), colour: colourWish(), ...streams });
  // The terminal prints `^C` on Ctrl-C: start a new line after it.
  const onAbort = (): void => output.note();
  signal.addEventListener("abort", onAbort);
  const inAnotherProcess: typeof withKeylessProject = async (flags, abort, use) =>
    (await import("./keyless/keyless-project.js")).withKeylessProject(flags, abort, use, output);
  try {
    return await runCommand(name, args, {
      output,
      signal,
      withKeylessProject: override ?? inAnotherProcess,
      wait: (milliseconds) => wait(milliseconds, signal),
    });
  } catch (error) {
    const { failureOf } = await import("./failure.js");
    const failure = failureOf(error);
    if (failure === undefined) {
      output.note(
        `Unexpected error (this is a bug in lettershop): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      return softwareError;
    }
    output.note(failure.message);
    if (failure.hint !== undefined) output.note(failure.hint);
    output.json({ error: { code: failure.code, message: failure.message, hint: failure.hint } });
    return signal.aborted ? exitCode.interrupted : failure.exit;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function runCommand(
  name: string | undefined,
  args: readonly string[],
  { output, ...input }: Pick<CommandInput<Flags>, "output" | "signal" | "withKeylessProject" | "wait">,
): Promise<ExitCode> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const [helpTopic, word] = name === "help" ? args : [];
    const topic = helpTopic === undefined ? undefined : await commands[helpTopic]?.load();
    const { commandHelp, generalHelp } = await import("./help.js");
    output.print(
      helpTopic === undefined || topic === undefined ? generalHelp() : commandHelp(helpTopic, topic.command, word),
    );
    return name === undefined ? exitCode.usage : exitCode.done;
  }
  if (name === "--version" || name === "-v") {
    output.print(VERSION);
    return exitCode.done;
  }
  const loaded = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
  if (loaded === undefined)
    throw new UsageError(
      name.startsWith("-") ? `The command must come before ${name}.` : `There is no command "${name}".`,
      { hint: didYouMean(name, Object.keys(commands), ": templates ") ?? "Run: templates --help" },
    );
  const { command } = loaded;
  const { names, flags } = parseArguments(name, command, args);
  if (flags["help"] === true) {
    output.print((await import("./help.js")).commandHelp(name, command, names[0]));
    return exitCode.done;
  }
  // The parser returns each flag with the type that the command's definition declares.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return command.run({ names, flags, output, ...input } as CommandInput<Flags>);
}

function colourWish(): boolean | undefined {
  if (process.env["NO_COLOR"] !== undefined && process.env["NO_COLOR"] !== "") return false;
  if (process.env["FORCE_COLOR"] !== undefined && process.env["FORCE_COLOR"] !== "0") return true;
  return undefined;
}
