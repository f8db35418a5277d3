import type { ServiceInfo } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta, NODE_URL } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { TransactionList } from "../transaction/transaction-list.tsx";

/** Records of the rules and the form of the data; state roots are of the same kind. */
const OF_VERSIONS = "Chaincode Install or Update,DataMigration";

/** Source: explorer §2. */
export function ProtocolView(): JSX.Element {
  const texts = t().explorer.protocol;
  const read = useRead("service", (options) => moneta.service(options), { live: true });
  return (
    <View title={texts.title}>
      <Shown read={read}>
        {(service) => (
          <>
            <Rules service={service} />
            <Ledger service={service} />
            <CheckpointKeys service={service} />
            <ForPrograms service={service} />
          </>
        )}
      </Shown>
      <TransactionList caption={texts.changes} filter={{ type: OF_VERSIONS }} />
      <Genesis />
    </View>
  );
}

function Rules({ service: { protocol } }: { readonly service: ServiceInfo }): JSX.Element {
  const texts = t().explorer.protocol;
  const { version, next, height, operator } = protocol;
  return (
    <section class="stack" aria-label={texts.rules}>
      <h2>{texts.rules}</h2>
      <Facts
        facts={[
          [texts.version, numberText(version)],
          [
            texts.announced,
            next === 0 ? texts.nothingAnnounced : texts.from(numberText(next), numberText(height)),
          ],
          [
            texts.operator,
            operator === "" ? texts.nobody : <AddressLink address={operator} whole />,
          ],
        ]}
      />
    </section>
  );
}

function Ledger({ service }: { readonly service: ServiceInfo }): JSX.Element {
  const texts = t().explorer.protocol;
  const { ledger, ledger_id, deployment, coin } = service;
  return (
    <section class="stack" aria-label={texts.ledger}>
      <h2>{texts.ledger}</h2>
      <Facts
        facts={[
          [texts.name, <UntrustedText text={ledger} />],
          [
            texts.id,
            <>
              <WholeId id={ledger_id} /> <a href={link.block(0)}>{texts.genesisBlock}</a>
            </>,
          ],
          [texts.deployment, t().frame.deployment[deployment]],
          [
            texts.coin,
            <>
              <UntrustedText text={coin.name} max={60} /> <TokenLink token={coin.token} />
            </>,
          ],
          [texts.supply, <AmountText amount={coin.totalsupply} token={coin.token} />],
        ]}
      />
    </section>
  );
}

function CheckpointKeys({ service }: { readonly service: ServiceInfo }): JSX.Element {
  const texts = t().explorer.protocol;
  const keys = service.checkpoint_keys ?? [];
  return (
    <section class="card stack" aria-label={texts.keys}>
      <h2>{texts.keys}</h2>
      <p>{keys.length === 0 ? texts.noKeys : texts.aboutKeys}</p>
      {keys.map((key) => (
        <p key={key}>
          <WholeId id={key} />
        </p>
      ))}
      {keys.length > 0 && <Checkpoint />}
    </section>
  );
}

function Checkpoint(): JSX.Element {
  const read = useRead("checkpoint", (options) => moneta.checkpoint(options), { live: true });
  return (
    <>
      <h3>{t().explorer.protocol.checkpoint}</h3>
      <Shown read={read}>
        {(note) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
          <pre tabIndex={0}>
            <UntrustedText text={note} max={2000} />
          </pre>
        )}
      </Shown>
    </>
  );
}

function ForPrograms({ service }: { readonly service: ServiceInfo }): JSX.Element {
  const texts = t().explorer.protocol;
  const { name, version, interface: api, documentation, openapi } = service;
  return (
    <section class="stack" aria-label={texts.programs}>
      <h2>{texts.programs}</h2>
      <Facts
        facts={[
          [texts.software, <UntrustedText text={`${name} ${version}`} max={60} />],
          [texts.interface, <UntrustedText text={api} max={20} />],
          [texts.reference, <NodeLink path={documentation} />],
          [texts.openapi, <NodeLink path={openapi} />],
          [texts.tree, <NodeLink path="/checkpoint" />],
          [texts.code, texts.aboutCode],
        ]}
      />
    </section>
  );
}

function NodeLink({ path }: { readonly path: string }): JSX.Element {
  const isPath = /^\/[\w/.-]*$/.test(path);
  return isPath ? <a href={`${NODE_URL}${path}`}>{path}</a> : <UntrustedText text={path} />;
}

function Genesis(): JSX.Element {
  const texts = t().explorer.protocol;
  const read = useRead("genesis", (options) => moneta.blockRaw({ block: "0" }, options));
  return (
    <section class="stack" aria-label={texts.genesis}>
      <h2>{texts.genesis}</h2>
      <Shown read={read}>
        {({ operations }) => (
          <Facts
            facts={operations
              .filter(({ op }) => op === "protocol")
              .flatMap(({ params }) =>
                Object.entries(params).map(
                  ([name, text]) => [name, <UntrustedText text={String(text)} />] as const,
                ),
              )}
          />
        )}
      </Shown>
    </section>
  );
}
