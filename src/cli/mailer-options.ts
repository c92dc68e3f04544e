import { type Environment, POSTGRES_ADDRESS, storeSetting } from "../project/environment.js";
import type { RegistryEnvironment } from "../project/registry-types.js";
import type { MailerOptions } from "../send/index.js";
import type { MailStore } from "../send/store/store.js";
import { smtp } from "../smtp/index.js";
import { loadPostgres } from "./keyless/preload.js";

type Options = Pick<MailerOptions<object>, "environment" | "url" | "domain" | "apiKey" | "allowInsecure" | "transport">;

/** How mailers send to an environment that `sendingTarget` resolved. */
export function mailerOptions(environment: Environment): Options & { readonly registered: RegistryEnvironment } {
  const { name, url, domain, apiKey, allowInsecure, namePrefix, nameSuffix, version, recipients } = environment;
  // An environment that only sends by SMTP has no service.
  const service = apiKey === "" ? {} : { url, apiKey };
  return {
    environment: name,
    ...service,
    domain,
    ...(allowInsecure !== undefined && { allowInsecure }),
    // The variables name the server again.
    ...(environment.smtp && { transport: smtp() }),
    registered: {
      domain,
      version,
      keyVariable: "LETTERSHOP_API_KEY",
      namePrefix,
      nameSuffix,
      ...(recipients && { recipients }),
    },
  };
}

/**
 * The mailer's store if LETTERSHOP_STORE names one in Postgres; a mailer opens a file by itself. It connects with the first
 * use, and is closed after the mailer.
 */
export async function openMailerStore(schema?: string): Promise<MailStore | undefined> {
  const named = storeSetting();
  if (named === undefined || !POSTGRES_ADDRESS.test(named)) return undefined;
  const { openPostgres } = await loadPostgres();
  return openPostgres({ connectionString: named, schema, migrate: false });
}
