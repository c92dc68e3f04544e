import { rm } from "node:fs/promises";
import { vi } from "vitest";

/** Removes a folder into which ending processes and threads may still write. */
export async function removeFolder(folder: string): Promise<void> {
  await vi.waitFor(() => rm(folder, { recursive: true, force: true }), { timeout: 60_000, interval: 100 });
}
