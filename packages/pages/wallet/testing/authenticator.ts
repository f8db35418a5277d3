import type { CDPSession, Page } from "playwright-core";

/** It always verifies a person. */
export class Authenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /** While the page is open. */
  static async of(page: Page): Promise<Authenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    return new Authenticator(session, authenticatorId);
  }

  /** As in the settings of the device. */
  async removePasskeys(): Promise<void> {
    await this.#session.send("WebAuthn.clearCredentials", { authenticatorId: this.#id });
  }

  async count(): Promise<number> {
    const { credentials } = await this.#session.send("WebAuthn.getCredentials", {
      authenticatorId: this.#id,
    });
    return credentials.length;
  }

  /** The person declines, or accepts again. */
  async setVerified(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", {
      authenticatorId: this.#id,
      isUserVerified,
    });
  }
}
