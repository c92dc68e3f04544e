import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Lists } from "../lists.js";
import { roleOf, tokensIn } from "../sections.js";
import { Hidden } from "./hidden.js";
import { parseHtml, textIn } from "./tree.js";

/** How often a section is shown, given by the number of its opening tag. */
type Times = (opening: number) => number;

/**
 * The section that decides whether something around it is hidden, given by its opening tag. That can be where hidden
 * elements end by themselves, as a paragraph does where a table begins: what the section shows is not all that it changes.
 *
 * @param halves The tags of the sections that have but one end in a hidden element.
 */
export async function findHiding(
  html: string,
  tags: TagTable,
  { isList }: Lists,
  halves: ReadonlySet<number>,
): Promise<number | undefined> {
  // Where elements end by themselves, any section may decide where that is.
  const isLoose = leavesOpen(html);
  const suspects = sectionsIn(html, tags).filter(
    ([opening, closing]) => isLoose || halves.has(opening) || halves.has(closing),
  );
  if (suspects.length === 0) return undefined;
  const shown = await shownText(html, tags);
  for (const [opening] of suspects) {
    const ways: Times[] = [
      (section) => (section === opening ? 0 : 1),
      (section) => (section === opening ? 1 : 0),
      () => 0,
      ...(isList(opening) ? [(section: number) => (section === opening ? 2 : 1)] : []),
    ];
    for (const times of ways) {
      const filled = await shownText(repeated(html, tags, times), tags);
      if (filled !== repeated(shown, tags, times)) return opening;
    }
  }
  return undefined;
}

/** All that can be seen, without white space. */
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

/** Whether it has more of the elements that end by themselves than it closes, or fewer. */
function leavesOpen(html: string): boolean {
  const counts = new Map<string, number>();
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)(p|li|dt|dd|option)(?=[\s/>])/gi)) {
    const key = name.toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + (slash === "" ? 1 : -1));
  }
  return [...counts.values()].some((count) => count !== 0);
}

/** A text with each section as often as it is shown, and without the sections' tags. */
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
