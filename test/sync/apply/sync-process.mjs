// One sync in a process of its own, for tests that end it: node sync-process.mjs '{ "url": …, "folder": …, "words": … }'.
import { syncOnce } from "./sync-once.mjs";

await syncOnce(JSON.parse(process.argv[2] ?? "{}"));
