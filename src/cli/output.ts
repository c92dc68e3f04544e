import { randomUUID } from "node:crypto";
import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/**
 * The only module that writes to the terminal. The command's result goes to standard output, progress and messages to standard
 * error; with `--json`, standard output gets exactly one document. Printed text is escaped, so that it can't control the
 * terminal or act as a CI command.
 */
export interface Output {
  /** Prints a line of the result. Does nothing with `--json`. */
  print(text?: string): void;
  /** Writes part of the result unchanged and without a line break, for a file or a program. Does nothing with `--json`. */
  write(text: string): void;
  /** Prints a message. */
  note(text?: string): void;
  /** Prints the result with `--json`, on one line unless on a terminal. Does nothing without `--json`. */
  json(document: unknown): void;
  /**
   * Shows progress in a line that replaces the previous one and is cleared by the next note; without an argument, clears it now.
   * Does nothing if standard error is not a terminal.
   */
  progress(text?: string): void;
  /** Whether `progress` is visible. */
  readonly isLive: boolean;
  /** The width of standard output in characters; 100 if it is not a terminal. */
  readonly columns: number;
  /** Styles text for this output; returns it unchanged if standard output is not a terminal. */
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
 * Placeholder for the escape character of our own styles until a line is printed, because escape characters in printed text are
 * escaped. A random noncharacter sequence, so that no text can contain it.
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
  // A program that has read enough closes the pipe (`templates logs | head`). That is not an error.
  stdout.on("error", ignoreClosedPipe);
  // If messages can't be written, for example because the disk is full, a service must still run.
  stderr.on("error", () => {});
  return {
    isJson: json,
    isLive,
    get columns() {
      return (stdout.isTTY && stdout.columns) || 100;
    },
    print: (text = "") => void (json || write(`${sanitise(text)}\n`)),
    write: (text) => void (json || write(text)),
    note(text = "") {
      clear();
      stderr.write(`${sanitise(text)}\n`);
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

function sanitise(text: string): string {
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

/** An output that prints nothing, for code that reports on a page instead of a terminal. */
export const quietOutput: Output = {
  print() {},
  write() {},
  note() {},
  json() {},
  progress() {},
  isLive: false,
  columns: 100,
  style: (_format, text) => text,
  isJson: false,
};

/** Characters that move the cursor, set colours, break lines or change the text direction. Tabs don't. */
const acting = /(?!\t)[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The start of a CI system's command. GitHub recognises `::` at the start of a line, also after white space; GitHub's and
 * Azure's `##[`, `##vso[` and `##teamcity[` are recognised anywhere in a line.
 */
const command = /(?<=^\s*):(?=:)|#(?=#\w*\[)/g;

/**
 * Makes any text safe to print on a terminal and in a CI log: escapes control characters and those that change the text
 * direction, such as `\u001b`, and prevents lines from acting as CI commands. Keeps line breaks and tabs.
 *
 * @example
 * harmless("\u001b[2J\n::error::Gone"); // "\\u001b[2J\n\\u003a:error::Gone"
 */
export function harmless(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeInline(line).replace(command, unicodeEscape))
    .join("\n");
}

/** Escapes control characters in part of a line. */
export function escapeInline(text: string): string {
  return text.replace(acting, unicodeEscape);
}

/** `\u001b` */
function unicodeEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}

/** Characters that control the terminal, are invisible or change the text direction. Text from the service may contain them. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes control characters and tabs visible: `\u001b` and `⇥`. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => (character === "\t" ? "⇥" : unicodeEscape(character)));
}
