import { type Seal, shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { serviceKnown } from "../../ledger/service.ts";
import { useRead } from "../../ledger/use-read.ts";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { Life } from "../item/life.tsx";
import { link } from "../links.ts";
import { Mark } from "../proof/mark.tsx";
import { checkKey } from "./check-key.ts";
import { SealBadge } from "./seal-badge.tsx";

/** A key has 4,096 characters, data 2,048, each of one or two UTF-16 units. */
const TEXT_MAX = 8192;

/** Source: protocols §5.4, explorer §2. */
export function SealView({ id }: { readonly id: string }): JSX.Element {
  const texts = t().explorer.seals;
  const read = useRead(`seal ${id}`, (options) => moneta.seal({ mrc020key: id }, options), {
    live: true,
  });
  return (
    <View
      title={texts.titleOf(shortId(id))}
      actions={
        <a class="button" href={link.seals()}>
          {texts.title}
        </a>
      }
    >
      <Shown read={read}>
        {(seal) => (
          <>
            <SealFacts seal={seal} />
            {seal.is_open === 1 && <KeyCheck seal={seal} />}
          </>
        )}
      </Shown>
      {read.value !== undefined && <Life id={id} />}
    </View>
  );
}

function SealFacts({ seal }: { readonly seal: Seal }): JSX.Element {
  const texts = t().explorer.seals;
  const { owner, referencekey, algorithm, data, keyhash, publickey } = seal;
  const isOpen = seal.is_open === 1;
  return (
    <Facts
      facts={[
        [t().explorer.order.state, <SealBadge seal={seal} />],
        [texts.key, isOpen && <UntrustedText text={publickey} max={TEXT_MAX} />],
        [texts.opened, isOpen && <TimeText time={seal.opened} />],
        [texts.opensFrom, <TimeText time={seal.opendate} />],
        [texts.created, <TimeText time={seal.createdate} />],
        [t().explorer.order.owner, <AddressLink address={owner} />],
        [texts.reference, <UntrustedText text={referencekey} />],
        [texts.algorithm, algorithm !== "" && <UntrustedText text={algorithm} />],
        [texts.data, data !== "" && <UntrustedText text={data} max={TEXT_MAX} />],
        [texts.keyhash, <WholeId id={keyhash} />],
        [t().explorer.listing.id, <WholeId id={seal.id} />],
      ]}
    />
  );
}

function KeyCheck({ seal }: { readonly seal: Seal }): JSX.Element {
  const texts = t().explorer.seals;
  const { id, keyhash, publickey } = seal;
  const read = useRead(`key of ${id} ${keyhash} ${publickey}`, async () =>
    checkKey(seal, (await serviceKnown()).ledger_id),
  );
  return (
    <section class="card proof" aria-label={texts.key} aria-live="polite">
      <Shown read={read}>
        {({ verdict, computed }) => (
          <div class={`verdict ${verdict}`}>
            <h2>
              <Mark verdict={verdict} />
              {texts.verdicts[verdict]}
            </h2>
            <p>
              {verdict !== "unchecked" && <span class="quiet">{texts.computed} </span>}
              <code class="hash">
                <UntrustedText text={computed} />
              </code>
            </p>
            <p class="quiet">{texts.notShown}</p>
          </div>
        )}
      </Shown>
    </section>
  );
}
