import type { ChangeSpec } from "@codemirror/state";

/**
 * The single range in which two strings differ, as a change: the text around it keeps its position, folds and colours.
 */
export function replaced(before: string, after: string): ChangeSpec | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
