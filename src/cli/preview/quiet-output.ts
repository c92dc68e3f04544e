import type { Output } from "../output.js";

/** For what tells of itself on a page instead of a terminal. */
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
