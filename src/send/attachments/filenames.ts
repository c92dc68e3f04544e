import { BLOCKED_EXTENSIONS } from "../../api/limits.js";
import { hasControlCharacters, type Report } from "../message/report.js";

/** Letters and signs of other scripts, each with the ASCII one that it looks like. */
const LOOK_ALIKES = new Map(
  "аa вb сc ԁd еe һh нh іi јj кk ӏl мm пn оo рp ԛq гr ѕs тt ѵv ԝw хx уy αa βb ςc εe ηn ιi ϳj κk νv οo ρp τt υu χx ıi ɩi ɡg ʀr ѡw ꓫx 。. ․. ·."
    .split(" ")
    .map(([sign = "", ascii = ""]) => [sign, ascii]),
);

/**
 * Blocked extensions that are no words or names: they betray a program also in the middle of a name, as in
 * `invoice.exe.pdf`. Of `com`, `js` or `app` that cannot be said: `example.com.pdf`, `node.js.pdf`.
 */
const NEVER_A_WORD = new Set("exe bat cmd scr pif vbs vbe jse wsf wsh hta ps1 psm1 msi cpl lnk".split(" "));

/** Reports a file's name that the service refuses, or that would reach the recipient as something else than it seems. */
export function checkFilename(filename: string, path: string, report: Report): void {
  if (filename.trim() === "") return report(path, "is empty");
  if (hasControlCharacters(filename, path, report)) return;
  if (/[/\\]/.test(filename)) return report(path, "is a path: it takes the name alone");
  if (/[\u202a-\u202e\u2066-\u2069]/.test(filename))
    return report(path, "has characters in it that change the direction of writing, and so hide how the name ends");
  const blocked = blockedExtension(filename);
  if (blocked !== undefined) report(path, `has the extension ".${blocked}", which the service does not let through`);
}

/**
 * The extension that stands in the way of a file, if one does.
 *
 * @example
 * blockedExtension("Invoice.PDF.EXE. "); // "exe"
 */
export function blockedExtension(filename: string): string | undefined {
  const name = fold(filename);
  // What is behind a colon names a stream of the file on NTFS.
  return blockedIn(name) ?? blockedIn(name.replace(/:.*/s, ""));
}

function blockedIn(name: string): string | undefined {
  const extensions = name
    .replace(/[\s.]+$/, "")
    .split(".")
    .slice(1)
    .map((part) => part.trim());
  const last = extensions.pop();
  if (last !== undefined && BLOCKED_EXTENSIONS.has(last)) return last;
  return extensions.find((extension) => NEVER_A_WORD.has(extension));
}

/** A name as a quick eye reads it: lower case, without accents and invisible characters, look-alikes replaced. */
function fold(text: string): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}]/gu, "");
  return Array.from(plain, (character) => LOOK_ALIKES.get(character) ?? character).join("");
}
