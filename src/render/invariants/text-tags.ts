import type { Diagnostic } from "../../diagnostic.js";
import type { Compilation } from "../compilation.js";
import { scanMarkup } from "../../text/markup/scan.js";
import { enclosingSections, type TokenAt, tokensIn } from "../../mustache/tokens.js";
import { stemOf } from "../../project/template-name.js";

const WITHOUT_TEXT: readonly string[] = ["style", "script", "title", "textarea"];

/** Invariant 2: tags shown in the HTML are in the derived text, in the same sections. */
export function checkTextTags({ whole, text, skippedInText, template }: Compilation): Diagnostic[] {
  // The author of a hand-written text decides what it contains.
  if (!skippedInText) return [];
  const { tags } = whole;
  const shown = shownTokens(whole.text).filter(({ tag }) => !skippedInText.has(tag));
  const visible = new Set(shown.map(({ tag }) => tag));
  const written = placesByTag(shown, tags);
  const derived = placesByTag(
    tokensIn(text.text).filter(({ tag }) => visible.has(tag)),
    tags,
  );
  return [...visible]
    .filter((tag) => !hasAll(derived.get(tag) ?? [], written.get(tag) ?? []))
    .map((tag) => ({
      rule: "text-tag-lost",
      severity: "error",
      message: `${tags[tag]?.text} is in the HTML, but not in the same place in the text body.${tags[tag]?.note ?? ""}`,
      at: tags[tag]?.at ?? { file: template.body.file },
      hint: `Write the text body by hand, as ${stemOf(template.name)}.txt.`,
    }));
}

/** For each tag, the sections around each of its occurrences. */
function placesByTag(tokens: readonly TokenAt[], tags: Compilation["whole"]["tags"]): Map<number, string[]> {
  const places = new Map<number, string[]>();
  const sections = enclosingSections(
    tokens.map(({ tag }) => tag),
    tags,
  );
  for (const { tag, around } of sections) {
    const others = places.get(tag);
    if (others) others.push(String(around));
    else places.set(tag, [String(around)]);
  }
  return places;
}

/** Whether each occurrence has a match; a link's URL, which HTML does not show, may occur more often. */
function hasAll(places: readonly string[], required: readonly string[]): boolean {
  const left = [...places];
  return required.every((place) => {
    const index = left.indexOf(place);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

/** The tokens in the text that an email client shows. */
function shownTokens(html: string): TokenAt[] {
  const { pieces } = scanMarkup(html);
  const body = pieces.findIndex((piece) => piece.kind === "open" && piece.name === "body");
  const shown: TokenAt[] = [];
  let isText = true;
  for (const piece of pieces.slice(Math.max(0, body))) {
    if (piece.kind === "text" && isText)
      for (const token of tokensIn(html.slice(piece.start, piece.end))) shown.push(token);
    isText = !(piece.kind === "open" && WITHOUT_TEXT.includes(piece.name));
  }
  return shown;
}
