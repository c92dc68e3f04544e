import { isTextType, mediaTypeOf } from "./media-types.js";
import { kindOf, mismatch } from "./kinds.js";
import { lookIntoArchive } from "./archives/look.js";
import { programIn } from "./programs.js";
import { scriptIn } from "./scripts.js";

/** Extensions of Office by which a recipient is asked before macros run. */
const OF_MACROS = /\.(?:do[ct]m|xl[sta]m|xlsb|p(?:pt|ot|ps|pa)m|sldm)$/i;

/** Tells of a file what is wrong with it, or what is odd. */
export type Tell = (message: string) => void;

/**
 * Reads a file's content against its name. Programs, scripts under the name of something else and archives with a blocked name
 * in them cannot be sent; another type than the name says is odd.
 */
export async function inspectContent(
  filename: string,
  bytes: Buffer,
  { refuse, warn }: { readonly refuse: Tell; readonly warn: Tell },
): Promise<void> {
  const program = programIn(bytes);
  if (program !== undefined) return refuse(`is a program (${program}), whatever its name says`);
  const kind = await kindOf(bytes);
  const { blocked, unread, hasMacros } = await lookIntoArchive(bytes, kind);
  if (blocked !== undefined) return refuse(blocked);
  if (hasMacros === true && !OF_MACROS.test(filename))
    return refuse("is a document with macros, which its name does not say: its extension is docm, xlsm or pptm");
  if (unread !== undefined) warn(`is an archive that cannot be looked into: ${unread}`);

  const odd = await mismatch(filename, kind, bytes);
  const script = scriptIn(bytes);
  const type = mediaTypeOf(filename);
  if (odd !== undefined && script !== undefined && type !== undefined && !isTextType(type))
    return refuse("is a script, whatever its name says");
  if (odd !== undefined) warn(odd);
  else if (script === "surely" && (type === undefined ? !filename.includes(".") : isTextType(type)))
    warn("begins as a script does");
}
