// @ts-check
// The local service on a data folder, without rate limits, as the command runs it; api.mjs runs it in a separate process.
import { startService } from "../../dist/service/index.js";

const service = await startService({ data: process.argv[2] ?? "", port: 0, limits: false, ownProcess: true });
process.send?.(service.url);
process.on("disconnect", () => void service.close().then(() => process.exit()));
