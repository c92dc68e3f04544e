import { JsonSyntaxError, readSyntax } from "../../text/json-syntax.js";

const BYTE_ORDER_MARK = "\uFEFF";

/** The member of `template.json` that tells sync a renamed template's previous name. */
export function formerNameLine(name: string): string {
  return `"renamedFrom": ${JSON.stringify(name)}`;
}

/**
 * Adds a template's previous name to its `template.json`; everything else in the file stays unchanged.
 *
 * @param text The file's contents; undefined if there is no file.
 * @returns The new contents, or an `obstacle`: why the user has to edit the file.
 * @example
 * withFormerName('{ "subject": "Paid" }', { from: "receipt", to: "order-paid" }).text; // '{ "subject": "Paid", "renamedFrom": "receipt" }'
 */
export function withFormerName(
  text: string | undefined,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly text: string; readonly obstacle?: undefined } | { readonly obstacle: string; readonly text?: undefined } {
  if (text?.startsWith(BYTE_ORDER_MARK)) {
    const next = withFormerName(text.slice(1), { from, to });
    return next.text === undefined ? next : { text: BYTE_ORDER_MARK + next.text };
  }
  const line = formerNameLine(from);
  const members = text === undefined ? new Map() : membersOf(text);
  if (!members)
    return { obstacle: "Its template.json is not a valid JSON object, so the previous name was not added." };
  if (text === undefined || members.size === 0) return { text: `{\n  ${line}\n}\n` };
  const replace = (start: number, end: number, by: string) => ({ text: text.slice(0, start) + by + text.slice(end) });
  const known = members.get("renamedFrom");
  if (!known) {
    const first = Math.min(...[...members.values()].map(({ key }) => key));
    const end = Math.max(...[...members.values()].map(({ value }) => value.end));
    const [space = ""] = /\s*$/.exec(text.slice(0, first)) ?? [];
    return replace(end, end, `,${space}${line}`);
  }
  const { start, end } = known.value;
  const before: unknown = JSON.parse(text.slice(start, end));
  // It was renamed back to its previous name.
  if (before === to) return replace(start, end, JSON.stringify(from));
  return { obstacle: `Its template.json already has another previous name: ${JSON.stringify(before)}.` };
}

function membersOf(text: string) {
  try {
    return readSyntax(text).members;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
