import type { Texts } from "./texts.ts";

const plural = new Intl.PluralRules("ko");

function counted(count: number, one: string, other: string): string {
  return `${count} ${plural.select(count) === "one" ? one : other}`;
}

/** All texts of the pages, in English. Other languages have the same members (`Texts`). */
export const ko: Texts = {
  frame: {
    skip: "Skip to the content",
    pages: "Pages",
    page: { explorer: "Explorer", wallet: "Wallet", status: "Status" },
    loading: "Loading",
    tryAgain: "Try again",
    unreachable: "The node does not answer. It may be starting, or your connection may be down.",
    lost: "The connection to the node is lost. What you see may be out of date; the page reconnects by itself.",
    live: "live",
    notLive: "not connected",
    deployment: { test: "test", production: "production" },
    height: (height: string): string => `block ${height}`,
    reference: "API reference",
    theme: "Theme",
    themes: { system: "system", light: "light", dark: "dark" },
    language: "Language",
    copy: "Copy",
    copied: "Copied",
  },
  amounts: {
    ofUnknown: (amount: string, token: string): string => `${amount} units of token ${token}`,
    smallestUnits: (decimals: number): string =>
      `in the smallest unit (${counted(decimals, "decimal", "decimals")})`,
    token: (token: string): string => (token === "0" ? "native coin (token 0)" : `token ${token}`),
  },
  list: {
    newEntries: (count: number, isAll: boolean): string => `${count}${isAll ? "+" : ""} new`,
    end: "Nothing further: this is the end of the list.",
    pages: "Pages of this list",
    first: "« Newest",
    next: "Older »",
    saveCsv: (caption: string): string => `Save all of “${caption}” as CSV`,
    openJson: (caption: string): string => `Open “${caption}” as JSON`,
  },
  explorer: {
    nav: {
      home: "Home",
      blocks: "Blocks",
      transactions: "Transactions",
      tokens: "Tokens",
      projects: "Projects",
      items: "Items",
      market: "Market",
      protocol: "Protocol",
    },
    notFound: {
      title: "There is no such page",
      text: "The link may be incomplete.",
      home: "Go to the start of the explorer.",
    },
    search: {
      label: "Search the ledger",
      placeholder: "Address, transaction, block, token, item …",
      title: (text: string): string => `Search: ${text}`,
      nothing:
        "Nothing found. You can search for an address, a transaction, the number or id of a block, the id or symbol of a token, a project, an item, a listing.",
    },
    home: {
      title: "The ledger now",
      allBlocks: "All blocks",
    },
    blocks: {
      caption: "Newest blocks",
      empty: "There is no block yet.",
      number: "Block",
      time: "Time",
      count: "Transactions",
      id: "Id",
    },
    block: {
      title: (block: string): string => `Block ${block}`,
      number: "Number",
      id: "Id",
      time: "Time",
      count: "Transactions",
      previous: "Previous block",
    },
  },
  status: {
    title: "이 노드의 상태",
    about: "이 페이지가 열려 있는 동안 5초마다 측정하며, 한 시간 분량을 이 페이지에만 보관합니다.",
    ready: "준비됨",
    notReady: "준비되지 않음",
    closed:
      "이 노드는 여기에 수치를 공개하지 않습니다. 운영자가 /metrics를 내부용으로만 열어 두었습니다.",
    unreachable: "노드가 응답하지 않습니다. 페이지가 계속 다시 요청합니다.",
    nothing: "없음",
    alarming: "확인 필요",
    watchedBy: "감시하는 경보:",
    perSecond: (value: string): string => `초당 ${value}`,
    perMinute: (value: string): string => `분당 ${value}`,
    errors: "노드 시작 이후 경로별 오류",
    ofAnswers: (count: string): string => `전체 응답 ${count}건 중`,
    noErrors: "오류 응답이 없습니다.",
    status: "상태 코드",
    route: "경로",
    count: "건수",
    noRoute: "(알 수 없는 경로)",
    conditions: {
      cannotWrite:
        "블록을 저장하지 못했습니다. 원인은 노드의 로그에 있으며, 대개 디스크가 가득 찬 경우입니다.",
      diskFull: "디스크의 남은 공간이 5% 미만입니다. 가득 차면 노드가 쓰기를 멈춥니다.",
      heldByClock: "시계가 하루 넘게 어긋나서 쓰기를 거부하고 있습니다.",
      clockJumped: "시계가 한 시간 넘게 어긋났습니다.",
      rulesUnknown: "이 소프트웨어가 모르는 규칙이 예고되었습니다. 업그레이드하십시오.",
    },
    figures: {
      writes: { name: "쓰기", means: "완료된 작업입니다." },
      refused: { name: "거부된 쓰기", means: "접수된 뒤 규칙에 따라 거부된 작업입니다." },
      median: { name: "응답 시간, 중앙값", means: "응답의 절반은 이보다 빨랐습니다." },
      slowest: {
        name: "응답 시간, 99백분위",
        means: "응답 100건 중 1건은 이보다 오래 걸렸습니다.",
      },
      queue: {
        name: "대기열",
        means: "대기할 수 있는 작업 수에 대한 비율입니다. 가득 차면 쓰기에 503으로 응답합니다.",
      },
      blockFill: {
        name: "블록당 작업",
        means: "최근 1분의 평균입니다. 부하가 커지면 블록도 커집니다.",
      },
      execute: { name: "블록 실행, 99백분위", means: "규칙과 해시에 걸린 시간입니다." },
      sync: { name: "블록 동기화, 99백분위", means: "디스크에 기록될 때까지의 시간입니다." },
      ledgerThread: {
        name: "원장 스레드",
        means: "실행과 저장에 쓰인 시간의 비율입니다. 100%이면 쓰기의 한계입니다.",
      },
      signatures: { name: "서명", means: "검증한 서명입니다." },
      mainThread: { name: "주 스레드, 99백분위", means: "요청이 읽히기까지 기다리는 시간입니다." },
      blockAge: {
        name: "최신 블록",
        means: "생성된 후 지난 시간입니다. 블록은 쓰기가 있을 때 만들어집니다.",
      },
      unsigned: {
        name: "마지막 체크포인트 이후의 거래",
        means: "체크포인트는 요청이 있을 때 서명됩니다.",
      },
      diskFree: { name: "남은 디스크", means: "원장을 위한 공간입니다." },
      diskDays: {
        name: "디스크 사용 가능 기간",
        means: "이 페이지를 연 이후(최소 10분, 최대 한 시간)의 속도 기준입니다.",
      },
      ledgerSize: { name: "원장", means: "원장 파일의 크기입니다." },
      logOfChanges: {
        name: "변경 로그",
        means: "아직 주 파일에 반영되지 않은 변경입니다. 오래 읽는 작업이 있으면 커집니다.",
      },
      faults: {
        name: "내부 오류",
        means: "시작 이후 상태 코드 500의 응답입니다. 로그에 모두 기록됩니다.",
      },
      unavailable: { name: "이용 불가", means: "상태 코드 503의 응답입니다." },
      refusedRequests: { name: "거부된 요청", means: "상태 코드 400–499의 응답입니다." },
      streams: { name: "이벤트 스트림", means: "페이지, 상점, 지갑이 열어 둔 연결입니다." },
      dropped: { name: "끊긴 스트림", means: "클라이언트가 따라오지 못한 스트림입니다." },
      webhooks: { name: "밀린 웹훅", means: "웹훅에 아직 전달되지 않은 거래입니다." },
      memory: { name: "메모리", means: "프로세스 전체의 메모리입니다." },
      descriptors: {
        name: "파일 디스크립터",
        means: "사용 중인 비율입니다. 없으면 노드가 연결을 받지 못합니다.",
      },
    },
  },
};
