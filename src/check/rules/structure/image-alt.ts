import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { SPREAD } from "../../document/written-tag.js";
import { nameOf } from "./accessible-name.js";
import { type SourceTag, sourceTag } from "./written.js";

export const imageAlt: Rule = {
  id: "image-alt",
  summary: "An image has no alt text, or one that says nothing.",
  severity: "warning",
  checkTemplate({ document }) {
    const findings = document.named("img").flatMap((image) => checkImage(document, image));
    // One of several images, or a list of them, is written in one place.
    const places = findings.map(({ at }) => JSON.stringify(at));
    return findings.filter(({ at }, index) => !at?.line || places.indexOf(JSON.stringify(at)) === index);
  },
};

function checkImage(document: EmailDocument, image: EmailElement): Finding[] {
  const alt = image.attribute("alt")?.trim();
  const shown = image.attribute("src") || "without an address";
  const at = image.at();
  const link = image.ancestors.find(({ name }) => name === "a");
  const isHiddenFromReaders = [image, ...image.ancestors].some((each) => each.attribute("aria-hidden") === "true");
  if (isHiddenFromReaders) return [];
  if (alt === undefined || alt === "") {
    if (link && isNamedBeside(document, link)) return [];
    if (link && nameOf(link) === "") {
      const message = `The image ${shown} has no alt text and is all that its link holds.`;
      const cause = "An image has no alt text and is all that its link holds.";
      return [{ message, cause, at, hint: "Say where the link leads." }];
    }
    const tag = sourceTag(document, image);
    if (alt === "" && !(tag && leavesOutAlt(tag) && !isDecoration(image))) return [];
    const edits = isDecoration(image) && tag ? { edits: [tag.add('alt=""')] } : {};
    const hint = 'Say what it shows; `alt=""` if it is only decoration.';
    return [{ message: `The image ${shown} has no alt text.`, cause: "An image has no alt text.", at, hint, ...edits }];
  }
  if (FILE_NAME.test(alt) || SAYS_NOTHING.test(alt)) {
    const message = `The alt text "${alt}" of the image ${shown} is read aloud, and says nothing.`;
    return [{ message, at: image.at("alt"), hint: 'Say what it shows; `alt=""` if it is only decoration.' }];
  }
  if (link && saysTwice(link, alt)) {
    const message = `The alt text "${alt}" is also the text beside the image: screen readers say it twice.`;
    return [{ message, at: image.at("alt"), hint: 'Write `alt=""`.', severity: "info" }];
  }
  return [];
}

/** The icon of an mj-social-element, whose label is a link of its own. */
function isNamedBeside(document: EmailDocument, link: EmailElement): boolean {
  if (!isOfSocial(link)) return false;
  const href = link.attribute("href");
  return document.named("a").some((each) => isOfSocial(each) && each.attribute("href") === href && nameOf(each) !== "");
}

function isOfSocial(element: EmailElement): boolean {
  const placed = [element, ...element.ancestors].find(({ place }) => place);
  return placed?.writtenAs?.toLowerCase() === "mj-social-element";
}

/** MJML, and React Email since version 6, write an empty one where there is none: nobody decided that. */
function leavesOutAlt(tag: SourceTag): boolean {
  return ["mj-image", "Img"].includes(tag.name) && !["alt", "mj-class", SPREAD].some((each) => tag.has(each));
}

/** A spacer or a tracking pixel. */
function isDecoration(image: EmailElement): boolean {
  const sizes = ["width", "height"].map((side) => image.attribute(side) ?? image.styleValue(side));
  return (
    sizes.every((size) => size !== undefined && /^[01](?:px)?$/.test(size.trim())) ||
    SPACER.test(image.attribute("src") ?? "")
  );
}

const SPACER = /(?:^|[/_-])(?:spacer|pixel|blank|transparent|clear)\.(?:gif|png)(?:$|[?#])/i;
const FILE_NAME = /^\S*\.(?:png|jpe?g|gif|webp|svg|bmp|avif)$/i;
const SAYS_NOTHING =
  /^(?:image|img|picture|photo|pic|graphic|icon|alt|alt text|spacer|placeholder|untitled|bild|imagen|imagem|immagine)\s*\d*$/i;

function saysTwice(link: EmailElement, alt: string): boolean {
  const text = link.text.replaceAll(/\s+/g, " ").trim();
  return !alt.includes("{{") && text.toLowerCase() === alt.toLowerCase();
}
