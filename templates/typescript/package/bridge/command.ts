#!/usr/bin/env node
import { runBridgeCommand } from "../runtime/stdio/bridge/run-bridge.js";
import { STATE_LOSSES, TO_V1, TO_V2 } from "./tables.js";

const tables = { toV1: TO_V1, toV2: TO_V2, states: STATE_LOSSES };
process.exit(await runBridgeCommand(process.argv.slice(2), tables));
