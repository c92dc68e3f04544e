import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { PreviewRefusal } from "./refusal.js";

const COOKIE_SECONDS = 30 * 24 * 60 * 60;

export function newToken(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * Lets requests with the token through.
 *
 * @returns If the token is in the URL: a redirect to the page's URL without it, which sets a cookie instead.
 * @throws {Refusal} The token is missing or wrong.
 */
export function authorize(c: Context, token: string): Response | undefined {
  const cookie = cookieName(token);
  if (c.req.path === "/" && isSame(c.req.query("token"), token)) {
    setCookie(c, cookie, token, {
      httpOnly: true,
      // Lax: a link to the page opens it, in a chat for example. Other sites can't send requests that write anyway.
      sameSite: "Lax",
      path: "/",
      maxAge: COOKIE_SECONDS,
      secure: c.req.header("x-forwarded-proto") === "https",
    });
    // Relative, because a proxy may serve the page below a path.
    return c.redirect("./", 303);
  }
  if (isSame(getCookie(c, cookie), token)) return undefined;
  throw new PreviewRefusal(
    401,
    "This preview requires its token.",
    "Open the URL with `?token=` that the command printed when it started, in its terminal or in its container's log.",
  );
}

/**
 * All ports of a host share cookies, and a container's port may be published as any other, so each token has its own
 * cookie.
 */
function cookieName(token: string): string {
  return `lettershop-preview-${digest(token).toString("hex").slice(0, 12)}`;
}

/** Takes the same time wherever the tokens differ. */
function isSame(received: string | undefined, token: string): boolean {
  return received !== undefined && timingSafeEqual(digest(received), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
