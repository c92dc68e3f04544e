/** A task was given up by whoever asked for it (`ModuleHost.interrupt`): nothing is known of the code that it ran. */
export class Interruption extends Error {}
