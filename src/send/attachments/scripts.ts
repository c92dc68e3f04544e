import { isText } from "./programs.js";

/** How texts begin that a shell, Windows, its script host or PHP runs, or that Windows follows. */
const BEGINNING =
  /^\uFEFF?\s*(?:#! ?\/|@echo off\b|\[InternetShortcut\]|<\?php\b|(?:<\?xml[^>]*>\s*)?<(?:job|package|component|scriptlet)\b)/i;
const HTML_APPLICATION = /<hta:application\b/i;
/** What scripts have in them, and also texts about scripts. */
const PARTS =
  /<script[\s>]|\b(?:WScript\.|CreateObject\s*\(|new ActiveXObject\b|Invoke-Expression\b|powershell(?:\.exe)?\s+-)/i;

/** As much of a text as is looked at. */
const HEAD_BYTES = 16 * 1024;

/**
 * Whether some program would run a text: `surely` by how it begins, `perhaps` where it may as well be a text about scripts.
 */
export function scriptIn(bytes: Buffer): "surely" | "perhaps" | undefined {
  const text = headOf(bytes);
  if (BEGINNING.test(text) || HTML_APPLICATION.test(text)) return "surely";
  return PARTS.test(text) ? "perhaps" : undefined;
}

/** Windows takes scripts in UTF-16, too. */
function headOf(bytes: Buffer): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString("utf16le", 2);
  return isText(head) ? head.toString() : "";
}
