/** The caller aborted a task with `ModuleHost.interrupt`; this is not an error in the code that it ran. */
export class Interruption extends Error {}
