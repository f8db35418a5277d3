import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { type ServiceOptions, ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";

/** A node as a process that may be killed, stopped and started again, at the same URL. */
export class ClusterNode implements AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly data: string;
  readonly #directory: TemporaryDirectory;
  readonly #options: ServiceOptions;
  #process: ServiceProcess | undefined;
  #isStanding = false;

  private constructor(name: string, port: number, options: ServiceOptions) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#directory = new TemporaryDirectory(`node-${name}`);
    this.data = options.data ?? join(this.#directory.path, "data");
    const more = [...(options.more ?? []), "--port", String(port)];
    this.#options = { ...options, data: this.data, more };
  }

  /** `more` are its arguments, such as `--log`; `data` is its directory, by default a new one. */
  static async start(name: string, options: ServiceOptions): Promise<ClusterNode> {
    const node = new ClusterNode(name, await freePort(), options);
    try {
      await node.resume();
      return node;
    } catch (thrown) {
      node.#directory[Symbol.dispose]();
      throw thrown;
    }
  }

  get pid(): number {
    return this.#running.pid;
  }

  get output(): string {
    return this.#running.output();
  }

  /** Starts it again, with further arguments if there are any; resolves once it responds. */
  async resume(...more: readonly string[]): Promise<void> {
    this.#process = await ServiceProcess.start({
      ...this.#options,
      more: [...(this.#options.more ?? []), ...more],
    });
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#running.kill();
  }

  /** SIGTERM; throws unless it ends in order. */
  async stop(): Promise<void> {
    const code = await this.#running.stop();
    if (code !== 0) {
      throw new Error(`node ${this.name} ended with ${code}\n${this.output}`);
    }
  }

  standStill(): void {
    process.kill(this.pid, "SIGSTOP");
    this.#isStanding = true;
  }

  goOn(): void {
    if (this.#isStanding) {
      process.kill(this.pid, "SIGCONT");
      this.#isStanding = false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.goOn();
      await this.#process?.[Symbol.asyncDispose]();
    } finally {
      this.#directory[Symbol.dispose]();
    }
  }

  get #running(): ServiceProcess {
    if (this.#process === undefined) {
      throw new Error(`node ${this.name} has not been started`);
    }
    return this.#process;
  }
}
