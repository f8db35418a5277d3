import type { EventStream, StreamEvent } from "../event-stream.ts";

/** The next event that is no height, which comes by itself when nothing else does for 15 s. */
export async function nextButHeights(stream: EventStream): Promise<StreamEvent> {
  for (;;) {
    const event = await stream.next();
    if (event.event !== "height") {
      return event;
    }
  }
}
