// One sync in a separate process, for tests that kill it: node sync-process.mjs '{ "url": …, "folder": …, "words": … }'.
import { syncOnce } from "./sync-once.mjs";

await syncOnce(JSON.parse(process.argv[2] ?? "{}"));
