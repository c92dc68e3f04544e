import type { Rule } from "../../rule.js";
import { schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";

export const imageAttachment: Rule = {
  id: "image-attachment",
  summary: "An image is an attachment that every send has to bring.",
  severity: "info",
  checkTemplate: forEachAddress((form) => {
    if (schemeOf(form) !== "cid") return undefined;
    const id = form.slice("cid:".length);
    if (id.trim() === "")
      return {
        severity: "error",
        message: "The image's cid: names no attachment.",
        hint: "Write the attachment's content id after cid:.",
      };
    return {
      message: `${shown(form)} is shown only if the send brings an attachment whose content_id is "${id}".`,
      hint: `Pass it in attachments, as { filename, content, contentId: "${id}" }.`,
    };
  }),
};
