/** The processor time that a function takes, in milliseconds, which does not depend on the load of the machine. */
export async function processorTime(work: () => unknown): Promise<number> {
  const since = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
