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
    // Stop accepting requests. Then sends in progress finish, and waiting messages stay queued.
    server.close(() => void mailer.close());
    server.closeIdleConnections();
  });
