import { promisify } from "node:util";
import { isMainThread, parentPort } from "node:worker_threads";
import { gzip } from "node:zlib";
import apiReference from "@scalar/fastify-api-reference";
import Fastify from "fastify";

// Reads the script of the API reference from its plugin, compresses it, posts it and ends. On its
// own thread, because that takes half a second and much memory.
if (isMainThread) {
  throw new Error("this file runs as a worker");
}
const app = Fastify();
await app.register(apiReference, { routePrefix: "/", configuration: { url: "/openapi.json" } });
const { statusCode, rawPayload } = await app.inject("/js/scalar.js");
if (statusCode !== 200) {
  throw new Error(`the script of the API reference is not where it was: ${statusCode}`);
}
parentPort?.postMessage(await promisify(gzip)(rawPayload, { level: 9 }));
