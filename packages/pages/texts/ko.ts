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
  wallet: {
    nav: {
      home: "개요",
      send: "보내기",
      receive: "받기",
      history: "내역",
      accounts: "계정",
    },
    production: "실서비스 원장입니다. 여기서 서명한 것은 되돌릴 수 없으며 실제 가치를 가집니다.",
    insecure: {
      title: "지갑에는 HTTPS가 필요합니다",
      text: "이 페이지는 암호화되지 않은 HTTP로 전송되었습니다. 중간에서 누군가 내용을 바꿀 수 있으므로 브라우저가 키 사용을 허용하지 않습니다. https 주소로 열거나 해당 컴퓨터에서 localhost로 여십시오.",
      explorer: "탐색기는 그대로 사용할 수 있습니다.",
    },
    noAccount: {
      title: "환영합니다",
      text: "계정은 이 브라우저가 만들어 보관하는 키와 원장에 등록된 주소입니다. 키는 다른 누구에게도, 어떤 서버나 회사에도 없습니다.",
      name: "내 계정",
      create: "계정 만들기",
      creating: "만드는 중 …",
      restore: "백업 복원하기",
      import: "키 가져오기 (PEM)",
      elsewhere: (count: number): string =>
        `이 브라우저에는 다른 원장의 계정이 ${count}개 있습니다. 그 원장의 노드에서 지갑을 열면 사용할 수 있습니다.`,
    },
    opening: "키를 만들어 보관했습니다. 원장이 주소를 알려 줄 때까지 기다리고 있습니다.",
    account: "계정",
    form: {
      missing: "입력해 주십시오.",
      optional: "(선택)",
      tooLong: (length: string, max: string): string =>
        `${length}자입니다. 최대 ${max}자까지 보관됩니다.`,
      noAddress:
        "올바른 주소가 아닙니다. 주소는 MT로 시작하고 40자입니다. 잘못 입력한 글자가 있을 수 있습니다.",
      unknownToken: "그런 토큰이 없습니다.",
      noToken: "토큰 ID는 숫자입니다. 기본 코인은 0입니다.",
      noAmount: "숫자로 입력하고 소수점은 점으로 쓰십시오. 예: 1.5",
      zero: "0보다 커야 합니다.",
      tooMuch: (max: string, symbol: string): string =>
        `사용할 수 있는 금액은 ${max} ${symbol}뿐입니다.`,
      tooFine: (symbol: string, decimals: string): string =>
        `${symbol}은(는) 소수점 아래 ${decimals}자리까지만 쓸 수 있습니다.`,
      available: "사용 가능:",
      useAll: "전액 사용",
      nativeCoin: "(기본 코인)",
      noTime: "날짜와 시각을 선택해 주십시오.",
      past: "지금보다 뒤여야 합니다.",
      zone: (zone: string): string => `사용자의 시간대 기준입니다: ${zone}`,
      review: "확인하기",
      reviewTitle: "서명하기 전에",
      account: "계정",
      covers: (ledger: string): string =>
        `서명은 이 내용 전체와 원장 ${ledger}에만 적용됩니다. 누구도 일부를 바꾸거나 두 번 쓰거나 다른 원장에서 쓸 수 없습니다.`,
      exactly: "서명되는 정확한 내용",
      sign: "서명하고 보내기",
      signing: "서명하는 중 …",
      back: "뒤로",
      another: "하나 더 하기",
    },
    writes: {
      title: "방금 한 일",
      sending: "보냄",
      sendingText: "원장을 기다리는 중입니다 …",
      unanswered: (attempts: number): string =>
        `${attempts}번 시도했으나 아직 답이 없습니다. 결과를 알 때까지 같은 서명 요청을 다시 보냅니다. 한 번만 실행되거나 전혀 실행되지 않습니다. 이 페이지를 닫아도 됩니다.`,
      inBlock: (height: string): string => `블록 ${height}에 기록됨`,
      transaction: "거래",
      refused: "거부됨",
      expired: "실행되지 않음",
      expiredText:
        "제때 원장에 닿지 못했고 임시 키가 만료되었습니다. 아무 일도 일어나지 않았으며 앞으로도 실행될 수 없습니다.",
      verified: "증명으로 확인됨",
      wrong: "증명이 틀립니다. 이 노드를 믿지 마십시오",
      unchecked: "증명을 확인하는 중",
      dismiss: (title: string): string => `“${title}” 항목을 목록에서 지우기`,
    },
    send: {
      title: "보내기",
      to: "받는 주소",
      token: "토큰",
      amount: "금액",
      memo: "메모",
      memoHint: "누구나 영원히 읽을 수 있습니다.",
      more: "잠금 날짜와 태그",
      unlockdate: "이때까지 잠금",
      tags: "태그",
      tagsHint: "받는 사람이 입금을 구분하는 짧은 글입니다.",
      fee: "수수료",
      noFee: "없음",
      done: (amount: string, to: string): string => `${to}에 ${amount} 보내기`,
    },
  },
};
