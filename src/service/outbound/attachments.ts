import type { OutboundAttachment } from "../../api/contract/v4/emails.js";
import { ATTACHMENTS_BYTES, BLOCKED_EXTENSIONS } from "../../api/limits.js";
import { isText } from "../text.js";
import type { Problems } from "../http/validate.js";

export interface Attachment {
  readonly filename: string;
  readonly base64: string;
  readonly contentType?: string;
  /** Without angle brackets. */
  readonly contentId?: string;
}

const FIELD = "attachments";
const FILENAME_MAX = 255;
const TOKEN = "[A-Za-z0-9!#$&^_.+-]+";
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:\\s*;\\s*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\p{Cc}]*"))*$`, "u");
const CONTENT_ID = /^<?([^<>\s\p{Cc}]+)>?$/u;

/** Decodes the attachments. Violations of the documents' rules (part 7) are added to the problems. */
export function readAttachments(uploaded: readonly OutboundAttachment[], problems: Problems): Attachment[] {
  const attachments = uploaded.flatMap(
    (attachment, index) => readAttachment(attachment, `${FIELD}[${index}]`, problems) ?? [],
  );
  const total = attachments.reduce((bytes, { base64 }) => bytes + Buffer.byteLength(base64, "base64"), 0);
  if (total > ATTACHMENTS_BYTES) {
    problems.add(FIELD, `${FIELD} may have at most ${ATTACHMENTS_BYTES / 1024 / 1024} MB in total`);
  }
  return attachments;
}

function readAttachment(attachment: OutboundAttachment, place: string, problems: Problems): Attachment | undefined {
  const refusals = [...filenameRefusals(attachment.filename), ...typeRefusals(attachment)];
  if (attachment.content === "") refusals.push(".content is required");
  else if (!isBase64(attachment.content)) refusals.push(".content is not valid base64");
  for (const refusal of refusals) problems.add(FIELD, `${place}${refusal}`);
  if (refusals.length > 0) return undefined;
  const contentId = CONTENT_ID.exec(attachment.content_id ?? "")?.[1];
  return {
    filename: attachment.filename,
    base64: attachment.content,
    ...(attachment.content_type === undefined ? {} : { contentType: attachment.content_type }),
    ...(contentId === undefined ? {} : { contentId }),
  };
}

function filenameRefusals(filename: string): string[] {
  if (filename.trim() === "") return [".filename is required"];
  if (filename.length > FILENAME_MAX) return [`.filename may have at most ${FILENAME_MAX} characters`];
  if (!isText(filename)) return [".filename has invalid characters"];
  if (/\p{Cc}/u.test(filename)) return [".filename has control characters"];
  const extension = extensionOf(filename);
  return BLOCKED_EXTENSIONS.has(extension) ? [`.filename has the extension ${extension}, which is blocked`] : [];
}

function typeRefusals({ content_type: contentType, content_id: contentId }: OutboundAttachment): string[] {
  const refusals = [];
  // A multipart type needs parts, which a single file does not have.
  const valid =
    contentType === undefined ||
    (isText(contentType) && CONTENT_TYPE.test(contentType) && !/^multipart\//i.test(contentType));
  if (!valid) refusals.push(".content_type is not a valid content type");
  if (contentId !== undefined && !(isText(contentId) && CONTENT_ID.test(contentId)))
    refusals.push(".content_id is not valid");
  return refusals;
}

/** In lower case. Windows ignores dots and spaces at the end of a name, so `a.exe. ` is an exe file. */
function extensionOf(filename: string): string {
  const name = filename.replace(/[.\s]+$/u, "");
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

/** Base64 as in RFC 4648, padded and without line breaks. Only canonical encodings are valid. */
function isBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}
