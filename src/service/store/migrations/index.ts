import { first } from "./01-first.js";
import { aliasesAndRules } from "./02-aliases-and-rules.js";
import { accountAndDomainFields } from "./03-account-and-domain-fields.js";
import { logSearch } from "./04-log-search.js";
import { delivery } from "./05-delivery.js";
import { time } from "./06-time.js";
import { mailTemplates } from "./07-mail-templates.js";
import { mailAttachments } from "./08-mail-attachments.js";

/**
 * The database's migrations, oldest first: entry n leads from `user_version` n to n + 1. Released entries never change.
 *
 * Times are milliseconds since 1970. Each resource has its own number (`id`, or `seq` if `id` is the string that is on
 * the wire): version 3 shows numbers where version 4 shows strings. Addresses are stored as written and, for
 * comparisons, in lower case (`…_key`), because SQLite's lower() only handles ASCII.
 */
export const migrations: readonly string[] = [
  first,
  aliasesAndRules,
  accountAndDomainFields,
  logSearch,
  delivery,
  time,
  mailTemplates,
  mailAttachments,
];
