#!/usr/bin/env node
import { TO_V1 } from "./tables.js";

console.error(Object.keys(TO_V1.rows).length);
