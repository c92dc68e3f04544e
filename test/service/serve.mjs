// A process that runs the service until it is killed: its data folder and port are the arguments, its URL the output.
import { startService } from "../../dist/service/index.js";

const [data, port] = process.argv.slice(2);
const service = await startService({ data, limits: false, ...(port !== undefined && { port: Number(port) }) });
process.on("SIGTERM", () => void service.close());
process.stdout.write(`${service.url}\n`);
