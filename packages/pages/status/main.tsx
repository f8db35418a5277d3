import type { JSX } from "preact";
import { PageFrame } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { Views } from "../frame/views.tsx";
import { PREFIX } from "../ledger/node.ts";
import { StatusView } from "./status-view.tsx";

function Status(): JSX.Element {
  return (
    <PageFrame page="status" nav={null}>
      <Views root={`${PREFIX}/status`} home={StatusView} views={{}} />
    </PageFrame>
  );
}

await startPage("status", Status);
