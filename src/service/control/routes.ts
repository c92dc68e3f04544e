import { type Context, Hono } from "hono";
import { z } from "zod";
import { timeLimit } from "../../time-limit.js";
import type { ServiceContext } from "../context.js";
import { badRequest, invalidFields, notFound } from "../http/api-error.js";
import { ControlError } from "../http/read-control.js";
import { mediaTypeOf, readBody, readJsonObject, readQuery } from "../http/request.js";
import { parse } from "../http/validate.js";
import { RefusedError } from "../inbound/incoming.js";
import type { CapturedMails } from "../mail/captured.js";
import { type Faults, readFault } from "./faults.js";
import { DURATION_MAX_MS, type SettingsChanges } from "./settings.js";

/** The latest time that all timestamps can show. */
const END_OF_TIME = Date.UTC(9999, 11, 31);

export interface Controls extends Pick<ServiceContext, "clock" | "settings" | "inbound" | "signer"> {
  readonly faults: Faults;
  readonly mail: CapturedMails;
  /** Identifies this run of the service, as in `service.json`. */
  readonly id: string;
  /** The folder of the service's project. Undefined if it has none. */
  readonly project: string | undefined;
}

/**
 * The endpoints below `/local`, by which tests in other processes control the service (docs/guides/testing.md). They
 * only accept JSON with its content type, which a page of another origin cannot send, and like the page for captured
 * emails they need no key.
 */
export function controlRoutes({ clock, faults, settings, mail, inbound, signer, id, project }: Controls): Hono {
  const time = () => ({ now: new Date(clock.now()).toISOString() });
  return new Hono()
    .get("/local/service", (c) => c.json({ id, project, smtpPort: inbound.port }))
    .get("/local/dkim", async (c) => c.json({ record: await signer.record() }))
    .get("/local/faults", (c) => c.json({ faults: faults.list() }))
    .post("/local/faults", async (c) => {
      await runWithBody(c, (fault) => faults.add(readFault(fault)));
      return c.json({ faults: faults.list() });
    })
    .delete("/local/faults", (c) => {
      faults.clear();
      return c.body(null, 204);
    })
    .get("/local/settings", (c) => c.json({ settings: settings.get() }))
    .post("/local/settings", async (c) => {
      // `set` checks the content.
      const changed = await runWithBody(c, (changes) => settings.set(changes as SettingsChanges));
      return c.json({ settings: changed });
    })
    .delete("/local/settings", (c) => {
      settings.reset();
      return c.body(null, 204);
    })
    .get("/local/clock", (c) => c.json(time()))
    .post("/local/clock", async (c) => {
      const { advance } = parse(advanceSchema, await readJsonObject(c.req.raw));
      if (clock.now() + advance > END_OF_TIME) {
        throw invalidFields({ advance: ["advance would move the clock past the year 9999"] });
      }
      clock.advance(advance);
      return c.json(time());
    })
    .get("/local/mails", async (c) => {
      const { after, to, wait, newest, before, deletions, folder } = parse(mailQuery, readQuery(c.req));
      const until = wait === 0 ? AbortSignal.abort() : timeLimit(wait, c.req.raw.signal);
      const nextAfter = async (seq: number) => {
        const isKnown = () => deletions === undefined || deletions === mail.deletions();
        let mails = mail.after(seq, to, folder);
        while (mails.length === 0 && isKnown() && (await mail.next(until))) mails = mail.after(seq, to, folder);
        return mails;
      };
      const latest =
        newest === undefined ? [] : mail.list({ folder, limit: newest, ...(before !== undefined && { before }) });
      return c.json({
        mails: after === undefined ? latest : await nextAfter(after),
        last: mail.lastSeq(),
        total: mail.total(folder),
        deletions: mail.deletions(),
      });
    })
    .delete("/local/mails", async (c) => {
      const { folder } = parse(deletionQuery, readQuery(c.req));
      return c.json({ deleted: await mail.deleteAll(folder) });
    })
    .get("/local/mails/:id", async (c) => {
      const opened = await mail.open(c.req.param("id"));
      if (!opened) throw notFound("There is no captured email with this id.");
      const { source, attachments, ...known } = opened;
      const files = attachments.map(({ content, ...file }) => ({ ...file, bytes: content.length }));
      return c.json({ ...known, bytes: source.length, attachments: files });
    })
    .delete("/local/mails/:id", async (c) => {
      if (!(await mail.delete(c.req.param("id")))) throw notFound("There is no captured email with this id.");
      return c.body(null, 204);
    })
    .get("/local/received", (c) => {
      const { after } = parse(receivedQuery, readQuery(c.req));
      return c.json(inbound.receivedAfter(after));
    })
    .post("/local/received", async (c) => {
      try {
        return c.json(await inbound.receive(await readEmail(c)).catch(refuseInvalid));
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        return c.json({ refused: error.response });
      }
    })
    .all("/local/*", (c) => {
      throw notFound(
        `Not found: ${c.req.method} ${c.req.path}. /local has service, dkim, faults, settings, clock, mails and received.`,
      );
    });
}

