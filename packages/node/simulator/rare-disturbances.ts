import type { SeededRandom } from "../testing/seeded-random.ts";
import { type Disturbed, newestPrimary } from "./disturbances.ts";

type Disturb = (world: Disturbed, random: SeededRandom) => void;

/** One run in ten has the first of them. */
const KINDS: readonly Disturb[] = [fillDisk];
const ONE_OF = 10;

/**
 * Disturbs a few runs once more, before `untilMs`. `random` is not the world's: so a new kind
 * changes only the runs that it disturbs, and the stored seeds of others stay good.
 */
export function disturbRarely(world: Disturbed, random: SeededRandom, untilMs: number): void {
  const { time } = world;
  const disturb = KINDS[random.integer({ min: 0, max: ONE_OF - 1 })];
  if (disturb !== undefined) {
    const begin = (): void => {
      if (world.isParted) {
        time.after(100, begin);
      } else {
        disturb(world, random);
      }
    };
    time.after(random.integer({ min: 1000, max: untilMs - 1000 }), begin);
  }
}

/** The primary's disk is full for some time: it refuses each row, and COMMIT behind it rolls back. */
function fillDisk({ servers, time, trace }: Disturbed, random: SeededRandom): void {
  const primary = newestPrimary(servers);
  trace.add(primary.name, "has no space left");
  primary.isFull = true;
  time.after(random.integer({ min: 100, max: 6000 }), () => {
    trace.add(primary.name, "has space again");
    primary.isFull = false;
  });
}
