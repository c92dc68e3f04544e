import { PostgresServer } from "./server.js";

/** Runs before all tests: one server for the suite, which nothing stops. Its data need not survive a power failure. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await PostgresServer.start(["fsync=off", "full_page_writes=off"]);
  process.env["TEST_POSTGRES"] = server.url();
  return () => server.remove();
}
