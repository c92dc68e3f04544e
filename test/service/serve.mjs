// A process that runs the service until it is killed. Its arguments are the data folder, the port and a relay; it prints
// the URL.
import { startService } from "../../dist/service/index.js";

const [data, port, relay] = process.argv.slice(2);
const service = await startService({
  data,
  limits: false,
  ...(port !== undefined && { port: Number(port) }),
  ...(relay !== undefined && { relay }),
});
process.on("SIGTERM", () => void service.close());
process.stdout.write(`${service.url}\n`);
