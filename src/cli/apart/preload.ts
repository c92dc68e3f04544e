import { createRequire } from "node:module";
import { attempt } from "../../cache/replace-file.js";

/*
 * What a command with a key may still need is loaded before any of the project's code runs: where that code can change files
 * of lettershop or of a package, what is loaded already stays as it is. test/cli/preload.test.ts finds what is missing here.
 */

/** @param canBeLocal Whether the command can turn out to start the local service. */
export async function preload(canBeLocal: boolean): Promise<void> {
  await Promise.all([
    preloadClient(),
    import("../failure.js"),
    import("../../config/project-data.js"),
    import("./compiled.js"),
    canBeLocal && preloadService(),
  ]);
}

export async function preloadService(): Promise<void> {
  const [{ loadDriver }] = await Promise.all([import("../../sqlite/driver.js"), import("../../service/index.js")]);
  // A missing driver is an error only if the service starts, which reports it.
  await loadDriver("the local service").catch(() => undefined);
}

/** What the mailer loads with the first message, besides the client. */
export async function preloadMailer(): Promise<void> {
  await Promise.all([
    import("../../send/sending.js"),
    import("../../send/attachments/attachments.js"),
    import("../../send/attachments/content-ids.js"),
    import("../../send/store/guarded.js"),
    import("../../send/store/sqlite.js"),
    import("../../send/outbox/outbox.js"),
    import("../../send/tracking/suppressed.js"),
    import("../../send/tracking/tracking.js"),
    import("../../send/tracking/verify.js"),
  ]);
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
    import("../../api/contract/v4/templates.js"),
    import("../../api/contract/v3/account.js"),
    import("../../api/contract/v3/aliases.js"),
    import("../../api/contract/v3/credentials.js"),
    import("../../api/contract/v3/domains.js"),
    import("../../api/contract/v3/rules.js"),
    import("../../api/contract/v3/sending.js"),
    import("../../api/contract/v3/success.js"),
    import("../../api/resources/v3/log-answers.js"),
  ]);
}

/** undici itself loads one of them with the first connection. */
function loadParsers(): void {
  const require = createRequire(import.meta.url);
  for (const parser of ["llhttp-wasm", "llhttp_simd-wasm"]) attempt(() => require(`undici/lib/llhttp/${parser}.js`));
}
