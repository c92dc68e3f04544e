import { characterEnds } from "./characters.js";
import type { LineRoom } from "./clients.js";

/** The width of text in a font. */
export type Measure = (text: string, font: string) => number;

/** Text as a list shows it: the part up to the cut, and the part that is not visible. */
export interface Cut {
  readonly shown: string;
  readonly rest: string;
}

/**
 * Cuts text where the room ends, between two user-perceived characters, with room for the ellipsis that clients add.
 */
export const cutOff = (text: string, room: LineRoom, measure: Measure): Cut => {
  let from = 0;
  for (let line = 1; line < room.lines; line += 1) from = wrapped(text, from, room, measure);
  if (measure(text.slice(from), room.font) <= room.width) return { shown: text, rest: "" };
  const width = room.width - measure("…", room.font);
  const end = from + fitting(text.slice(from), { ...room, width }, measure);
  return { shown: text.slice(0, end), rest: text.slice(end) };
};

/** Number of UTF-16 units that fit on a line. Found by bisection, because longer text is wider. */
const fitting = (text: string, room: LineRoom, measure: Measure): number => {
  const ends = [0, ...characterEnds(text)];
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(text.slice(0, ends[middle]), room.font) <= room.width) low = middle;
    else high = middle - 1;
  }
  return ends[low] ?? 0;
};

/** Start of the next line: after the last space that fits, otherwise within the word. */
const wrapped = (text: string, from: number, room: LineRoom, measure: Measure): number => {
  const rest = text.slice(from);
  const end = fitting(rest, room, measure);
  if (end >= rest.length || /\s/.test(rest[end] ?? "")) return from + end;
  const space = rest.slice(0, end).search(/\s\S*$/);
  return from + (space > 0 ? space + 1 : end);
};
