// A process that delivers parcels. Prints a line of JSON for each attempt and each result.
import { deliverAll } from "./deliver-all.mjs";

await deliverAll(JSON.parse(process.argv[2] ?? "{}"), (line) => process.stdout.write(`${JSON.stringify(line)}\n`));
