import { plant } from "./planted-faults.ts";

// In a node as a process, for all threads: `NODE_OPTIONS=--import=URL?fault=NAME`.

plant(new URL(import.meta.url).searchParams.get("fault") ?? "");
