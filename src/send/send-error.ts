import { LettershopError } from "../errors.js";

/** The base class of send errors at run time. The type `SendError` comes from `errors.ts`, which lists all of them. */
export abstract class SendError extends LettershopError {}
