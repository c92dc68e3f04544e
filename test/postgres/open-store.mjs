import { postgresStore } from "../../dist/postgres/index.js";

/** Opens a store in a schema of the database that the test has created. */
export default (schema) => postgresStore({ connectionString: process.env.LETTERSHOP_TEST_STORES, schema });
