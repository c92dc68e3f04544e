import { setImmediate as nextTurn } from "node:timers/promises";
import type { z } from "zod";
import { domainChangesSchema } from "../../api/contract/v3/domains.js";
import type { logListQuery } from "../../api/contract/v3/logs.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import { refuseLocked, requirePaidPlan } from "../account.js";
import type { ServiceContext } from "../context.js";
import { credentialWriteHandlers } from "../credentials.js";
import { checkDns } from "../dns/check.js";
import { addDomain, changeDomain } from "../domains.js";
import type { HandlersV3, HandlersV4 } from "../endpoints.js";
import { aliasAddresses } from "../logs/alias-addresses.js";
import { findLogEntry, isLogId, positionOf } from "../logs/log-query.js";
import type { DomainRecord } from "../store/domains.js";
import type { LogSelection } from "../store/log-filter.js";
import type { LogEntryRecord } from "../store/log-rows.js";
import { aliasHandlersV3 } from "./aliases.js";
import { accountV3, credentialV3, domainV3, logEntryV3, withSuccess } from "./records.js";
import { ruleHandlersV3 } from "./rules.js";

/** Version 3's endpoints, on top of version 4's. */
export function handlersV3(context: ServiceContext, v4: HandlersV4): HandlersV3 {
  return {
    ...accountHandlersV3(context),
    ...domainHandlersV3(context, v4),
    ...aliasHandlersV3(context, v4),
    ...ruleHandlersV3(context, v4),
    ...logHandlersV3(context, v4),
    ...credentialHandlersV3(context),
    // "Also" with `success` (part 4).
    "emails.send": withSuccess(v4["emails.send"]),
    "templates.list": withSuccess(v4["templates.list"]),
    "templates.get": withSuccess(v4["templates.get"]),
    "templates.create": withSuccess(v4["templates.create"]),
    "templates.update": withSuccess(v4["templates.update"]),
    "templates.delete": withSuccess(v4["templates.delete"]),
  };
}

function accountHandlersV3({ store }: ServiceContext): HandlersV3<"account"> {
  return {
    "account.get": ({ account }) => ({ account: accountV3(account), success: true }),
    "account.whitelabels": ({ account: { id, profile } }) => {
      const names = new Set([...profile.whitelabels, ...store.domains.whitelabels(id)]);
      return { whitelabels: [...names].toSorted().map((name) => ({ name })), success: true };
    },
  };
}

function domainHandlersV3(context: ServiceContext, v4: HandlersV4<"domains">): HandlersV3<"domains"> {
  const { store, dns } = context;
  return {
    "domains.list": ({ account, query }) => {
      const { q, is_active, limit, page } = query();
      const { rows, total } = store.domains.list(
        account.id,
        { query: q, forwardingReady: is_active && is_active === "1" },
        { order: "name_asc", limit, page },
      );
      const domains = rows.map((domain) => domainV3(domain, account, store));
      return { domains, total, limit, page, success: true };
    },
    "domains.create": async ({ account, body }) => {
      refuseLocked(account, "POST");
      return { domain: domainV3(addDomain(context, account, await body()), account, store), success: true };
    },
    "domains.get": ({ account, domain }) => ({ domain: domainV3(domain, account, store), success: true }),
    "domains.update": async ({ account, domain: { name }, body }) => {
      const domain = changeDomain(context, account, name, domainChangesSchema, await body());
      return { domain: domainV3(domain, account, store), success: true };
    },
    "domains.check": async ({ domain }) => {
      const records = await checkDns(domain, store, dns);
      return { records, success: records.mx.valid };
    },
    "domains.delete": withSuccess(v4["domains.delete"]),
  };
}

function credentialHandlersV3(context: ServiceContext): HandlersV3<"credentials"> {
  const write = credentialWriteHandlers(context, credentialV3);
  return {
    "credentials.list": ({ account, domain, query }) => {
      requirePaidPlan(account);
      // Responses of version 3 do not contain the page number.
      const { limit, page } = query();
      const records = context.store.credentials.list(domain.id, { limit, page });
      return { credentials: records.map(credentialV3), success: true };
    },
    "credentials.create": withSuccess(write["credentials.create"]),
    "credentials.update": withSuccess(write["credentials.update"]),
    "credentials.delete": withSuccess(write["credentials.delete"]),
  };
}

/** Entries per page, which the document does not specify. */
const PAGE = 100;
/** Maximum number of found entries that are read before other requests get their turn. */
const SLICE = 1_000;
const SECOND_MS = 1_000;

const bounces: readonly LogStatus[] = ["SOFT-BOUNCE", "HARD-BOUNCE", "BOUNCED"];

function logHandlersV3({ store, logSearch }: ServiceContext, v4: HandlersV4<"logs">): HandlersV3<"logs"> {
  const { logs } = store;

  /** A page, newest first, after the entry that the query names. */
  function page({ id }: DomainRecord, filter: LogSelection, { next_cursor }: z.output<typeof logListQuery>): object {
    const from = next_cursor === undefined ? undefined : positionOf(logs, id, { next_cursor }, "desc");
    // The cursor's own entry, plus one that shows whether there is more.
    const entries = logs
      .list(id, filter, { order: "desc", from, limit: PAGE + 2 })
      .filter((each) => each.id !== next_cursor);
    const shown = entries.slice(0, PAGE);
    const last = entries.length > PAGE ? shown.at(-1)?.id : undefined;
    return { logs: shown.map(logEntryV3), next_cursor: last ?? null, success: true };
  }

  function entry({ id: domainId }: DomainRecord, id: string): object {
    return { ...logEntryV3(findLogEntry(logs, domainId, id)), success: true };
  }

  return {
    "logs.list": ({ domain, query }) => page(domain, {}, query()),
    "logs.count": withSuccess(v4["logs.count"]),
    "logs.search": async ({ domain, query }) => {
      const { filter, text, order, after, before } = query();
      const found = await logSearch.find(domain.id, {
        text,
        filter: {
          ...(filter === "failure" && { status: bounces }),
          times: { from: after * SECOND_MS, until: (before + 1) * SECOND_MS },
        },
        horizon: logs.horizon(domain.id),
        latest: logs.latest(),
        order: order === "asc" ? "oldest" : "newest",
      });
      const entries: LogEntryRecord[] = [];
      for (let start = 0; start < found.length; start += SLICE) {
        if (start > 0) await nextTurn();
        entries.push(...logs.bySeq(found.slice(start, start + SLICE)));
      }
      return { logs: entries.map(logEntryV3), success: true };
    },
    // `/logs/:id` is the same path. No other alias has the form of a log id.
    "logs.ofAlias": ({ domain, parameters: { alias }, query }) =>
      isLogId(alias) ? entry(domain, alias) : page(domain, { between: aliasAddresses(store, domain, alias) }, query()),
    "logs.get": ({ domain, parameters: { id } }) => entry(domain, id),
  };
}
