// @ts-check
// Fills a domain's log with entries as a shop has them, straight into the database: a hundred thousand take seconds.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { frozenClock, startService } from "../../dist/service/index.js";
import { closeDatabase, openDatabase } from "../../dist/service/store/database.js";
import { LogStore } from "../../dist/service/store/logs.js";
import { transaction } from "../../dist/sqlite/transaction.js";

const DAY_MS = 24 * 60 * 60 * 1_000;
const AT_ONCE = 5_000;

const given =
  "ada alan barbara claude dennis donald edsger frances grace hedy john joan karen ken linus margaret radia tim vint yukihiro".split(
    " ",
  );
const family =
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
const last = /** @type {const} */ (["DELIVERED", "DELIVERED", "DELIVERED", "DELIVERED", "HARD-BOUNCE", "SOFT-BOUNCE"]);

/**
 * Adds entries to the log of the first domain of a data folder, which no service runs on meanwhile. Each has the word
 * "receipt" in its subject; the last one was a moment ago, and all are within the time that the log is kept.
 *
 * @example
 * await fillLog({ data, count: 100_000 });
 * const service = await startService({ data });
 *
 * @param {{ data: string, count: number, now?: number, days?: number }} options `days`: what they are spread over
 */
export async function fillLog({ data, count, now = Date.now(), days = 25 }) {
  const clock = frozenClock(now);
  await (await startService({ data, port: 0, clock })).close();
  const database = await openDatabase(join(data, "service.db"));
  const logs = new LogStore(database, clock);
  const domain = database.prepare("SELECT id, name FROM domains ORDER BY id LIMIT 1").get();
  const apart = (days * DAY_MS) / count;
  for (let first = 0; first < count; first += AT_ONCE) {
    transaction(database, () => {
      for (let n = first; n < Math.min(first + AT_ONCE, count); n += 1) {
        const createdAt = Math.floor(now - (count - n) * apart);
        logs.append(Number(domain?.["id"]), null, entryOf(n, createdAt, String(domain?.["name"])));
      }
    });
  }
  closeDatabase(database);
}

/** @param {number} n @param {number} createdAt @param {string} domain */
function entryOf(n, createdAt, domain) {
  const recipient = personOf(n);
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
    sender: forwarded ? personOf(n * 31 + 7) : { email: `shop@${domain}`, name: null },
    recipient: forwarded ? { email: `support@${domain}`, name: null } : recipient,
    forward: forwarded ? recipient : null,
    events: /** @type {const} */ (["QUEUED", pick(last, n)]).map((status) => ({
      ...event,
      id: randomUUID(),
      message: "2.0.0",
      status,
    })),
  };
}

/** @param {number} n */
function personOf(n) {
  const [first, second] = [pick(given, n), pick(family, Math.floor(n / given.length))];
  const email = `${first}.${second}${n % 20_011}@${pick(hosts, n)}`;
  return { email, name: n % 3 === 0 ? `${capital(first)} ${capital(second)}` : null };
}

/** @param {string} word */
function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @template Item @param {readonly Item[]} items @param {number} n @returns {Item} */
function pick(items, n) {
  const item = items[n % items.length];
  if (item === undefined) throw new RangeError("There is nothing to pick from.");
  return item;
}
