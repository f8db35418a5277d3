// Writes docs/images/rooms.svg.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { roomsPicture } from "./rooms-picture.ts";

writeFileSync(fileURLToPath(new URL("../docs/images/rooms.svg", import.meta.url)), roomsPicture());
