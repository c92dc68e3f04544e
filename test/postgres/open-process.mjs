/** `node open-process.mjs ADDRESS`: opens the store at the time of its start, as a server does, and prints what it finds. */
import { postgresStore } from "../../dist/postgres/index.js";

const store = postgresStore({ connectionString: process.argv[2] });
const found = await store.suppressions.list();
process.stdout.write(JSON.stringify(found));
await store.close();
