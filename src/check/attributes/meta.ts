import { nearest } from "../../nearest.js";
import { typoOf } from "../css/typo.js";
import type { Mistake } from "../mistake.js";
import { notOneOf } from "./one-of.js";

type Attributes = ReadonlyMap<string, string>;

/** What is wrong with one of the values of `<meta>`. */
export function mistakeInMeta(attribute: string, value: string, attributes: Attributes): Mistake | undefined {
  if (attribute === "name") return misspelt(attribute, value, NAMES);
  if (attribute === "http-equiv") return misspelt(attribute, value, EQUIVALENTS);
  if (attribute !== "content") return undefined;
  const equivalent = attributes.get("http-equiv")?.trim().toLowerCase();
  if (equivalent === "content-type") return mistakeInType(value);
  if (equivalent === "x-ua-compatible") return misspelt("content", value, ["IE=edge"]);
  const name = attributes.get("name")?.trim().toLowerCase() ?? "";
  if (name === "viewport") return mistakeInViewport(value);
  if (name === "format-detection") return mistakeInDetection(value);
  return name === "color-scheme" || name === "supported-color-schemes" ? mistakeInSchemes(name, value) : undefined;
}

const NAMES = [
  "viewport",
  "color-scheme",
  "supported-color-schemes",
  "x-apple-disable-message-reformatting",
  "format-detection",
  "theme-color",
  "description",
  "author",
  "robots",
  "generator",
  "keywords",
  "referrer",
  "progid",
  "application-name",
  "apple-mobile-web-app-capable",
];
const EQUIVALENTS = [
  "Content-Type",
  "Content-Language",
  "Content-Security-Policy",
  "Content-Style-Type",
  "Content-Script-Type",
  "X-UA-Compatible",
  "Cache-Control",
  "Refresh",
  "Expires",
  "Pragma",
];

/** One of many, and one's own are fine: only what is nearly one of them is a mistake. */
function misspelt(attribute: string, value: string, known: readonly string[]): Mistake | undefined {
  if (known.some((each) => each.toLowerCase() === value.toLowerCase())) return undefined;
  const meant = typoOf(value, known);
  if (meant === undefined) return undefined;
  return {
    message: `\`${value}\` is no value of \`${attribute}\` that mail clients know.`,
    hint: `Did you mean \`${meant}\`?`,
  };
}

function mistakeInType(value: string): Mistake | undefined {
  if (
    /^(?:text\/html|application\/xhtml\+xml|text\/xhtml)\s*(?:;\s*(?:charset\s*=\s*["']?[\w:.-]+["']?\s*;?\s*)?)?$/i.test(
      value,
    )
  )
    return undefined;
  return {
    message: `\`${value}\` is no content type: mail clients may not see which characters the body has.`,
    hint: 'Write `<meta charset="utf-8">`, or `content="text/html; charset=utf-8"`.',
  };
}

const VIEWPORT: Readonly<Record<string, RegExp>> = {
  width: /^(?:device-width|device-height|\d+(?:px)?)$/,
  height: /^(?:device-width|device-height|\d+(?:px)?)$/,
  "initial-scale": /^\d*\.?\d+$|^\d+\.$/,
  "minimum-scale": /^\d*\.?\d+$|^\d+\.$/,
  "maximum-scale": /^\d*\.?\d+$|^\d+\.$/,
  "user-scalable": /^(?:yes|no|[\d.]+)$/,
  "shrink-to-fit": /^(?:yes|no)$/,
  "viewport-fit": /^(?:auto|contain|cover)$/,
  "interactive-widget": /^(?:resizes-visual|resizes-content|overlays-content)$/,
};
const VIEWPORT_WORDS = ["device-width", "device-height"];

function mistakeInViewport(value: string): Mistake | undefined {
  const hint = 'Write `content="width=device-width, initial-scale=1"`.';
  const parts = value
    .toLowerCase()
    .replaceAll(/\s*=\s*/g, "=")
    .split(/[\s,;]+/);
  for (const part of parts.filter((each) => each !== "")) {
    const [name = "", said] = part.split("=", 2);
    const takes = Object.hasOwn(VIEWPORT, name) ? VIEWPORT[name] : undefined;
    const message = (what: string): string =>
      `${what} in the viewport \`${value}\`: mail clients ignore that part of it.`;
    if (/^[\w-]+:/.test(part)) return { message: message(`There is a colon in the place of the =`), hint };
    if (said === undefined || said === "") {
      const isPart = takes !== undefined || typoOf(name, Object.keys(VIEWPORT)) !== undefined;
      if (isPart) return { message: message(`\`${name}\` has no value`), hint };
    } else if (takes?.test(said) === false) {
      const meant = nearest(said, VIEWPORT_WORDS);
      const mended = meant !== undefined && takes.test(meant) ? `Write \`${name}=${meant}\`.` : hint;
      return { message: message(`\`${said}\` is no value of \`${name}\``), hint: mended };
    }
    const meant = takes ? undefined : typoOf(name, Object.keys(VIEWPORT));
    if (meant !== undefined) return { message: message(`There is no \`${name}\``), hint: `Did you mean \`${meant}\`?` };
  }
  return undefined;
}

const SCHEMES = ["light", "dark", "only", "normal"];

function mistakeInSchemes(name: string, value: string): Mistake | undefined {
  const words = value.toLowerCase().split(/\s+/);
  const wrong = words.find((word) => !SCHEMES.includes(word));
  if (wrong === undefined) return undefined;
  if (wrong.includes(","))
    return {
      message: `There is a comma in \`${value}\`: mail clients don't take it as a list of colour schemes.`,
      hint: `Write \`content="${words
        .join(" ")
        .replaceAll(/[\s,]+/g, " ")
        .trim()}"\`.`,
    };
  const nearby = SCHEMES.slice(0, 2).find((scheme) => scheme.charAt(0) === wrong.charAt(0));
  const meant = nearest(wrong, SCHEMES) ?? nearby;
  return {
    message: `\`${wrong}\` is no colour scheme: mail clients ignore it in \`${name}\`.`,
    hint: meant === undefined ? "Write `light dark`, `light` or `dark`." : `Did you mean \`${meant}\`?`,
  };
}

const DETECTED = ["telephone", "date", "address", "email", "url"];

function mistakeInDetection(value: string): Mistake | undefined {
  for (const part of value.split(/[,;]/).map((each) => each.trim())) {
    const [name = "", said] = part.split(/\s*=\s*/, 2);
    if (part === "" || (DETECTED.includes(name.toLowerCase()) && said !== undefined && /^(?:yes|no)$/i.test(said)))
      continue;
    const isKnown = DETECTED.includes(name.toLowerCase());
    const meant = isKnown ? name : name.length < 3 ? undefined : nearest(name, DETECTED);
    if (isKnown && said !== undefined) return notOneOf(said, name, ["no", "yes"]);
    if (meant !== undefined || /^(?:telephone|date|address|email|url)\s*[:\s]/i.test(part))
      return {
        message: `\`${part}\` says nothing in \`format-detection\`: mail clients ignore it.`,
        hint: `Write \`${meant ?? /^\w+/.exec(part)?.[0] ?? ""}=no\`.`,
      };
  }
  return undefined;
}
