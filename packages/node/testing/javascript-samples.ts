import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Imports the modules that it is told to, one after the other, and tells what each has printed. One process for all, because starting one is most of what a sample costs.
console.log = (value: unknown) => {
  process.send?.({ logged: value });
};

process.on("message", (name: string) => {
  import(pathToFileURL(join(process.cwd(), name)).href).then(
    () => process.send?.({ ended: true }),
    (error: Error) => process.send?.({ failed: error.stack }),
  );
});
process.on("disconnect", () => process.exit());
