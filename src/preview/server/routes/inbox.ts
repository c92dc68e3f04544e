import { Hono } from "hono";
import { SANDBOX } from "../http/headers.js";
import { Refusal } from "../refusal.js";
import type { RouteContext } from "./context.js";

/** Serves the emails that the local service captured. */
export function inboxRoutes({ access: { inbox } }: RouteContext): Hono {
  return new Hono()
    .get("/inbox", async (c) => c.json(inbox ? await inbox.list() : []))
    .delete("/inbox", async (c) => {
      await inbox?.deleteAll();
      return c.body(null, 204);
    })
    .get("/inbox-count", async (c) => c.json(inbox ? await inbox.count() : 0))
    .get("/inbox/:id", async (c) => {
      const mail = await inbox?.open(c.req.param("id"));
      if (!mail) throw new Refusal(404, "This email was deleted or is no longer in the log.");
      return c.json(mail);
    })
    .delete("/inbox/:id", async (c) => {
      await inbox?.delete(c.req.param("id"));
      return c.body(null, 204);
    })
    .get("/inbox/:id/attachments/:index{[0-9]{1,4}}", async (c) => {
      const attachment = await inbox?.attachment(c.req.param("id"), Number(c.req.param("index")));
      if (!attachment) throw new Refusal(404, "This attachment no longer exists.");
      const { filename, contentType, content } = attachment;
      return c.body(new Uint8Array(content), 200, {
        // An unusual type might not be a valid header value.
        "Content-Type": /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : "application/octet-stream",
        "Content-Disposition": `attachment; filename*=UTF-8''${encodeFilename(filename)}`,
        "Content-Security-Policy": SANDBOX,
      });
    });
}

/** Encoded as in RFC 8187. */
function encodeFilename(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, "_")).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}
