import type { FastifyReply, FastifyRequest } from "fastify";
import makeRouter, { type HTTPVersion, type Instance } from "find-my-way";
import { PATH_RULES } from "./path-rules.ts";

/** Without a promise, because it only refuses. */
type Refuse = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** One route for each method: thirty methods of each path took 100 ms of every start. */
export class OtherMethods {
  readonly #router: Instance<HTTPVersion.V1> = makeRouter(PATH_RULES);

  add(path: string, refuse: Refuse): void {
    this.#router.on("GET", path, () => undefined, refuse);
  }

  find(url: string): Refuse | undefined {
    return this.#router.find("GET", url)?.store;
  }
}
