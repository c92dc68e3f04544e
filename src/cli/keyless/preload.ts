import { createRequire } from "node:module";
import { attempt } from "../../files.js";
import { POSTGRES_ADDRESS, storeSetting } from "../../project/environment.js";

/*
 * Loads every module that a command with a key may still need before any project code runs. That code may be able to change
 * files of lettershop or of its packages, but not modules that are already loaded. test/cli/keyless/preload.test.ts fails if
 * a module is missing here.
 */

/** @param canBeLocal Whether the command may start the local service. */
export async function preload(canBeLocal: boolean): Promise<void> {
  await Promise.all([
    preloadClient(),
    import("../failure.js"),
    import("../../project/config-schema.js"),
    import("./compiled.js"),
    canBeLocal && preloadService(),
  ]);
}

export async function preloadService(): Promise<void> {
  const [{ loadDriver }] = await Promise.all([
    import("../../sqlite/driver.js"),
    import("../../service/index.js"),
    import("../../service/inbound/smtp-listener.js"),
  ]);
  // A missing driver only matters if the service starts, and the service reports it then.
  await loadDriver("the local service").catch(() => undefined);
}

/** The modules that the mailer loads with the first message, in addition to the client's. */
export async function preloadMailer(): Promise<void> {
  await Promise.all([
    import("../../send/sending.js"),
    import("../../mustache/expression/computing.js"),
    import("../../send/attachments/attachments.js"),
    import("../../send/attachments/content-ids.js"),
    import("../../send/store/store.js"),
    import("../../send/store/sqlite.js"),
    import("../../send/outbox/outbox.js"),
    import("../../send/tracking/suppressed.js"),
    import("../../send/tracking/tracking.js"),
    import("../../send/tracking/verify.js"),
    import("../../smtp/index.js"),
    import("../../smtp/transport.js"),
    POSTGRES_ADDRESS.test(storeSetting() ?? "") && loadPostgres(),
  ]);
}

/** The modules of a store in Postgres: commands open it before any project code runs. */
export async function loadPostgres() {
  // If it is missing, the store says so.
  const [store, migrations] = await Promise.all([
    import("../../postgres/store.js"),
    import("../../postgres/migrations.js"),
    import("pg").catch(() => undefined),
  ]);
  return { ...store, ...migrations };
}

async function preloadClient(): Promise<void> {
  await Promise.all([
    import("undici").then(loadParsers),
    import("../../api/contract/batch.js"),
    import("../../api/contract/v4/account.js"),
    import("../../api/contract/v4/aliases.js"),
    import("../../api/contract/v4/credentials.js"),
    import("../../api/contract/v4/domains.js"),
    import("../../api/contract/v4/logs.js"),
    import("../../api/contract/v4/rules.js"),
    import("../../api/contract/v4/emails.js"),
    import("../../api/contract/v4/templates.js"),
    import("../../api/contract/v3/account.js"),
    import("../../api/contract/v3/domains.js"),
    import("../../api/contract/v3/rules.js"),
    import("../../api/contract/v3/credentials.js"),
    import("../../api/contract/v3/aliases.js"),
    import("../../api/contract/v3/sending.js"),
    import("../../api/contract/v3/formats.js"),
    import("../../api/contract/v3/logs.js"),
  ]);
}

/** undici loads one of these parsers with the first connection. */
function loadParsers(): void {
  const require = createRequire(import.meta.url);
  for (const parser of ["llhttp-wasm", "llhttp_simd-wasm"]) attempt(() => require(`undici/lib/llhttp/${parser}.js`));
}
