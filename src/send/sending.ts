/*
 * Everything that a first send needs, behind one import: a process that sends one message and exits loads one bundled
 * file instead of twenty.
 */
export { createSendingClient } from "../api/sending-client.js";
export { createCourier } from "./delivery/courier.js";
export { preparePlainMessage, prepareTemplateMessage } from "./message/prepare.js";
export { recipientsPolicy } from "./message/recipients.js";
export { accountOf, createPace } from "./pace/pace.js";
export { planSource } from "./pace/plan-limits.js";
export { memoryStore } from "./store/memory.js";
