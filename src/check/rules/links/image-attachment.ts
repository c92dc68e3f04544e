import type { Rule } from "../../rule.js";
import { schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";

export const imageAttachment: Rule = {
  id: "image-attachment",
  summary: "An image is an attachment, which every send has to include.",
  severity: "info",
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
      message: `${shown(form)} is only shown if the send includes an attachment with the content_id "${id}".`,
      hint: `Pass it in attachments: { filename, content, contentId: "${id}" }.`,
    };
  }),
};
