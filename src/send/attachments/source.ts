import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { nearest } from "../../nearest.js";
import { hasControlCharacters, type Report } from "../message/report.js";
import { type Content, contentOf, fileContent } from "./content.js";
import { checkFilename } from "./filenames.js";

/** An attachment on its way: what it is called, and how to get at its content. What is wrong with it is reported. */
export interface Source {
  /** Where its content was given: `attachments[0].path`. */
  readonly path: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly contentId?: string;
  readonly content?: Content;
}

const MEMBERS = ["filename", "content", "path", "contentType", "contentId"];

/** What an application passed, whatever its types say. */
export async function findSource(attachment: unknown, place: string, report: Report): Promise<Source> {
  if (typeof attachment !== "object" || attachment === null) {
    report(place, "is not an attachment: { filename, content }");
    return { path: place };
  }
  for (const name of Object.keys(attachment))
    if (!MEMBERS.includes(name)) report(`${place}.${name}`, unknownMember(name));
  const given: { readonly [Name in (typeof MEMBERS)[number]]?: unknown } = attachment;
  const file = given.path === undefined ? undefined : fileOf(given.path, `${place}.path`, report);
  if (given.path !== undefined && given.content !== undefined)
    report(place, "has a path and a content: pass one of them");

  const filename = given.filename ?? (file === undefined ? undefined : basename(file));
  if (typeof filename === "string") checkFilename(filename, `${place}.filename`, report);
  else if (given.path === undefined || given.filename !== undefined)
    report(`${place}.filename`, filename === undefined ? "is missing" : "is not a text");
  const contentType = checkContentType(given.contentType, `${place}.contentType`, report);
  const contentId = checkContentId(given.contentId, `${place}.contentId`, report);

  const path = `${place}.${given.path === undefined ? "content" : "path"}`;
  const problem = (message: string) => {
    report(path, message);
    return undefined;
  };
  const content =
    file !== undefined
      ? await fileContent(file, problem)
      : given.path === undefined || given.content !== undefined
        ? contentOf(given.content, problem)
        : undefined;
  if (content?.size === 0) report(path, "is empty");
  return {
    path,
    ...(typeof filename === "string" && { filename }),
    ...(contentType !== undefined && { contentType }),
    ...(contentId !== undefined && { contentId }),
    ...(content !== undefined && { content }),
  };
}

function fileOf(path: unknown, place: string, report: Report): string | undefined {
  if (typeof path === "string") return path;
  if (!(path instanceof URL)) report(place, "is neither a path nor a URL");
  else if (path.protocol !== "file:") report(place, "is not a file: address");
  else {
    try {
      return fileURLToPath(path);
    } catch {
      report(place, "is not the address of a file of this machine");
    }
  }
  return undefined;
}

/** What other libraries call it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  cid: "contentId",
  type: "contentType",
  name: "filename",
  data: "content",
};

function unknownMember(name: string): string {
  const near = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : nearest(name.replaceAll(/[_-]/g, ""), MEMBERS);
  return near === undefined
    ? "is nothing that an attachment has"
    : `is nothing that an attachment has; did you mean ${near}?`;
}

const TOKEN = "[\\w!#$&^.+-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:; ?${TOKEN}=(?:${TOKEN}|"[^"\\\\\\p{Cc}]*"))*$`, "u");
/** Printable ASCII, as a header and an address of the html can have it. */
const CONTENT_ID = /^[!-;=?-~]{1,255}$/;

/** Types that mail clients may take for a program, whatever the file's name says. */
const PROGRAM_TYPE =
  /^application\/(?:hta|java-archive|x-java-\w+|x-ms-?(?:download|dos-program|i|installer|shortcut)|x-dosexec|x-(?:executable|elf|mach-binary|sh|csh|bat|shellscript)|vnd\.microsoft\.portable-executable|vnd\.android\.package-archive|x-apple-diskimage)$/i;

/** The type that an application gives a file. A multipart has parts of its own, which one file's bytes are not. */
function checkContentType(contentType: unknown, path: string, report: Report): string | undefined {
  if (contentType === undefined) return undefined;
  if (typeof contentType !== "string" || !MEDIA_TYPE.test(contentType) || /^multipart\//i.test(contentType))
    report(path, `is not a media type such as "application/pdf"`);
  else if (PROGRAM_TYPE.test(contentType.replace(/;.*/s, ""))) report(path, "is the type of a program");
  else return contentType;
  return undefined;
}

/** What the html calls a file by, after `cid:`. */
function checkContentId(contentId: unknown, path: string, report: Report): string | undefined {
  if (contentId === undefined) return undefined;
  if (typeof contentId !== "string") report(path, "is not a text");
  else if (hasControlCharacters(contentId, path, report)) return undefined;
  else if (CONTENT_ID.test(contentId)) return contentId;
  else report(path, "is not 1 to 255 printable ASCII characters without spaces and angle brackets");
  return undefined;
}
