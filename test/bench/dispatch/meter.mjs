/** Returns a meter of the CPU time of the process it runs in. */
export function createMeter() {
  let before = process.cpuUsage();
  /** CPU time in microseconds since this was asked last. */
  return () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    return user + system;
  };
}
