// Plays one side of a script over stdio: node script.mjs <library> <side> <profile>, with the
// script as JSON in SCRIPT.

const [library, side, profile] = process.argv.slice(2);
const { createAgent, playClient, openStdio } = await import(`./on-${library}.mjs`);
const script = JSON.parse(process.env.SCRIPT);
const stream = await openStdio(profile);

if (side === "client") report(await playClient(profile, script, stream));
else {
  const { player, connect } = await createAgent(profile, script);
  await connect(stream).closed;
  report(player);
}

/** Ends the process as the conversation went. */
function report(player) {
  for (const problem of player.finish()) console.error(problem);
  process.exitCode = player.problems.length > 0 ? 1 : 0;
}
