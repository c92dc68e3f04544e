import { Router } from "express";
import { mailer } from "./mailer.js";

/** If a receipt waits longer than this, the health check fails. */
const LATE_MS = 10 * 60_000;

export const health = Router();

health.get("/health", async (_request, response) => {
  const { counts, oldestDueMs = 0, expectedWaitMs } = await mailer.outbox.stats();
  const isHealthy = oldestDueMs < LATE_MS && counts.parked === 0;
  response.status(isHealthy ? 200 : 503).json({
    queued: counts.queued,
    parked: counts.parked,
    oldestSeconds: Math.round(oldestDueMs / 1000),
    expectedWaitSeconds: Math.round(expectedWaitMs.normal / 1000),
  });
});
