export { type AssetsConfig, defineConfig, type EnvironmentConfig, type LettershopConfig } from "./define.js";
