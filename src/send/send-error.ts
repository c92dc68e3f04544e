import { LettershopError } from "../errors.js";

/** What errors of a send have in common when the program runs. Types come from `errors.ts`, which knows them all. */
export abstract class SendError extends LettershopError {}
