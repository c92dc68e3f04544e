import { createRequire } from "node:module";
import { ConfigurationError } from "../../errors.js";
import { resolvePeer } from "../peer.js";

/** Moves CSS into the style attributes of HTML. */
export type InlineCss = (html: string, css: string) => string;

/**
 * Loads the project's installed inliner.
 *
 * @throws {MissingPeerError} It is not installed.
 */
export function loadJuice(folder: string, neededBy: string): InlineCss {
  const file = resolvePeer("juice", folder, neededBy);
  const juice: unknown = createRequire(file)(file);
  if (!isJuice(juice)) {
    throw new ConfigurationError(`The installed juice (${file}) is not a supported version.`, {
      hint: "Run: npm install --save-dev juice@11",
    });
  }
  return (html, css) => juice.inlineContent(html, css, OPTIONS);
}

/** Inline styles only; other attributes are up to the template's author. */
const OPTIONS = {
  preserveImportant: true,
  applyWidthAttributes: false,
  applyHeightAttributes: false,
  applyAttributesTableElements: false,
  inlinePseudoElements: false,
  resolveCSSVariables: false,
};

interface Juice {
  inlineContent(html: string, css: string, options: typeof OPTIONS): string;
}

function isJuice(value: unknown): value is Juice {
  return typeof value === "function" && "inlineContent" in value && typeof value.inlineContent === "function";
}
