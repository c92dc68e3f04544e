export {
  type AssetsConfig,
  type CheckConfig,
  type CheckOverride,
  defineConfig,
  type EnvironmentConfig,
  type LettershopConfig,
} from "./define.js";
