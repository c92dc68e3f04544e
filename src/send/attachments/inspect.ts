import { inspectArchive } from "./archives/inspect-archive.js";
import { fits, isRecognised, kindOf } from "./kinds.js";
import { extensionOf, isTextType, mediaTypeOf } from "./media-types.js";
import { isText, programIn, scriptIn } from "./programs.js";
import { scriptInSvg } from "./svg-scripts.js";

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
