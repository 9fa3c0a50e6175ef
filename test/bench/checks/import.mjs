// Imports a module in a fresh process and prints what that has cost, in seconds.
// Plain JavaScript, so that no loader is in the way. Argument: the module's URL.
const started = performance.now();
const before = process.cpuUsage();
await import(process.argv[2]);
const { user, system } = process.cpuUsage(before);
const cost = { cpu: (user + system) / 1e6, wall: (performance.now() - started) / 1e3 };
process.stdout.write(JSON.stringify(cost));
