#!/usr/bin/env node
import { VERSION } from "../version.js";
import { nearest } from "../nearest.js";
import { parseArguments, UsageError } from "./arguments.js";
import { type CommandInput, type ExitCode, exitCode, type Flags } from "./command.js";
import { commands } from "./commands.js";
import { createOutput, type Output } from "./output.js";
import { tuneV8 } from "./tune-v8.js";

/** The exit code of a defect of ours: `EX_SOFTWARE` of sysexits.h, outside of the contract's codes. */
const defect = 70;

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  const output = createOutput({ json: args.includes("--json"), colour: colourWish() });
  const interruption = interruptible(output);
  try {
    return await runCommand(name, args, output, interruption.signal);
  } catch (error) {
    const { failureOf } = await import("./failure.js");
    const failure = failureOf(error);
    if (failure === undefined) {
      output.note(
        `Unexpected error, a defect of lettershop: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      return defect;
    }
    output.note(failure.message);
    if (failure.hint !== undefined) output.note(failure.hint);
    output.json({ error: { code: failure.code, message: failure.message, hint: failure.hint } });
    return interruption.signal.aborted ? exitCode.interrupted : failure.exit;
  } finally {
    interruption.stop();
  }
}

async function runCommand(
  name: string | undefined,
  args: readonly string[],
  output: Output,
  signal: AbortSignal,
): Promise<ExitCode> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const [wanted, word] = name === "help" ? args : [];
    const command = wanted === undefined ? undefined : await commands[wanted]?.load();
    const { commandHelp, generalHelp } = await import("./help.js");
    output.print(wanted === undefined || command === undefined ? generalHelp() : commandHelp(wanted, command, word));
    return name === undefined ? exitCode.usage : exitCode.done;
  }
  if (name === "--version" || name === "-v") {
    output.print(VERSION);
    return exitCode.done;
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
  if (command === undefined) {
    const near = nearest(name, Object.keys(commands));
    throw new UsageError(
      name.startsWith("-") ? `The command comes first, before ${name}.` : `There is no command "${name}".`,
      {
        hint: near === undefined ? "Run: templates --help" : `Did you mean: templates ${near}?`,
      },
    );
  }
  const { names, flags } = parseArguments(name, command, args);
  if (flags["help"] === true) {
    output.print((await import("./help.js")).commandHelp(name, command, names[0]));
    return exitCode.done;
  }
  // The parser gave each flag the form that its definition says; the command's type says the same to the compiler.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return command.run({ names, flags, output, signal } as CommandInput<Flags>);
}

/**
 * The first Ctrl-C, or a request to end, asks the command to stop in order; the second Ctrl-C ends the process at once. A
 * terminal's Ctrl-C and a request that a parent process passes on may come together: that is one wish.
 */
function interruptible(output: Output): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let presses = 0;
  const end = () => {
    if (controller.signal.aborted) return;
    output.note();
    controller.abort();
  };
  const press = () => {
    presses += 1;
    if (presses > 1) process.exit(exitCode.interrupted);
    end();
  };
  process.on("SIGINT", press);
  process.on("SIGTERM", end);
  return {
    signal: controller.signal,
    stop: () => {
      process.off("SIGINT", press);
      process.off("SIGTERM", end);
    },
  };
}

function colourWish(): boolean | undefined {
  if (process.env["NO_COLOR"] !== undefined && process.env["NO_COLOR"] !== "") return false;
  if (process.env["FORCE_COLOR"] !== undefined && process.env["FORCE_COLOR"] !== "0") return true;
  return undefined;
}

tuneV8();
process.exitCode = await main(process.argv.slice(2));
