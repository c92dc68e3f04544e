import { app } from "./app.js";
import { mailer } from "./mailer.js";

// The same process answers requests and sends what is queued. Several may: they share the store.
mailer.work();
const server = app.listen(Number(process.env["PORT"] ?? 3000), () => {
  const address = server.address();
  console.log(`Listening at http://localhost:${typeof address === "object" ? address?.port : ""}`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    // Nobody comes in any more; then the sends under way finish, and what waits stays queued.
    server.close(() => void mailer.close());
    server.closeIdleConnections();
  });
