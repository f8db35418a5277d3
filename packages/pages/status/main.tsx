import type { JSX } from "preact";
import { LocationProvider } from "preact-iso";
import { PageFrame } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { StatusView } from "./status-view.tsx";

function Status(): JSX.Element {
  return (
    <LocationProvider>
      <PageFrame page="status" nav={null}>
        <StatusView />
      </PageFrame>
    </LocationProvider>
  );
}

await startPage(Status);
