import type { MiddlewareHandler } from "hono";
import { type ApiError, notFound } from "./api-error.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { refuseLocked } from "../account/plan.js";
import type { AccountRecord } from "../store/accounts.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";

const unknownDomain = notFound("There is no such domain in this account.");

/**
 * Sets the domain that the path names. Responds with 404 for a domain of another account, then with 403 to changes by a
 * locked account.
 */
export function ownDomain({ store }: ServiceContext): MiddlewareHandler<ApiEnv, "/domains/:domain"> {
  return async (c, next) => {
    const account = c.get("account");
    c.set("domain", findOwnDomain(store, account, c.req.param("domain")));
    refuseLocked(account, c.req.method);
    await next();
  };
}

/** @throws ApiError (404) if the account has no domain of this name. */
export function findOwnDomain(store: Store, account: AccountRecord, name: string): DomainRecord {
  const domain = store.domains.find(account.id, name);
  if (!domain) throw unknownDomain;
  return domain;
}

/**
 * The refusal for a request whose domain was deleted meanwhile: the database rejects rows without a domain. Undefined
 * for any other error.
 */
export function refusalOfDeletedDomain(error: Error): ApiError | undefined {
  const SQLITE_CONSTRAINT_FOREIGNKEY = 787;
  return "errcode" in error && error.errcode === SQLITE_CONSTRAINT_FOREIGNKEY ? unknownDomain : undefined;
}
