import { forEachProbedUrl } from "../../lib/probed-urls.js";
import type { BuiltInRule } from "../../rule.js";
import { shortUrl, isImage } from "../../lib/addresses.js";

export const imageContentType: BuiltInRule = {
  id: "image-content-type",
  severity: "error",
  needsNetwork: true,
  summary: "An image's URL returns something that is not an image.",
  details: "With `--network`: an image's URL returns something that is not an image.",
  why:
    "Email clients and their image proxies show only what is declared as an image: `Content-Type: image/…` ([RFC " +
    "9110, section 8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.3)). Servers often return a page in place " +
    "of an image that no longer exists.",
  fix: "Use the URL of the image itself.",
  checkAll: forEachProbedUrl(({ form, address, probe }) => {
    if (!isImage(address) || probe.kind === "failed" || probe.status >= 400) return undefined;
    const type = probe.contentType;
    if (type === undefined || type.startsWith("image/") || type === "application/octet-stream") return undefined;
    return {
      message: `${shortUrl(form)} is not an image: its content type is ${type}.`,
      hint: "Use the URL of the image itself.",
    };
  }),
};
