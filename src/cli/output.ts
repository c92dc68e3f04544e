import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/**
 * The only place that writes to a terminal. Standard output holds the command's result, standard error its progress and
 * messages; under `--json`, standard output holds one document and nothing else.
 */
export interface Output {
  /** A line of the result. Not printed under `--json`. */
  print(text?: string): void;
  /** Text of the result exactly as it is, without a line end of ours. Not printed under `--json`. */
  write(text: string): void;
  /** A line about what is going on. */
  note(text?: string): void;
  /** The result under `--json`; does nothing otherwise. */
  json(document: unknown): void;
  /** Colours for the result; plain where standard output is no terminal. */
  readonly style: (format: Format, text: string) => string;
  readonly isJson: boolean;
}

export interface OutputOptions {
  readonly json: boolean;
  /** From `NO_COLOR` and `FORCE_COLOR`; undefined lets the terminal decide. */
  readonly colour?: boolean;
  readonly stdout?: NodeJS.WriteStream;
  readonly stderr?: NodeJS.WriteStream;
}

export function createOutput({
  json,
  colour,
  stdout = process.stdout,
  stderr = process.stderr,
}: OutputOptions): Output {
  const coloured = colour ?? stdout.isTTY;
  // A reader that has seen enough (`templates list | head`) closes the pipe; that is no failure of ours.
  for (const stream of [stdout, stderr]) stream.on("error", ignoreClosedPipe);
  return {
    isJson: json,
    print: (text = "") => void (json || stdout.write(`${text}\n`)),
    write: (text) => void (json || stdout.write(text)),
    note: (text = "") => void stderr.write(`${text}\n`),
    json: (document) => void (json && stdout.write(`${JSON.stringify(document, null, 2)}\n`)),
    style: (format, text) => (coloured ? styleText(format, text, { validateStream: false }) : text),
  };
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
