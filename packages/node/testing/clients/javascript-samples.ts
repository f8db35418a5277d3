import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Imports the modules that its parent names in turn, and reports the output of each. One process
// for all, because its start is most of a sample's cost.
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
