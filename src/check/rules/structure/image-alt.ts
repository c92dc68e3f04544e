import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { SPREAD } from "../../document/written-tag.js";
import { accessibleName } from "../../lib/texts.js";

export const imageAlt: BuiltInRule = {
  id: "image-alt",
  severity: "warning",
  summary: "An image has no alt text, or its alt text says nothing.",
  details:
    "An image has no alt text, a link contains nothing but an image without one, or the alt text says nothing, " +
    "such as a file name.",
  why:
    "Many clients block images at first, and screen readers read the alt text instead, or the URL if there is " +
    "none: [WCAG 1.1.1, Non-text Content](https://www.w3.org/WAI/WCAG22/Understanding/non-text-content). If the " +
    "alt text repeats the words next to the image in the same link, screen readers read them twice. MJML adds " +
    '`alt=""` to an `<mj-image>` without one, and so does React Email 6 to an `<Img>`; these are reported too, ' +
    "because nobody decided that the image is decorative.",
  fix:
    'Say what the image shows, or where its link leads. Write `alt=""` if it is only decoration; `templates ' +
    "check --fix` does that for spacers and tracking pixels.",
  examples: {
    wrong: [
      '‸<img src="https://shop.example/tea.png">',
      '<img src="https://shop.example/tea.png" ‸alt="tea.png">',
      '<a href="https://shop.example">‸<img src="https://shop.example/logo.png" alt=""></a>',
    ],
    right: [
      '<img src="https://shop.example/tea.png" alt="A tin of tea">',
      '<img src="https://shop.example/line.png" alt="">',
    ],
  },
  checkTemplate({ document }) {
    const findings = document.named("img").flatMap((image) => checkImage(image) ?? []);
    // A list of images, or one image in several sections, is written in one place.
    const places = findings.map(({ at }) => JSON.stringify(at));
    return findings.filter(({ at }, index) => !at?.line || places.indexOf(JSON.stringify(at)) === index);
  },
};

function checkImage(image: EmailElement): Finding | undefined {
  const alt = image.attribute("alt")?.trim();
  const shown = image.attribute("src") || "without a URL";
  const at = image.at();
  const link = image.ancestors.find(({ name }) => name === "a");
  const isHiddenFromReaders = [image, ...image.ancestors].some((each) => each.attribute("aria-hidden") === "true");
  if (isHiddenFromReaders) return undefined;
  if (alt === undefined || alt === "") {
    if (link && isNamedBeside(link)) return undefined;
    if (link && accessibleName(link) === "") {
      const message = `The image ${shown} has no alt text and is the only content of its link.`;
      const cause = "An image has no alt text and is the only content of its link.";
      return { message, cause, at, hint: "Say where the link leads." };
    }
    if (alt === "" && (!leavesOutAlt(image) || isDecoration(image))) return undefined;
    const edit = isDecoration(image) && image.editAdding('alt=""');
    return {
      message: `The image ${shown} has no alt text.`,
      cause: "An image has no alt text.",
      at,
      hint: SAY_WHAT,
      ...(edit && { edits: [edit] }),
    };
  }
  if (FILE_NAME.test(alt) || SAYS_NOTHING.test(alt)) {
    const message = `The alt text "${alt}" of the image ${shown} is read aloud but says nothing.`;
    return { message, at: image.at("alt"), hint: SAY_WHAT };
  }
  if (link && saysTwice(link, alt)) {
    const message = `The alt text "${alt}" repeats the text next to the image: screen readers read it twice.`;
    return { message, at: image.at("alt"), hint: 'Write `alt=""`.', severity: "info" };
  }
  return undefined;
}

const SAY_WHAT = 'Say what it shows; `alt=""` if it is only decoration.';

/** Whether this is the icon of an mj-social-element whose label is a separate link. */
function isNamedBeside(link: EmailElement): boolean {
  if (!isOfSocial(link)) return false;
  const href = link.attribute("href");
  return link.document
    .named("a")
    .some((each) => isOfSocial(each) && each.attribute("href") === href && accessibleName(each) !== "");
}

function isOfSocial(element: EmailElement): boolean {
  const placed = [element, ...element.ancestors].find(({ place }) => place);
  return placed?.writtenAs?.toLowerCase() === "mj-social-element";
}

/** MJML and React Email 6 add an empty alt text where there is none, which nobody decided on. */
function leavesOutAlt(image: EmailElement): boolean {
  const isOfLibrary = /^(?:mj-image|Img)$/.test(image.sourceTag?.name ?? "");
  return isOfLibrary && !["alt", "mj-class", SPREAD].some((name) => image.hasWritten(name));
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
