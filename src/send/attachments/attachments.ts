import { Base64Content } from "../../api/calls/http.js";
import { ATTACHMENTS_BASE64_SURE, ATTACHMENTS_BYTES, ATTACHMENTS_MAX } from "../../api/limits.js";
import type { OutboundAttachment } from "../../api/resources/emails.js";
import type { Clock } from "../clock.js";
import { SendAbortedError } from "../errors.js";
import type { Publish } from "../events.js";
import { collectProblems, type ReportProblem } from "../report.js";
import { problemOf, StreamProblem, TOO_LARGE } from "./content.js";
import { extensionOf, fits, isRecognised, isTextType, kindOf, mediaTypeOf } from "./kinds.js";
import { findSource, type AttachmentSource } from "./source.js";
import { inspectArchive } from "./archives/inspect-archive.js";
import { isText, programIn, scriptIn } from "./programs.js";
import { scriptInSvg } from "./svg-scripts.js";

interface Reading {
  readonly report: ReportProblem;
  readonly publish: Publish;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for reading all of them: a stream may stall, or never end. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, "after">;
}

/**
 * Reads attachments and converts them to the service's format (part 4): at most 25 and 10 MB, no programs. All are
 * checked by name and content. Suspicious ones that may still arrive are reported as events.
 *
 * @throws {SendAbortedError} By the signal.
 */
export async function readAttachments(attachments: unknown, reading: Reading): Promise<OutboundAttachment[]> {
  const { report, timeoutMs, clock } = reading;
  if (!Array.isArray(attachments)) {
    report("attachments", "is not a list");
    return [];
  }
  if (attachments.length > ATTACHMENTS_MAX)
    report("attachments", `has ${attachments.length} files; the limit is ${ATTACHMENTS_MAX}`);
  // Problems are collected per attachment, so that they are reported in the order of the attachments.
  const own = attachments.map(() => collectProblems());
  const reports = own.map((each) => each.report);
  const sources = await Promise.all(
    attachments.map((attachment: unknown, index) =>
      findSource(attachment, `attachments[${index}]`, reports[index] ?? report),
    ),
  );
  checkUniqueIds(sources, reports);
  const late = new AbortController();
  const cancel = clock.after(timeoutMs, () =>
    late.abort(new StreamProblem(`was not read completely within ${timeoutMs / 1000} s; increase timeoutMs`)),
  );
  try {
    return attachments.length > ATTACHMENTS_MAX ? [] : await readEach(sources, reports, reading, late.signal);
  } finally {
    cancel();
    for (const { content } of sources) content?.end();
    for (const { path, message } of own.flatMap(({ problems }) => problems)) report(path, message);
  }
}

async function readEach(
  sources: readonly AttachmentSource[],
  reports: readonly ReportProblem[],
  { report, publish, signal }: Reading,
  late: AbortSignal,
): Promise<OutboundAttachment[]> {
  const warn = (path: string, message: string) => publish({ type: "attachment-warning", path, message });
  const read: OutboundAttachment[] = [];
  // If the total is known to be too large, nothing is read.
  let total = sources.reduce((sum, { content }) => sum + (content?.size ?? 0), 0);
  for (const [index, source] of sources.entries()) {
    if (total > ATTACHMENTS_BYTES || late.aborted) break;
    const own: ReportProblem = reports[index] ?? report;
    const bytes = await readContent(source, ATTACHMENTS_BYTES - total, own, { signal, late });
    if (bytes === undefined) continue;
    total += bytes === TOO_LARGE ? Infinity : bytes.byteLength - (source.content?.size ?? 0);
    if (bytes === TOO_LARGE) break;
    const { path, filename = "", contentId, contentType = mediaTypeOf(filename) } = source;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await inspectContent(filename, buffer, {
      contentType,
      refuse: (message) => own(path, message),
      warn: (message) => warn(path, message),
    });
    read.push({
      filename,
      content: new Base64Content(bytes),
      ...(contentType !== undefined && { content_type: contentType }),
      ...(contentId !== undefined && { content_id: contentId }),
    });
  }
  checkTotal(total, read, report, warn);
  return read;
}

/** Undefined if it cannot be read or is empty. */
async function readContent(
  { path, content }: AttachmentSource,
  room: number,
  report: ReportProblem,
  { signal, late }: { readonly signal: AbortSignal | undefined; readonly late: AbortSignal },
) {
  if (content === undefined || content.size === 0) return undefined;
  try {
    const bytes = await content.read(room, signal === undefined ? late : AbortSignal.any([signal, late]));
    if (bytes === TOO_LARGE || bytes.byteLength > 0) return bytes;
    report(path, "is empty");
  } catch (error) {
    if (signal?.aborted) throw new SendAbortedError({ cause: error });
    report(path, problemOf(error));
  }
  return undefined;
}

