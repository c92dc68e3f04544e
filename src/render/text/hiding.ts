import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Lists } from "../lists.js";
import { roleOf, tokensIn } from "../sections.js";
import { Hidden } from "./hidden.js";
import { parseHtml, textIn } from "./tree.js";

/** How often a section is shown, by the number of its opening tag. */
type Times = (opening: number) => number;

/**
 * Finds a section that decides whether something around it is hidden, and returns its opening tag. This can happen if
 * hidden elements have no end tag, such as a paragraph that ends where a table begins: the section then changes more than its content.
 *
 * @param halves The tags of sections with only one end in a hidden element.
 */
export async function findHiding(
  html: string,
  tags: TagTable,
  { isList }: Lists,
  halves: ReadonlySet<number>,
): Promise<number | undefined> {
  // With elements that have no end tag, any section may decide where they end.
  const isLoose = leavesOpen(html);
  const suspects = sectionsIn(html, tags).filter(
    ([opening, closing]) => isLoose || halves.has(opening) || halves.has(closing),
  );
  if (suspects.length === 0) return undefined;
  const shown = await shownText(html, tags);
  for (const [opening] of suspects) {
    const cases: Times[] = [
      (section) => (section === opening ? 0 : 1),
      (section) => (section === opening ? 1 : 0),
      () => 0,
      ...(isList(opening) ? [(section: number) => (section === opening ? 2 : 1)] : []),
    ];
    for (const times of cases) {
      const filled = await shownText(repeated(html, tags, times), tags);
      if (filled !== repeated(shown, tags, times)) return opening;
    }
  }
  return undefined;
}

/** All visible text, without whitespace. */
async function shownText(html: string, tags: TagTable): Promise<string> {
  const document = await parseHtml(html);
  return textIn(new Hidden(document, tags).shown(document)).replaceAll(/\s/g, "");
}

function sectionsIn(html: string, tags: TagTable): [opening: number, closing: number][] {
  const open: number[] = [];
  return tokensIn(html).flatMap(({ tag }): [number, number][] => {
    const role = roleOf(tags[tag]);
    if (role === "opens") open.push(tag);
    const opening = role === "closes" ? open.pop() : undefined;
    return opening === undefined ? [] : [[opening, tag]];
  });
}

/** Whether opening and closing tags differ in number for elements whose end tag is optional. */
function leavesOpen(html: string): boolean {
  const counts = new Map<string, number>();
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)(p|li|dt|dd|option)(?=[\s/>])/gi)) {
    const key = name.toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + (slash === "" ? 1 : -1));
  }
  return [...counts.values()].some((count) => count !== 0);
}

/** A string with each section repeated, and without the sections' tags. */
function repeated(text: string, tags: TagTable, times: Times): string {
  const open: { readonly opening: number; readonly before: string }[] = [];
  let written = "";
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const tag = Number(match[1]);
    const role = roleOf(tags[tag]);
    if (role === "prints") continue;
    written += text.slice(from, match.index);
    from = match.index + match[0].length;
    if (role === "opens") {
      open.push({ opening: tag, before: written });
      written = "";
    } else {
      const section = open.pop();
      if (section) written = section.before + written.repeat(times(section.opening));
    }
  }
  return written + text.slice(from);
}
