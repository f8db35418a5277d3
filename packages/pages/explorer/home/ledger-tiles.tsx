import { type CallOptions, ProblemError } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { service } from "../../ledger/service.ts";
import { useRead } from "../../ledger/use-read.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { Tile } from "../../parts/pictures/tile.tsx";
import { Problem } from "../../parts/problem.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";

export function LedgerTiles(): JSX.Element {
  const texts = t().explorer.home.tiles;
  const { value, error, again } = useRead("tiles", readTiles, { live: true });
  if (value === undefined && error !== undefined) {
    return <Problem error={error} again={again} />;
  }
  const newest = value?.newest;
  return (
    <dl class="tiles">
      <Tile name={texts.newest}>
        {newest === undefined ? "–" : <a href={link.block(newest.sn)}>{numberText(newest.sn)}</a>}
      </Tile>
      <Tile name={texts.made}>
        {newest === undefined ? "–" : <TimeText time={newest.timestamp} />}
      </Tile>
      <Tile name={texts.transactions}>
        {value?.size === undefined ? "–" : numberText(value.size)}
      </Tile>
      <Tile name={texts.checkpoint}>
        {value === undefined ? "–" : <Signer isSigned={value.size !== undefined} />}
      </Tile>
    </dl>
  );
}

function Signer({ isSigned }: { readonly isSigned: boolean }): JSX.Element {
  const [, keyId] = service.value?.checkpoint_keys?.[0]?.split("+") ?? [];
  return isSigned && keyId !== undefined ? (
    <a href={link.protocol()}>
      <code>
        <UntrustedText text={keyId} max={16} />
      </code>
    </a>
  ) : (
    <span>{t().explorer.home.tiles.unsigned}</span>
  );
}

async function readTiles(options: CallOptions) {
  const [{ items }, size] = await Promise.all([
    moneta.blocks({ limit: 1 }, options),
    checkpointSize(options),
  ]);
  return { newest: items[0], size };
}

/** Undefined if the node signs no checkpoints. */
async function checkpointSize(options: CallOptions): Promise<number | undefined> {
  try {
    const [, size = ""] = (await moneta.checkpoint(options)).split("\n", 2);
    return /^[0-9]{1,15}$/.test(size) ? Number(size) : undefined;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) {
      return undefined;
    }
    throw error;
  }
}
