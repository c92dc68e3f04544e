export {
  type AssetsConfig,
  type CheckConfig,
  type CheckOverride,
  defineConfig,
  type EnvironmentConfig,
  type LettershopConfig,
  type RecipientsConfig,
  type SyncConfig,
} from "./config.js";
