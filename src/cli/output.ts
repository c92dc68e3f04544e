import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { harmless } from "./harmless.js";

type Format = Parameters<typeof styleText>[0];

/**
 * The only place that writes to a terminal. Standard output holds the command's result, standard error its progress and
 * messages; under `--json`, standard output holds one document and nothing else. Whatever text a line contains, it cannot
 * act on the terminal or be taken for a command of a CI system.
 */
export interface Output {
  /** A line of the result. Not printed under `--json`. */
  print(text?: string): void;
  /** Text of the result exactly as it is, without a line end of ours, for a file or a program. Not printed under `--json`. */
  write(text: string): void;
  /** A line about what is going on. */
  note(text?: string): void;
  /** The result under `--json`, on one line where no person reads it; does nothing otherwise. */
  json(document: unknown): void;
  /**
   * What is going on, in a line that takes the place of the one before and goes with the next note; without a text it goes
   * at once. Nothing where standard error is no terminal.
   */
  progress(text?: string): void;
  /** Whether `progress` can be seen. */
  readonly isLive: boolean;
  /** How wide a line of the result may be; 100 where standard output is no terminal. */
  readonly columns: number;
  /** Colours for what is printed with this output; plain where standard output is not a terminal. */
  readonly style: (format: Format, text: string) => string;
  readonly isJson: boolean;
}

export interface OutputOptions {
  readonly json: boolean;
  /** From `NO_COLOR` and `FORCE_COLOR`; undefined lets the terminal decide. */
  readonly colour?: boolean;
  /** Default: the process's. */
  readonly stdout?: OutputStream;
  /** Default: the process's. */
  readonly stderr?: OutputStream;
}

/** A stream, which may be a terminal. */
export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Stands for the escape character of this process's own styles until a line is printed: escape characters that come with
 * a text are shown instead. A noncharacter, and random, so that no text can contain it.
 */
const styleMark = `\ufdd0${randomUUID()}`;

export function createOutput({
  json,
  colour,
  stdout = process.stdout,
  stderr = process.stderr,
}: OutputOptions): Output {
  const coloured = colour ?? stdout.isTTY === true;
  const isLive = stderr.isTTY === true;
  let live = "";
  const clear = (): void => {
    if (live !== "") stderr.write("\r\u001b[K");
    live = "";
  };
  const write = (text: string): void => {
    clear();
    stdout.write(text);
  };
  // A reader that has seen enough (`templates list | head`) closes the pipe; that is no failure of ours.
  for (const stream of [stdout, stderr]) stream.on("error", ignoreClosedPipe);
  return {
    isJson: json,
    isLive,
    get columns() {
      return (stdout.isTTY && stdout.columns) || 100;
    },
    print: (text = "") => void (json || write(`${shown(text)}\n`)),
    write: (text) => void (json || write(text)),
    note(text = "") {
      clear();
      stderr.write(`${shown(text)}\n`);
    },
    progress(text = "") {
      if (!isLive || text === live) return;
      clear();
      live = harmless(text).slice(0, (stderr.columns ?? 100) - 1);
      stderr.write(live);
    },
    json: (document) => void (json && write(`${JSON.stringify(document, null, stdout.isTTY ? 2 : 0)}\n`)),
    style: (format, text) => (coloured ? styled(format, text) : text),
  };
}

function shown(text: string): string {
  return harmless(text).replaceAll(styleMark, "\u001b");
}

function styled(format: Format, text: string): string {
  const [start = "", end = ""] = styleText(format, "\n", { validateStream: false })
    .replaceAll("\u001b", styleMark)
    .split("\n");
  return `${start}${harmless(text)}${end}`;
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
