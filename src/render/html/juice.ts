import { createRequire } from "node:module";
import { ConfigurationError } from "../../errors.js";
import { resolvePeer } from "../peer.js";

/** Puts CSS into the style attributes of html. */
export type InlineCss = (html: string, css: string) => string;

/**
 * The inliner, as the project has it installed.
 *
 * @throws {MissingPeerError} It is not installed.
 */
export function loadJuice(folder: string, neededBy: string): InlineCss {
  const file = resolvePeer("juice", folder, neededBy);
  const juice: unknown = createRequire(file)(file);
  if (!isJuice(juice)) {
    throw new ConfigurationError(`The installed juice (${file}) is not a version that lettershop knows.`, {
      hint: "Run: npm install --save-dev juice@11",
    });
  }
  return (html, css) => juice.inlineContent(html, css, OPTIONS);
}

/** Styles alone; what an email needs else, its author writes. */
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
