/** Milliseconds of the processor that something takes: what others have of a busy machine does not count. */
export async function processorTime(work: () => unknown): Promise<number> {
  const since = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
