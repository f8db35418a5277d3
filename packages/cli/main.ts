#!/usr/bin/env node
// The commands that run and check nodes; they read the arguments of the process themselves.
await import("@moneta/node");
