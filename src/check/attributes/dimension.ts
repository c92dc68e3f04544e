import type { Mistake } from "../mistake.js";

/**
 * What is wrong with a width or a height: a number of pixels, or a percentage. Mail clients read the digits that it begins
 * with, and forget the rest.
 *
 * @example
 * mistakeInDimension("width", "60px0"); // { message: "…", hint: "Write `60`." }
 */
export function mistakeInDimension(attribute: string, value: string): Mistake | undefined {
  if (/^(?:\d+\.?\d*|\.\d+)\s*(?:px|%)?$|^\d*\*$|^auto$/i.test(value) && !/\s%$/.test(value)) return undefined;
  const [number = "", digits = "", sign = ""] = /^(\d+(?:\.\d+)?)\s*(%|)/.exec(value) ?? [];
  if (number === "")
    return {
      message: `\`${value}\` is no value of \`${attribute}\`: mail clients ignore it.`,
      hint: 'Write a number of pixels, or a percentage: "600", "100%".',
    };
  const read = value.startsWith(`${digits}%`) ? `${digits}%` : `${digits} pixels`;
  return {
    message: `\`${value}\` is no value of \`${attribute}\`: mail clients take it for ${read}.`,
    hint: `Write \`${digits}${sign}\`, if that is meant.`,
  };
}

/** The same of what is counted in pixels alone: `cellpadding`, `border`. */
export function mistakeInPixels(attribute: string, value: string): Mistake | undefined {
  if (/^\d+\s*(?:px|%)?$/i.test(value)) return undefined;
  return {
    message: `\`${value}\` is no value of \`${attribute}\`: mail clients read the digits that it begins with, or ignore it.`,
    hint: `Write a number of pixels: \`${attribute}="${/^\d+/.exec(value)?.[0] ?? 0}"\`.`,
  };
}

/** The same of a plain number: `colspan`. */
export function mistakeInCount(attribute: string, value: string): Mistake | undefined {
  if (/^\d+$/.test(value)) return undefined;
  const meant = NUMBERS.indexOf(value.toLowerCase());
  return {
    message: `\`${value}\` is no value of \`${attribute}\`, which takes a number: mail clients ignore it.`,
    hint: `Write it in digits: \`${attribute}="${meant < 0 ? (/\d+/.exec(value)?.[0] ?? 2) : meant}"\`.`,
  };
}

const NUMBERS = "zero one two three four five six seven eight nine ten".split(" ");
