import { z } from "zod";
import { LOGS_LIMIT, PAGE_LIMIT } from "../../limits.js";
import { openEnum } from "../open-enum.js";
import { timestampSchema } from "./formats.js";

/** The possible statuses of an email (part 3). */
export const logStatusSchema = z.enum(["QUEUED", "DELIVERED", "SOFT-BOUNCE", "HARD-BOUNCE", "BOUNCED", "REFUSED"]);

/** How an email arrived: `mx` was forwarded, `smtp` submitted with a credential, `api` sent through the API. */
export const transportSchema = z.enum(["mx", "smtp", "api"]);

export const logEventSchema = z.object({
  /** The SMTP code. */
  code: z.int(),
  created_at: timestampSchema,
  id: z.string(),
  local: z.string(),
  message: z.string(),
  server: z.string(),
  status: openEnum(logStatusSchema.options),
});

const mailboxSchema = z.object({ email: z.string(), name: z.string().nullable() });

/** One email to one recipient. */
export const logEntrySchema = z.object({
  /** `<timestamp digits>.<hex>` */
  id: z.string(),
  created_at: timestampSchema,
  events: z.array(logEventSchema),
  forward: mailboxSchema.nullable(),
  hostname: z.string(),
  message_id: z.string(),
  recipient: mailboxSchema,
  sender: mailboxSchema,
  subject: z.string(),
  transport: openEnum(transportSchema.options),
});

/** The filters that listing, counting and searching share, as strings, combined with AND. */
export const logFilterQuery = z.object({
  sender: z.string().optional(),
  recipient: z.string().optional(),
  forward: z.string().optional(),
  /** A comma-separated list in the URL. */
  status: z
    .string()
    .transform((list) => list.split(",").map((status) => status.trim()))
    .pipe(z.array(logStatusSchema))
    .optional(),
  transport: transportSchema.optional(),
  after: timestampSchema.optional(),
  before: timestampSchema.optional(),
});

const timeOrder = z.enum(["created_desc", "created_asc"]);

/** The query of `GET /domains/:domain/logs`. */
export const logListQuery = logFilterQuery.extend({
  order: timeOrder.default("created_desc"),
  limit: z.coerce.number().int().min(1).max(LOGS_LIMIT.max).default(LOGS_LIMIT.default),
  /** The log id to start from. */
  cursor: z.string().optional(),
});

/** The query of `GET /domains/:domain/logs/search`. */
export const logSearchQuery = logFilterQuery.extend({
  query: z.string(),
  order: z.enum(["relevance", ...timeOrder.options]).default("relevance"),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT.max).default(PAGE_LIMIT.default),
  offset: z.coerce.number().int().min(0).default(0),
});

/** The answer of `GET /domains/:domain/logs`. */
export const logListResponse = z.object({
  logs: z.array(logEntrySchema),
  limit: z.int(),
  /** How the first page shows the absence of a cursor is not documented. */
  cursor: z.string().nullish(),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
});

/** The answer of `GET /domains/:domain/logs/count`. */
export const logCountResponse = z.object({ total: z.int() });

/** The answer of `GET /domains/:domain/logs/search`. */
export const logSearchResponse = z.object({
  logs: z.array(logEntrySchema),
  limit: z.int(),
  offset: z.int(),
  total: z.int(),
  /** Null on the last page. */
  next_offset: z.int().nullable(),
});

/** A list of the valid items, so that one invalid entry does not hide the others. */
export function readable<Schema extends z.ZodType>(schema: Schema) {
  return z.array(z.unknown()).transform((items) =>
    items.flatMap((item): z.output<Schema>[] => {
      const read = schema.safeParse(item);
      return read.success ? [read.data] : [];
    }),
  );
}

/** A mailbox whose name may be missing. */
const readableMailbox = mailboxSchema.extend({ name: mailboxSchema.shape.name.catch(null) });

/** Fields of an entry whose unreadable parts are left out. An email need not have a subject (RFC 5322). */
export const readableParts = {
  forward: readableMailbox.nullable().catch(null),
  hostname: z.string().catch(""),
  recipient: readableMailbox,
  sender: readableMailbox,
  subject: z
    .string()
    .nullable()
    .transform((subject) => subject ?? ""),
};

/** An entry of which only the unreadable parts are left out; the fields that identify the email are required. */
export const readableLogEntry = logEntrySchema.extend({
  ...readableParts,
  events: readable(logEventSchema).catch([]),
});
export const readableLogList = logListResponse.extend({ logs: readable(readableLogEntry) });
export const readableLogSearch = logSearchResponse.extend({ logs: readable(readableLogEntry) });

export type LogStatus = z.infer<typeof logStatusSchema>;
export type LogTransport = z.infer<typeof transportSchema>;
export type LogEvent = z.infer<typeof logEventSchema>;
export type LogEntry = z.infer<typeof logEntrySchema>;
export type LogPage = z.infer<typeof logListResponse>;
export type LogSearchPage = z.infer<typeof logSearchResponse>;
