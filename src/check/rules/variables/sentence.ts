import { TOKEN } from "../../../mustache/tokens.js";

/** Punctuation that wants something before it. */
const AFTER = /^\s*[,;:.!?)\]”’»%]/;
/** A sentence that goes on. */
const GOES_ON = /^\s+\p{Ll}/u;
/** What wants something behind it. */
const BEFORE = /[:([“‘«"#$€£@/–—-]\s*$/;
/** "Thank you, " with nothing behind it; a list of variables may well end early. */
const COMMA = /\p{L},\s*$/u;
/** Words that something follows, in the languages that most mails are written in. */
const GOES_WITH = new RegExp(
  `(?:^|[\\s(])(?:${(
    "a an and are as at before by for from in is of on or our than the their to until via was were with your " +
    "am an auf aus bei bis das dem den der die ein eine für im in mit oder seit und vom von zu zum zur " +
    "à au aux avec chez de des du en et la le les ou par pour sans sur un une " +
    "al che com con da del di do e el em il no na o para per por su y"
  ).replaceAll(" ", "|")})\\s*$`,
  "iu",
);
const WORD = /[\p{L}\p{N}\uE001]/u;

/**
 * What is left of a text's line where one tag prints nothing and that shows; undefined where the line is as good without.
 *
 * @example
 * gapLeftBy("Hi \uE0000\uE001,", () => "{{name}}", () => true); // "Hi ,"
 * gapLeftBy("Thank you \uE0000\uE001", () => "{{name}}", () => true); // undefined
 *
 * @param tokenised Two line breaks end what belongs together.
 * @param writtenAs A tag by its number.
 * @param isTag Which one it is about.
 */
export function gapLeftBy(
  tokenised: string,
  writtenAs: (number: number) => string,
  isTag: (number: number) => boolean,
): string | undefined {
  for (const { 0: token, 1: number, index } of tokenised.matchAll(TOKEN)) {
    if (!isTag(Number(number))) continue;
    const before = lastLine(tokenised.slice(0, index), writtenAs);
    const after = firstLine(tokenised.slice(index + token.length), writtenAs);
    if (isGap(before, after)) return shown(before, after, writtenAs);
  }
  return undefined;
}

function isGap(before: string, after: string): boolean {
  if (AFTER.test(after) || BEFORE.test(before) || GOES_WITH.test(before)) return true;
  if (COMMA.test(before) && after.trim() === "") return true;
  if (before.trim() === "" && GOES_ON.test(after)) return true;
  // Of several variables in a row, such as the parts of a name, one may be missing.
  const isInRow = /\uE001\s*$/.test(before) && /^\s*\uE000/.test(after);
  return WORD.test(before) && WORD.test(after) && !isInRow;
}

/** Up to where a section begins or ends, because nobody knows what is shown there. */
function firstLine(text: string, writtenAs: (number: number) => string): string {
  const end = Array.from(text.matchAll(TOKEN)).find(([, number]) => isSection(writtenAs(Number(number))))?.index;
  return text.slice(0, end).split(/\n\s*\n/)[0] ?? "";
}

function lastLine(text: string, writtenAs: (number: number) => string): string {
  const section = Array.from(text.matchAll(TOKEN)).findLast(([, number]) => isSection(writtenAs(Number(number))));
  const start = section ? section.index + section[0].length : 0;
  return (
    text
      .slice(start)
      .split(/\n\s*\n/)
      .at(-1) ?? ""
  );
}

function isSection(tag: string): boolean {
  return /^\{\{\s*[#^/]/.test(tag);
}

/** Words on each side that a message has room for. */
const AROUND = 5;

function shown(before: string, after: string, writtenAs: (number: number) => string): string {
  const tags = (text: string): string => text.replace(TOKEN, (_, number: string) => writtenAs(Number(number)));
  const [left = [], right = []] = [tags(before), tags(after)].map((text) => text.split(/(?<=\s)(?=\S)/));
  const start = left.length > AROUND ? "…" : "";
  const end = right.length > AROUND ? "…" : "";
  const around = `${left.slice(-AROUND).join("")}${right.slice(0, AROUND).join("")}`;
  return `${start}${around.replaceAll(/\s/g, " ").trim()}${end}`;
}
