// What a turn costs the process it runs in: CPU time, and the heap on the way if that is asked for.

/** The share of a turn after which the heap is measured first. */
const EARLY = 0.1;

/** Run with --expose-gc where the heap is asked for. */
export function createMeter() {
  let before = process.cpuUsage();
  let measuring = 0;
  let count = 0;
  let marks = new Map();
  const heap = {};

  const measure = (mark) => {
    const started = process.cpuUsage();
    gc();
    heap[mark] = process.memoryUsage().heapUsed;
    const { user, system } = process.cpuUsage(started);
    measuring += user + system;
  };
  return {
    /** A turn begins; without marks the heap is left alone. */
    start: (updates, withHeap) => {
      count = 0;
      marks = new Map(
        withHeap
          ? [
              [Math.floor(updates * EARLY), "early"],
              [updates, "end"],
            ]
          : [],
      );
    },
    /** One more update has been sent or received. */
    tick: () => {
      count++;
      if (marks.size > 0 && marks.has(count)) measure(marks.get(count));
    },
    /** CPU time in microseconds since this was asked last, without the cost of measuring the heap. */
    read: () => {
      const { user, system } = process.cpuUsage(before);
      const cpu = user + system - measuring;
      before = process.cpuUsage();
      measuring = 0;
      return { cpu, heap: { ...heap } };
    },
  };
}
