export type { MailStore } from "../send/store/store.js";
export type { PoolSettings, PostgresClient, PostgresPool } from "./database.js";
export { postgresStore, type PostgresStoreOptions } from "./store.js";
