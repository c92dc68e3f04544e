import { hasControlCharacters, type Report } from "../message/report.js";

const TOKEN = "[\\w!#$&^.+-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:; ?${TOKEN}=(?:${TOKEN}|"[^"\\\\\\p{Cc}]*"))*$`, "u");
/** Printable ASCII, as a header and an address of the html can have it. */
const CONTENT_ID = /^[!-;=?-~]{1,255}$/;

/** Types that mail clients may take for a program, whatever the file's name says. */
const PROGRAM_TYPE =
  /^application\/(?:hta|java-archive|x-java-\w+|x-ms-?(?:download|dos-program|i|installer|shortcut)|x-dosexec|x-(?:executable|elf|mach-binary|sh|csh|bat|shellscript)|vnd\.microsoft\.portable-executable|vnd\.android\.package-archive|x-apple-diskimage)$/i;

/** The type that an application gives a file. A multipart has parts of its own, which one file's bytes are not. */
export function checkContentType(contentType: unknown, path: string, report: Report): string | undefined {
  if (contentType === undefined) return undefined;
  if (typeof contentType !== "string" || !MEDIA_TYPE.test(contentType) || /^multipart\//i.test(contentType))
    report(path, `is not a media type such as "application/pdf"`);
  else if (PROGRAM_TYPE.test(contentType.replace(/;.*/s, ""))) report(path, "is the type of a program");
  else return contentType;
  return undefined;
}

/** What the html calls a file by, after `cid:`. */
export function checkContentId(contentId: unknown, path: string, report: Report): string | undefined {
  if (contentId === undefined) return undefined;
  if (typeof contentId !== "string") report(path, "is not a text");
  else if (hasControlCharacters(contentId, path, report)) return undefined;
  else if (CONTENT_ID.test(contentId)) return contentId;
  else report(path, "is not 1 to 255 printable ASCII characters without spaces and angle brackets");
  return undefined;
}
