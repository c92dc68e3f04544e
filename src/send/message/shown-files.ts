import type { Report } from "./report.js";

/**
 * Reports a `cid:` in the HTML that no attachment has, and an attachment with a content id that the HTML does not use.
 *
 * @param attachments As the application passed them, valid or not.
 */
export async function checkShownFiles(html: string, attachments: unknown, report: Report): Promise<void> {
  const ids = Array.isArray(attachments) ? attachments.map(contentIdOf) : [];
  if (ids.length === 0 && !/cid|&#/i.test(html)) return;
  const { checkContentIds } = await import("../attachments/content-ids.js");
  checkContentIds(html, ids, report);
}

function contentIdOf(attachment: unknown): { readonly content_id?: string } {
  const isObject = typeof attachment === "object" && attachment !== null;
  const id: unknown = isObject && "contentId" in attachment ? attachment.contentId : undefined;
  return typeof id === "string" ? { content_id: id } : {};
}
