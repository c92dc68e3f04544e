import type { BuiltInRule } from "../../rule.js";
import { decoded } from "../../lib/urls.js";
import { forEachAddress, shortUrl } from "../../lib/addresses.js";

export const anchorMissing: BuiltInRule = {
  id: "anchor-missing",
  severity: "warning",
  summary: "A link points to an anchor that does not exist in the email.",
  details: "A link such as `#prices` points to an element that does not exist in the email.",
  why:
    "The link does nothing. Even if the element exists, only some email clients jump to it: see " +
    "[caniemail.com](https://www.caniemail.com/features/html-anchor-links/). `#top` and ids that contain a tag are " +
    "not checked.",
  fix: "Add the id to the target element, or use a full URL.",
  examples: {
    wrong: ['<a ‸href="#prices">Prices</a>'],
    right: [
      `<a href="#prices">Prices</a>
<h2 id="prices">Prices</h2>`,
      '<a href="#top">Back to the top</a>',
    ],
  },
  checkTemplate(checked) {
    const anchors = checked.document.elements.flatMap(({ attributes }) =>
      ["id", "name"].flatMap((name) => attributes.get(name)?.trim() ?? []),
    );
    // A tag may print any anchor.
    if (anchors.some((anchor) => anchor.includes("{{"))) return [];
    const check = forEachAddress((form, { use, element }) => {
      const [, name] = /^#(?!(?:|!|top)$|.*\{\{)(.*)$/s.exec(form) ?? [];
      // MJML's carousel adds such links.
      const isMadeByMjml = /(?:^|\s)mj-/.test(element?.attribute("class") ?? "");
      if (name === undefined || use !== "link" || isMadeByMjml) return undefined;
      if (anchors.includes(name) || anchors.includes(decoded(name))) return undefined;
      return {
        message: `${shortUrl(form)} points to an element with the id "${name}", which does not exist in the email.`,
        hint: `Add \`id="${name}"\` to the target element, or use a full URL.`,
      };
    });
    return check(checked);
  },
};
