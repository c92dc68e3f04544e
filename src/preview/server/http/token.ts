import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { Refusal } from "../refusal.js";

const COOKIE_SECONDS = 30 * 24 * 60 * 60;

export function newToken(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * Lets in who has the token.
 *
 * @returns For who comes with it in the URL: the page's URL without it, and a cookie in its place.
 * @throws {Refusal} There is no token, or another one.
 */
export function letIn(c: Context, token: string): Response | undefined {
  const cookie = cookieName(token);
  if (c.req.path === "/" && isSame(c.req.query("token"), token)) {
    setCookie(c, cookie, token, {
      httpOnly: true,
      // Lax: a link to the page, in a chat for example, opens it. What writes, other pages can't ask for anyway.
      sameSite: "Lax",
      path: "/",
      maxAge: COOKIE_SECONDS,
      secure: c.req.header("x-forwarded-proto") === "https",
    });
    // Relative: a proxy may have put the page below a path.
    return c.redirect("./", 303);
  }
  if (isSame(getCookie(c, cookie), token)) return undefined;
  throw new Refusal(
    401,
    "This preview opens only with its token.",
    "Open the URL with `?token=` that the command printed when it started: in its terminal, or in the log of its container.",
  );
}

/** Cookies are shared by all ports of a host, and a container's port may be published as any: each token has its own. */
function cookieName(token: string): string {
  return `lettershop-preview-${digest(token).toString("hex").slice(0, 12)}`;
}

/** Takes as long whatever the difference is. */
function isSame(given: string | undefined, token: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
