import type { MiddlewareHandler } from "hono";
import { ApiError } from "./api-error.js";
import type { ApiEnv } from "../context.js";
import type { AccountStore } from "../store/accounts.js";

const USER = "api";

/** Requires an account's API key (part 5) and sets the request's account. */
export function authenticate(accounts: AccountStore): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const apiKey = readApiKey(c.req.header("authorization"));
    const account = apiKey === undefined ? undefined : accounts.findByKey(apiKey);
    if (!account) {
      c.header("WWW-Authenticate", 'Basic realm="lettershop", charset="UTF-8"');
      throw new ApiError(
        401,
        apiKey === undefined
          ? "Credentials are missing: use HTTP Basic authentication with the user name api."
          : "The API key is not valid.",
      );
    }
    c.set("account", account);
    await next();
  };
}

/** The password in `Basic base64("api:<key>")`. */
function readApiKey(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const credentials = Buffer.from(encoded, "base64").toString("utf8");
  return credentials.startsWith(`${USER}:`) ? credentials.slice(USER.length + 1) : undefined;
}
