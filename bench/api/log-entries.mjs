// @ts-check
// Fills a domain's log with the entries of a shop. It writes directly to the database, so 100,000 take only seconds.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { frozenClock, startService } from "../../dist/service/index.js";
import { closeDatabase, openDatabase } from "../../dist/service/store/database.js";
import { logStore } from "../../dist/service/store/logs.js";
import { transaction } from "../../dist/sqlite/transaction.js";

const DAY_MS = 24 * 60 * 60 * 1_000;
const BATCH = 5_000;

const firstNames =
  "ada alan barbara claude dennis donald edsger frances grace hedy john joan karen ken linus margaret radia tim vint yukihiro".split(
    " ",
  );
const lastNames =
  "allen berners cerf dijkstra goldberg hamilton hopper johnson kernighan knuth lamarr liskov lovelace matsumoto perlman ritchie shannon thompson torvalds turing".split(
    " ",
  );
const hosts =
  "example.com example.net example.org mail.example posteo.example gmx.example proton.example uni.example".split(" ");
const subjects = [
  (/** @type {number} */ n) => `Your receipt for order ${10_000 + n}`,
  (/** @type {number} */ n) => `Receipt: invoice INV-${n} is paid`,
  () => "Receipt of your password change",
  (/** @type {number} */ n) => `Receipt ${n}: your parcel is on its way`,
  (/** @type {number} */ n) => `Reçu de la commande ${n} (receipt)`,
  (/** @type {number} */ n) => `Квитанция ${n} / receipt`,
  (/** @type {number} */ n) => `領収書 ${n} receipt`,
];
const finalStatuses = /** @type {const} */ ([
  "DELIVERED",
  "DELIVERED",
  "DELIVERED",
  "DELIVERED",
  "HARD-BOUNCE",
  "SOFT-BOUNCE",
]);

/**
 * Adds entries to the log of the first domain of a data folder. No service may be using the folder. Each entry has the word
 * "receipt" in its subject. The newest is from now, and all are within the log's retention period.
 *
 * @example
 * await fillLog({ data, count: 100_000 });
 * const service = await startService({ data });
 *
 * @param {{ data: string, count: number, now?: number, days?: number }} options `days`: the period that the entries are spread over
 */
export async function fillLog({ data, count, now = Date.now(), days = 25 }) {
  const clock = frozenClock(now);
  await (await startService({ data, port: 0, clock })).close();
  const database = await openDatabase(join(data, "service.db"));
  const logs = logStore(database, clock);
  const domain = database.prepare("SELECT id, name FROM domains ORDER BY id LIMIT 1").get();
  const intervalMs = (days * DAY_MS) / count;
  for (let first = 0; first < count; first += BATCH) {
    transaction(database, () => {
      for (let n = first; n < Math.min(first + BATCH, count); n += 1) {
        const createdAt = Math.floor(now - (count - n) * intervalMs);
        logs.append(Number(domain?.["id"]), null, entryOf(n, createdAt, String(domain?.["name"])));
      }
    });
  }
  closeDatabase(database);
}

/** @param {number} n @param {number} createdAt @param {string} domain */
function entryOf(n, createdAt, domain) {
  const recipient = mailboxOf(n);
  const forwarded = n % 5 === 0;
  const event = { createdAt, code: 250, local: "localhost", server: "localhost" };
  return {
    id: `${createdAt}.${n.toString(16).padStart(16, "0")}`,
    createdAt,
    hostname: "localhost",
    messageId: `<${randomUUID()}@${domain}>`,
    subject: pick(subjects, n)(n),
    transport: forwarded
      ? /** @type {const} */ ("mx")
      : n % 7 === 0
        ? /** @type {const} */ ("smtp")
        : /** @type {const} */ ("api"),
    sender: forwarded ? mailboxOf(n * 31 + 7) : { email: `shop@${domain}`, name: null },
    recipient: forwarded ? { email: `support@${domain}`, name: null } : recipient,
    forward: forwarded ? recipient : null,
    events: /** @type {const} */ (["QUEUED", pick(finalStatuses, n)]).map((status) => ({
      ...event,
      id: randomUUID(),
      message: "2.0.0",
      status,
    })),
  };
}

/** @param {number} n */
function mailboxOf(n) {
  const [first, last] = [pick(firstNames, n), pick(lastNames, Math.floor(n / firstNames.length))];
  const email = `${first}.${last}${n % 20_011}@${pick(hosts, n)}`;
  return { email, name: n % 3 === 0 ? `${capitalise(first)} ${capitalise(last)}` : null };
}

/** @param {string} word */
function capitalise(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @template Item @param {readonly Item[]} items @param {number} n @returns {Item} */
function pick(items, n) {
  const item = items[n % items.length];
  if (item === undefined) throw new RangeError("The list is empty.");
  return item;
}
