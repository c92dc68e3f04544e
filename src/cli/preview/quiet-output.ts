import type { Output } from "../output.js";

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
