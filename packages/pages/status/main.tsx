import type { JSX } from "preact";
import { PageFrame } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { StatusView } from "./status-view.tsx";

function Status(): JSX.Element {
  return (
    <PageFrame page="status" nav={null}>
      <StatusView />
    </PageFrame>
  );
}

await startPage("status", Status);
