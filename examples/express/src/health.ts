import { Router } from "express";
import { mailer } from "./mailer.js";

/** Receipts that wait for longer than this are somebody's business. */
const LATE_MS = 10 * 60_000;

export const health = Router();

health.get("/health", async (_request, response) => {
  const { counts, oldestDueMs = 0, expectedWaitMs } = await mailer.outbox.stats();
  const isWell = oldestDueMs < LATE_MS && counts.parked === 0;
  response.status(isWell ? 200 : 503).json({
    queued: counts.queued,
    parked: counts.parked,
    oldestSeconds: Math.round(oldestDueMs / 1000),
    expectedWaitSeconds: Math.round(expectedWaitMs.normal / 1000),
  });
});
