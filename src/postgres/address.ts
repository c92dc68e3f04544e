import { ConfigurationError } from "../errors.js";
import { POSTGRES_ADDRESS, storeSetting } from "../project/environment.js";
import { DEFAULT_SCHEMA, type PoolSettings } from "./database.js";

const EXAMPLE = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

/**
 * The address of a store's database: the option, or LETTERSHOP_STORE. Messages don't quote it, because a password that
 * is not encoded may be in any part of it.
 *
 * @throws {ConfigurationError} No address is given, or it is not valid.
 */
export function addressOf(option: unknown): string {
  const address = option ?? storeSetting();
  const named = option === undefined ? "LETTERSHOP_STORE" : "the connection string";
  if (address === undefined)
    throw new ConfigurationError("postgresStore: no database is named.", {
      hint: `Pass \`pool\` or \`connectionString\`, or set LETTERSHOP_STORE to ${EXAMPLE}.`,
    });
  if (typeof address !== "string" || !POSTGRES_ADDRESS.test(address))
    throw new ConfigurationError(`postgresStore: ${named} is not a postgres:// address.`, {
      hint: `Use ${EXAMPLE}.`,
    });
  const host = partsOf(address)?.host;
  if (host === undefined || host.includes(","))
    throw new ConfigurationError(`postgresStore: ${named} is not a valid address.`, {
      hint: `Use ${EXAMPLE} with one host, and encode special characters of the user and the password: %23 for #, %2F for /, %3F for ?, %40 for @.`,
    });
  return address;
}

/** How errors refer to a store: without user and password, and with its schema if that is not the default. */
export function nameOf({ connectionString, ...address }: PoolSettings, schema: string): string {
  // A pool may have an address that `addressOf` would refuse.
  const parts = connectionString === undefined ? address : (partsOf(connectionString) ?? {});
  const { host, port, database } = parts;
  const where = `postgres://${host || "localhost"}${port ? `:${port}` : ""}/${database ?? ""}`;
  return schema === DEFAULT_SCHEMA ? where : `${where} (schema ${schema})`;
}

/** As the driver reads it: parameters come first. Undefined if a part of it is not encoded. */
function partsOf(address: string): PoolSettings | undefined {
  // Without a host, the driver uses a socket or variables.
  const url = parsed(address) ?? parsed(address.replace("@/", "@localhost/"));
  if (url === undefined || url.hash !== "" || `${url.pathname}${url.search}`.includes("@")) return undefined;
  const { hostname, port, pathname, searchParams } = url;
  return {
    host: searchParams.get("host") ?? decodeURIComponent(hostname),
    port: searchParams.get("port") ?? port,
    database: pathname.slice(1),
  };
}

function parsed(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
