import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { nearest } from "../../text/nearest.js";
import { hasControlCharacters, type ReportProblem } from "../report.js";
import { type UnreadContent, readableContent, fileContent } from "./content.js";
import { checkFilename } from "./filenames.js";

/** An attachment to be read: its name, and access to its content. Problems with it have been reported. */
export interface AttachmentSource {
  /** The option that has its content: `attachments[0].path`. */
  readonly path: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly contentId?: string;
  readonly content?: UnreadContent;
}

const MEMBERS = ["filename", "content", "path", "contentType", "contentId"];

/** Checks what an application passed, whatever its types say. */
export async function findSource(attachment: unknown, place: string, report: ReportProblem): Promise<AttachmentSource> {
  if (typeof attachment !== "object" || attachment === null) {
    report(place, "is not an attachment: pass { filename, content }");
    return { path: place };
  }
  for (const name of Object.keys(attachment))
    if (!MEMBERS.includes(name)) report(`${place}.${name}`, unknownMember(name));
  const passed: { readonly [Name in (typeof MEMBERS)[number]]?: unknown } = attachment;
  const file = passed.path === undefined ? undefined : fileOf(passed.path, `${place}.path`, report);
  if (passed.path !== undefined && passed.content !== undefined)
    report(place, "has both path and content: pass one of them");

  const filename = passed.filename ?? (file === undefined ? undefined : basename(file));
  if (typeof filename === "string") checkFilename(filename, `${place}.filename`, report);
  else if (passed.path === undefined || passed.filename !== undefined)
    report(`${place}.filename`, filename === undefined ? "is missing" : "is not a string");
  const contentType = checkContentType(passed.contentType, `${place}.contentType`, report);
  const contentId = checkContentId(passed.contentId, `${place}.contentId`, report);

  const path = `${place}.${passed.path === undefined ? "content" : "path"}`;
  const problem = (message: string) => {
    report(path, message);
    return undefined;
  };
  const content =
    file !== undefined
      ? await fileContent(file, problem)
      : passed.path === undefined || passed.content !== undefined
        ? readableContent(passed.content, problem)
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

function fileOf(path: unknown, place: string, report: ReportProblem): string | undefined {
  if (typeof path === "string") return path;
  if (!(path instanceof URL)) report(place, "is neither a path nor a URL");
  else if (path.protocol !== "file:") report(place, "is not a file: URL");
  else {
    try {
      return fileURLToPath(path);
    } catch {
      report(place, "is not the URL of a file on this machine");
    }
  }
  return undefined;
}

/** The names that other libraries use. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  cid: "contentId",
  type: "contentType",
  name: "filename",
  data: "content",
};

function unknownMember(name: string): string {
  const near = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : nearest(name.replaceAll(/[_-]/g, ""), MEMBERS);
  return near === undefined
    ? "is not an option of an attachment"
    : `is not an option of an attachment. Did you mean ${near}?`;
}

const TOKEN = "[\\w!#$&^.+-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:; ?${TOKEN}=(?:${TOKEN}|"[^"\\\\\\p{Cc}]*"))*$`, "u");
/** Printable ASCII that is valid in a header and in a URL. */
const CONTENT_ID = /^[!-;=?-~]{1,255}$/;

/** Types that email clients may treat as programs, regardless of the filename. */
const PROGRAM_TYPE =
  /^application\/(?:hta|java-archive|x-java-\w+|x-ms-?(?:download|dos-program|i|installer|shortcut)|x-dosexec|x-(?:executable|elf|mach-binary|sh|csh|bat|shellscript)|vnd\.microsoft\.portable-executable|vnd\.android\.package-archive|x-apple-diskimage)$/i;

/** Checks the declared type of a file. Multipart types are refused, because one file's bytes don't have parts. */
function checkContentType(contentType: unknown, path: string, report: ReportProblem): string | undefined {
  if (contentType === undefined) return undefined;
  if (typeof contentType !== "string" || !MEDIA_TYPE.test(contentType) || /^multipart\//i.test(contentType))
    report(path, `is not a media type such as "application/pdf"`);
  else if (PROGRAM_TYPE.test(contentType.replace(/;.*/s, ""))) report(path, "is the media type of a program");
  else return contentType;
  return undefined;
}

/** Checks the id that the HTML uses after `cid:`. */
function checkContentId(contentId: unknown, path: string, report: ReportProblem): string | undefined {
  if (contentId === undefined) return undefined;
  if (typeof contentId !== "string") report(path, "is not a string");
  else if (hasControlCharacters(contentId, path, report)) return undefined;
  else if (CONTENT_ID.test(contentId)) return contentId;
  else report(path, "must be 1 to 255 printable ASCII characters without spaces and angle brackets");
  return undefined;
}
