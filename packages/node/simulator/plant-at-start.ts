import { plant } from "./planted-faults.ts";

// Plants a fault in a node as a process: `NODE_OPTIONS=--import=URL?fault=NAME`, for all threads.

plant(new URL(import.meta.url).searchParams.get("fault") ?? "");