/**
 * The only definition of 10 MB: a total that exceeds it in every interpretation is refused, one that exceeds it in some
 * is a warning.
 */
function checkTotal(
  total: number,
  read: readonly OutboundAttachment[],
  report: ReportProblem,
  warn: ReportProblem,
): void {
  if (total > ATTACHMENTS_BYTES) {
    const has = Number.isFinite(total) ? `has ${megabytes(total)} MB` : "has more than 10.48 MB";
    return report("attachments", `${has} in total; the limit is 10 MB`);
  }
  const encoded = read.reduce((sum, { content }) => sum + content.length, 0);
  if (encoded > ATTACHMENTS_BASE64_SURE)
    warn(
      "attachments",
      `has ${megabytes(total)} MB in total, ${megabytes(encoded)} MB in base64: the service's limit is 10 MB, but it does not say which of the two counts`,
    );
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

function checkUniqueIds(sources: readonly AttachmentSource[], reports: readonly ReportProblem[]): void {
  for (const [index, { contentId }] of sources.entries()) {
    const first = sources.findIndex((source) => source.contentId === contentId);
    if (contentId !== undefined && first < index)
      reports[index]?.(`attachments[${index}].contentId`, `is already used by attachments[${first}]`);
  }
}

/** Also before dots and spaces, which Windows drops. */
const NAMED_SVG = /\.svg[. ]*$/i;
const SVG_TYPE = /^image\/svg\+xml\b/i;

interface Inspection {
  /** The type that the application declared. */
  readonly contentType?: string | undefined;
  readonly refuse: (message: string) => void;
  readonly warn: (message: string) => void;
}

/**
 * Checks a file's content against its name. Refuses programs, disguised scripts, archives that contain a blocked name,
 * documents with macros and SVGs with scripts. Content that does not match the name is a warning.
 */
export async function inspectContent(
  filename: string,
  bytes: Buffer,
  { contentType = "", refuse, warn }: Inspection,
): Promise<void> {
  const program = programIn(bytes);
  if (program !== undefined)
    return refuse(`is a program (${program}), regardless of its name. Send a link to it instead.`);
  const kind = kindOf(bytes);
  const isBook = kind === "epub" && extensionOf(filename) === "epub";
  const { blocked, unread } = await inspectArchive(bytes, kind, { isBook });
  if (blocked !== undefined) return refuse(blocked);
  const active = NAMED_SVG.test(filename) || SVG_TYPE.test(contentType) ? scriptInSvg(bytes) : undefined;
  if (active !== undefined)
    return refuse(
      `is an SVG with ${active}, which can run code when it is opened. Remove it, send a PNG, or send a link instead.`,
    );
  if (unread !== undefined) warn(`is an archive that can't be checked: ${unread}`);

  const odd = mismatch(filename, kind, bytes);
  const script = scriptIn(bytes);
  const type = mediaTypeOf(filename);
  if (odd !== undefined && script !== undefined && type !== undefined && !isTextType(type))
    return refuse("is a script, regardless of its name. Send a link to it instead.");
  if (odd !== undefined) warn(odd);
  else if (script === "surely" && (type === undefined ? !filename.includes(".") : isTextType(type)))
    warn("begins like a script");
}

const TEXT_HEAD_BYTES = 4096;

/** How the content contradicts the name; undefined if it fits, or if the name implies nothing. */
function mismatch(filename: string, kind: string | undefined, bytes: Buffer): string | undefined {
  const named = extensionOf(filename);
  const type = mediaTypeOf(filename);
  if (type === undefined || (isTextType(type) && isText(bytes.subarray(0, TEXT_HEAD_BYTES)))) return undefined;
  if (kind === undefined)
    return isRecognised(named) && !isTextType(type) ? `does not look like a ${named} file` : undefined;
  const other = mediaTypeOf(`.${kind}`);
  return fits(kind, named) || other === type || areMedia(type, other)
    ? undefined
    : `looks like a ${kind} file, not a ${named} file`;
}

/** Containers for audio and video can have each other's contents. */
function areMedia(...types: (string | undefined)[]): boolean {
  return types.every((type) => type !== undefined && /^(?:audio|video)\//.test(type));
}
