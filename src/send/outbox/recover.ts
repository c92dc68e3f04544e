import { giveBack, type Hold, parcelOf, settle, write } from "./carry.js";
import type { OutboxContext } from "./context.js";

/** Finds out what happened to a message whose process died while it had it. */
export async function recover(hold: Hold, context: OutboxContext): Promise<void> {
  const { message, lease, leases, closing } = hold;
  try {
    const outcome = await context.courier.reconcile(parcelOf(message), {
      closing,
      decided: async (decision) => {
        // A message that belongs to a call of `send` is sent again by the next call with its key.
        if (decision instanceof Error && message.onUnknown === "resend" && !message.direct)
          await write(hold, context, { state: "queued", reason: decision.message });
        else await settle(hold, context, decision);
      },
    });
    if (outcome === "never sent") await giveBack(hold, context, { state: "queued" });
  } catch (error) {
    if (!closing.aborted) throw error;
    await leases.abandon(lease);
  } finally {
    leases.drop(lease);
  }
}