/** Runs an action with a request's body. Unknown names and invalid values are a 400. */
async function runWithBody<Result>(c: Context, action: (body: Record<string, unknown>) => Result): Promise<Result> {
  const body = await readJsonObject(c.req.raw);
  try {
    return action(body);
  } catch (error) {
    return refuseInvalid(error);
  }
}

/** @throws ApiError with the fields of a ControlError; any other error unchanged. */
function refuseInvalid(error: unknown): never {
  throw error instanceof ControlError ? invalidFields(error.fieldErrors) : error;
}

/** An email as JSON, or as it is (`message/rfc822`) with the envelope in the query: `?from=…&to=…&to=…`. */
async function readEmail({ req }: Context): Promise<unknown> {
  switch (mediaTypeOf(req.raw)) {
    case "application/json":
      return await readJsonObject(req.raw);
    case "message/rfc822": {
      const { from } = readQuery(req);
      const to = req.queries("to");
      return { raw: await readBody(req.raw), ...(from !== undefined && { from }), ...(to && { to }) };
    }
    default:
      throw badRequest("This needs the header Content-Type: application/json, or message/rfc822 for a whole message.");
  }
}

/** Proxies and clients time out on responses that take a minute. */
const WAIT_MAX_MS = 30_000;
const NEWEST_MAX = 200;

/** Body of `POST /local/clock`. */
const advanceSchema = z.object({
  /** In milliseconds. */
  advance: z.int().min(0).max(DURATION_MAX_MS),
});

/** Query of `GET /local/received`, as strings. */
const receivedQuery = z.object({
  /** Number of an entry (`seq`): only later ones are returned, newest first. */
  after: z.coerce.number().int().min(0).default(0),
});

const folders = z.enum(["sent", "forwarded", "all"]);

/** Query of `DELETE /local/mails`. */
const deletionQuery = z.object({ folder: folders.default("all") });

/** Query of `GET /local/mails`, as strings. */
const mailQuery = z.object({
  /** Number of an email (`seq`, `last`): returns later ones. Without it, none are returned. */
  after: z.coerce.number().int().min(0).optional(),
  /** What applications sent, what was received and forwarded, or both. */
  folder: folders.default("sent"),
  /** A recipient's whole address, case-insensitive. */
  to: z.string().optional(),
  /** With `after`: how long to wait for an email if there is none yet, in ms. */
  wait: z.coerce.number().int().min(0).max(WAIT_MAX_MS).default(0),
  /** With `wait`: the number of known deletions (`deletions`). The wait ends when it changes. */
  deletions: z.coerce.number().int().min(0).optional(),
  /** Number of newest emails to return instead, newest first. */
  newest: z.coerce.number().int().min(1).max(NEWEST_MAX).optional(),
  /** With `newest`: number of an email. Only older ones are returned. */
  before: z.coerce.number().int().min(1).optional(),
});
