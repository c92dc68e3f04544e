import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { OutboundAttachment } from "../../api/contract/v4/emails.js";
import { ATTACHMENTS_BYTES, ATTACHMENTS_MAX } from "../../api/limits.js";
import { checkContent, type Content, readContent, readFileContent } from "./content.js";
import { checkFilename } from "./filenames.js";
import { hasControlCharacters, type Report } from "../message/report.js";

interface AttachmentFacts {
  /** `application/pdf`. Default: what the service infers from the name. */
  readonly contentType?: string | undefined;
  /** For an image of the html: `logo` is shown by `<img src="cid:logo">`. */
  readonly contentId?: string | undefined;
}

/** A file to attach: its content as bytes or as base64, or where it is on disk. */
export type Attachment =
  | (AttachmentFacts & { readonly filename: string; readonly content: Uint8Array | string; readonly path?: undefined })
  | (AttachmentFacts & {
      readonly filename?: string | undefined;
      readonly path: string | URL;
      readonly content?: undefined;
    });

/** An attachment on its way: how large it is, and how to get at it. */
interface Source {
  readonly path: string;
  readonly filename: string;
  readonly facts: AttachmentFacts;
  readonly content: Content;
}

/**
 * Attachments as the service takes them (part 4): at most 25 and 10 MB, no programs, content in base64. Files are read
 * once it is known that they are not too large.
 */
export async function readAttachments(
  attachments: readonly Attachment[],
  report: Report,
): Promise<OutboundAttachment[]> {
  if (!Array.isArray(attachments)) {
    report("attachments", "is not a list");
    return [];
  }
  if (attachments.length > ATTACHMENTS_MAX)
    report("attachments", `are ${attachments.length}; the service takes ${ATTACHMENTS_MAX}`);
  checkContentIds(attachments, report);
  const found = await Promise.all(
    attachments.map((attachment, index) => findSource(attachment, `attachments[${index}]`, report)),
  );
  const sources = found.filter((source) => source !== undefined);
  const total = sources.reduce((sum, { content }) => sum + content.bytes, 0);
  if (total > ATTACHMENTS_BYTES) {
    report("attachments", `are ${(total / 1_000_000).toFixed(1)} MB together; the service takes 10 MB`);
    return [];
  }
  const read: OutboundAttachment[] = [];
  for (const { path, filename, facts, content } of sources) {
    const bytes = await content.load();
    if (bytes === undefined) continue;
    await checkContent(bytes, path, report);
    const { contentType, contentId } = facts;
    read.push({
      filename,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
      ...(contentType === undefined ? {} : { content_type: contentType }),
      ...(contentId === undefined ? {} : { content_id: contentId }),
    });
  }
  return read;
}

async function findSource(attachment: Attachment, path: string, report: Report): Promise<Source | undefined> {
  if (typeof attachment !== "object" || attachment === null) {
    report(path, "is not an attachment: { filename, content }");
    return undefined;
  }
  const file = attachment.path instanceof URL ? fileURLToPath(attachment.path) : attachment.path;
  const filename = attachment.filename ?? (file === undefined ? undefined : basename(file));
  if (typeof filename !== "string") {
    report(`${path}.filename`, "is missing");
    return undefined;
  }
  checkFilename(filename, `${path}.filename`, report);
  checkFacts(attachment, path, report);
  const content =
    file === undefined
      ? readContent(attachment.content, `${path}.content`, report)
      : await readFileContent(file, `${path}.path`, report);
  if (content === undefined) return undefined;
  return { path, filename, facts: attachment, content };
}

function checkFacts({ contentType, contentId }: AttachmentFacts, path: string, report: Report): void {
  if (
    contentType !== undefined &&
    !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=(?:[\w.+-]+|"[^"\r\n]*"))*$/.test(contentType)
  ) {
    report(`${path}.contentType`, `is not a media type such as "application/pdf"`);
  }
  if (contentId === undefined || hasControlCharacters(contentId, `${path}.contentId`, report)) return;
  if (!/^[^\s<>]+$/.test(contentId)) report(`${path}.contentId`, "has a space or an angle bracket in it, or is empty");
}

function checkContentIds(attachments: readonly Attachment[], report: Report): void {
  const first = new Map<string, number>();
  for (const [index, attachment] of attachments.entries()) {
    const contentId = attachment?.contentId;
    if (contentId === undefined) continue;
    const earlier = first.get(contentId);
    if (earlier === undefined) first.set(contentId, index);
    else report(`attachments[${index}].contentId`, `is the one of attachments[${earlier}] already`);
  }
}
