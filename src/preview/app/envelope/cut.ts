import { characterEnds } from "./characters.js";
import type { LineRoom } from "./clients.js";

/** A text's width in a font. */
export type Measure = (text: string, font: string) => number;

/** A text as a list shows it: up to where it is cut off, and what is not seen. */
export interface Cut {
  readonly shown: string;
  readonly rest: string;
}

/** Where a room ends, between two characters as people see them; with an ellipsis, as clients end what they cut. */
export const cutOff = (text: string, room: LineRoom, measure: Measure): Cut => {
  let from = 0;
  for (let line = 1; line < room.lines; line += 1) from = wrapped(text, from, room, measure);
  if (measure(text.slice(from), room.font) <= room.width) return { shown: text, rest: "" };
  const width = room.width - measure("…", room.font);
  const end = from + fitting(text.slice(from), { ...room, width }, measure);
  return { shown: text.slice(0, end), rest: text.slice(end) };
};

/** How many UTF-16 units of a text a line holds. Wider texts take more room, so that half of what is left is tried. */
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

/** Where the next line begins: after the last space that the line holds, else within the word. */
const wrapped = (text: string, from: number, room: LineRoom, measure: Measure): number => {
  const rest = text.slice(from);
  const end = fitting(rest, room, measure);
  if (end >= rest.length || /\s/.test(rest[end] ?? "")) return from + end;
  const space = rest.slice(0, end).search(/\s\S*$/);
  return from + (space > 0 ? space + 1 : end);
};
