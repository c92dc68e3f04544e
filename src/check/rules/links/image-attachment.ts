import type { BuiltInRule } from "../../rule.js";
import { schemeOf } from "../../lib/urls.js";
import { forEachAddress, shortUrl } from "../../lib/addresses.js";

export const imageAttachment: BuiltInRule = {
  id: "image-attachment",
  severity: "info",
  summary: "An image is an attachment, which every send has to include.",
  details: "An image's URL is `cid:…`: the image is an attachment of the email.",
  why:
    "Every send has to include an attachment with that content id ([RFC " +
    "2392](https://www.rfc-editor.org/rfc/rfc2392)), or the image is broken. The template cannot ensure that.",
  fix: "Pass the attachment with its `content_id` with every send, or put the image into `_assets`.",
  examples: {
    wrong: ['<img ‸src="cid:logo" alt="Fernhill">'],
    right: ['<img src="https://shop.example/logo.png" alt="Fernhill">'],
  },
  checkTemplate: forEachAddress((form) => {
    if (schemeOf(form) !== "cid") return undefined;
    const id = form.slice("cid:".length);
    if (id.trim() === "")
      return {
        severity: "error",
        message: "The image's `cid:` URL has no content id.",
        hint: "Write the attachment's content id after `cid:`.",
      };
    return {
      message: `${shortUrl(form)} is only shown if the send includes an attachment with the content_id "${id}".`,
      hint: `Pass it in attachments: { filename, content, contentId: "${id}" }.`,
    };
  }),
};
