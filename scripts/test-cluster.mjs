// Runs the tests of clusters in full: those that npm test shortens take their whole time here.
process.env["MONETA_CLUSTER_TESTS"] = "full";
process.argv.push("packages/node/cluster/*.test.ts");
await import("./test.mjs");
