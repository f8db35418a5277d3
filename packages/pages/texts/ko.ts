import { said } from "./template.ts";
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
    records: {
      units: (amount: string): string => `${amount}개`,
      oneItem: "아이템 {item}",
      items: (count: string): string => `아이템 ${count}개`,
      oneListing: "판매 목록 {listing}",
      listings: (count: string): string => `판매 목록 ${count}건`,
      more: (count: string): string => ` 외 ${count}명`,
      unknown: (type: string): string => `이 화면이 알지 못하는 ${type} 유형의 기록입니다`,
      filter: {
        kind: "종류",
        all: "전체",
        since: "부터",
        until: "까지",
        clear: "모두 보기",
      },
      kinds: {
        payments: "송금",
        accounts: "새 주소",
        tokens: "토큰",
        offers: "판매 등록과 구매 요청",
        trades: "구매와 판매",
        auctions: "경매",
        bids: "입찰",
        items: "아이템",
        projects: "프로젝트",
        rules: "원장의 규칙",
      },
      types: {
        "Chaincode Install or Update": said(
          "규칙",
          "[{height}번 블록부터 ]규칙 버전 {version}[, 공지한 주소 {actor}][: {note}]",
        ),
        DataMigration: said(
          "규칙",
          "저장된 데이터가 버전 {version} 형식으로 바뀌었습니다[: {note}]",
        ),
        NewWallet: said("새 주소", "주소 {address}이(가) 만들어졌습니다[: {addinfo}]"),
        transfer: said(
          "송금",
          "{from}이(가) {to}에게 {amount}을(를) 보냈습니다[(사용 가능: {unlockdate})][: {memo}]",
        ),
        receive: said(
          "송금",
          "{to}이(가) {from}에게서 {amount}을(를) 받았습니다[(사용 가능: {unlockdate})][: {memo}]",
        ),
        multi_transfer: said(
          "여러 건 송금",
          "{from}이(가) {others}에게 모두 {money}을(를) 보냈습니다|{from}이(가) 여러 주소에 보냈습니다",
        ),
        tokenSave: said("토큰 초안", "{owner}이(가) 토큰 {symbol}의 초안을 저장했습니다"),
        tokenRegister: said("새 토큰", "{owner}이(가) 토큰을 만들고 {money}을(를) 발행했습니다"),
        token_reserve: said(
          "새 토큰",
          "{receiver}이(가) {owner}에게서 새 토큰 {amount}을(를) 배정받았습니다",
        ),
        tokenBurning: said("소각", "{actor}이(가) {amount}을(를) 소각했습니다[: {memo}]"),
        tokenIncrease: said(
          "추가 발행",
          "{actor}이(가) {amount}을(를) 추가로 발행했습니다[: {memo}]",
        ),
        tokenUpdate: said("토큰 변경", "{actor}이(가) 토큰 {token}의 설명을 변경했습니다"),
        mrc010sell: said(
          "판매 등록",
          "{address}이(가) {amount}을(를) {min_trade_unit}당 {price}에 내놓았습니다",
        ),
        mrc010reqsell: said(
          "구매 요청",
          "{address}이(가) {amount}을(를) {min_trade_unit}당 {price}에 사겠다고 요청했습니다",
        ),
        mrc010unsell: said("철회", "{creator}이(가) {amount}의 판매를 철회했습니다"),
        mrc010unreqsell: said(
          "철회",
          "{creator}이(가) {amount}의 구매 요청을 철회했습니다[(환급: {refund})]",
        ),
        transfer_mrc010buy: said(
          "구매",
          "{taker}이(가) [{seller}에게서 ]{amount}을(를) {payment}에 샀습니다",
        ),
        transfer_mrc010sell: said(
          "판매",
          "{taker}이(가) [{buyer}에게 ]{amount}을(를) {payment}에 팔았습니다",
        ),
        mrc010auction: said(
          "경매",
          "{address}이(가) {amount}을(를) {auction_start_price}부터 경매에 올렸습니다",
        ),
        mrc010unauction: said("철회", "{seller}이(가) {amount}의 경매를 철회했습니다"),
        transfer_mrc010bid: said(
          "입찰",
          "{bidder}이(가) 경매 {dexid}에 {bid}을(를) 입찰했습니다[(즉시 낙찰: {amount})]",
        ),
        receive_mrc010item: said(
          "낙찰",
          "{winner}이(가) 경매 {dexid}에서 {amount}을(를) [{paid}에 ]낙찰받았습니다",
        ),
        mrc010auctionfailure: said(
          "유찰",
          "경매 {dexid}의 {amount}에 입찰이 없어 {seller}에게 돌아갔습니다",
        ),
        receive_mrc010sell: said(
          "판매",
          "{payee}이(가) 판매한 토큰 값으로 {payment}을(를) 받았습니다",
        ),
        receive_mrc010buy: said("구매", "{payee}이(가) 요청한 {amount}을(를) 받았습니다"),
        receive_mrc010fee: said("수수료", "{payee}이(가) 수수료 {payment}을(를) 받았습니다"),
        receive_mrc010refund: said(
          "상위 입찰",
          "더 높은 입찰이 있어 {payee}이(가) {payment}을(를) 돌려받았습니다",
        ),
        receive_mrc010auction: said(
          "판매",
          "{payee}이(가) 경매한 토큰 값으로 {payment}을(를) 받았습니다",
        ),
        mrc010_buy: said("구매", "{other}이(가) {creator}에게서 {traded}을(를) {paid}에 샀습니다"),
        mrc010_acceptreqsell: said(
          "판매",
          "{other}이(가) {creator}에게 {traded}을(를) {paid}에 팔았습니다",
        ),
        mrc010_auctionbid: said("입찰", "{other}이(가) {paid}을(를) 입찰했습니다"),
        mrc010_auctionbuynow: said(
          "구매",
          "{other}이(가) {creator}에게서 {traded}을(를) {paid}에 즉시 샀습니다",
        ),
        mrc010_auctionwinning: said(
          "낙찰",
          "{other}이(가) {creator}의 {traded}을(를) {paid}에 낙찰받았습니다",
        ),
        mrc400create: said("새 프로젝트", "{owner}이(가) 프로젝트 {named}을(를) 만들었습니다"),
        mrc400update: said("프로젝트 변경", "{owner}이(가) 프로젝트 {named}을(를) 변경했습니다"),
        mrc401create: said(
          "새 아이템",
          "{actor}이(가) 프로젝트 {mrc400id}에 {items}을(를) 만들었습니다",
        ),
        mrc401update: said(
          "아이템 변경",
          "{actor}이(가) 프로젝트 {mrc400id}의 {items}을(를) 변경했습니다",
        ),
        mrc401_create: said(
          "새 아이템",
          "{actor}이(가) 아이템 {item}을(를) 만들었습니다[(준비금: {initial_reserve})]",
        ),
        mrc401_update: said("아이템 변경", "{actor}이(가) 아이템 {item}을(를) 변경했습니다"),
        mrc401transfer: said("양도", "{fromAddr}이(가) {toAddr}에게 {items}을(를) 넘겼습니다"),
        mrc401_transfer: said(
          "양도",
          "{fromAddr}이(가) {toAddr}에게 아이템 {item}을(를) 넘겼습니다",
        ),
        receive_mrc401: said(
          "양도",
          "{toAddr}이(가) {fromAddr}에게서 아이템 {item}을(를) 받았습니다",
        ),
        mrc401sell: said("판매 등록", "{seller}이(가) {items}을(를) [{money}에 ]판매 등록했습니다"),
        mrc401unsell: said("철회", "{seller}이(가) {items}의 판매를 철회했습니다"),
        mrc401auction: said("경매", "{seller}이(가) {items}을(를) [{money}부터 ]경매에 올렸습니다"),
        mrc401unauction: said("철회", "{seller}이(가) {items}의 경매를 철회했습니다"),
        mrc401_sell: said(
          "판매 등록",
          "{seller}이(가) 아이템 {item}을(를) {price}에 판매 등록했습니다",
        ),
        mrc401_unsell: said("철회", "{seller}이(가) 아이템 {item}의 판매를 철회했습니다"),
        mrc401_unauction: said("철회", "{seller}이(가) 아이템 {item}의 경매를 철회했습니다"),
        mrc401_auction: said(
          "경매",
          "{seller}이(가) 아이템 {item}을(를) {auction_start_price}부터 경매에 올렸습니다",
        ),
        transfer_mrc401buy: said(
          "구매",
          "{buyer}이(가) [{seller}에게서 ]아이템 {item}을(를) {payment}에 샀습니다",
        ),
        transfer_mrc401bid: said("입찰", "{bidder}이(가) 아이템 {item}에 {bid}을(를) 입찰했습니다"),
        mrc401_buy: said(
          "구매",
          "{buyer}이(가) {seller}에게서 아이템 {item}을(를) [{paid}에 ]샀습니다",
        ),
        mrc401_auctionbid: said("입찰", "{bidder}이(가) 아이템 {item}에 {paid}을(를) 입찰했습니다"),
        mrc401_melt: said("용해", "{owner}이(가) 아이템 {item}을(를) 녹였습니다[(준비금: {paid})]"),
        mrc401_auctionwinning: said(
          "낙찰",
          "{winner}이(가) 아이템 {item}을(를) [{paid}에 ]낙찰받았습니다",
        ),
        mrc401_auctionbuynow: said(
          "구매",
          "{winner}이(가) 아이템 {item}을(를) {paid}에 즉시 샀습니다",
        ),
        mrc401_auctionfailure: said(
          "유찰",
          "아이템 {item}에 입찰이 없어 {seller}이(가) 그대로 보유합니다",
        ),
        receive_mrc401sell: said(
          "판매",
          "{seller}이(가) 아이템 {item}의 값으로 {buyer}에게서 {payment}을(를) 받았습니다",
        ),
        receive_mrc401auction: said(
          "판매",
          "{seller}이(가) 경매한 아이템 {item}의 값으로 {buyer}에게서 {payment}을(를) 받았습니다",
        ),
        receive_mrc401fee: said(
          "수수료",
          "{owner}이(가) 아이템 {item} 판매의 프로젝트 수수료로 {payment}을(를) 받았습니다",
        ),
        receive_mrc401refund: said(
          "상위 입찰",
          "아이템 {item}에 더 높은 입찰이 있어 {bidder}이(가) {payment}을(를) 돌려받았습니다",
        ),
        receive_melt: said("준비금", "{payee}이(가) {item}의 준비금 {payment}을(를) 받았습니다"),
        receive_meltfee: said(
          "수수료",
          "{payee}이(가) {item} 용해의 프로젝트 수수료로 {payment}을(를) 받았습니다",
        ),
        mrc402create: said(
          "새 아이템",
          "{creator}이(가) 아이템 {named}을(를) [{totalsupply} ]만들었습니다|{actor}이(가) 프로젝트 {mrc400id}에 수량이 있는 {items}을(를) 만들었습니다",
        ),
        mrc402update: said(
          "아이템 변경",
          "{creator}이(가) 아이템 {item}을(를) 변경했습니다|{actor}이(가) 프로젝트 {mrc400id}의 {items}을(를) 변경했습니다|{actor}이(가) 아이템 {item}을(를) 변경했습니다",
        ),
        mrc402mint: said(
          "추가 발행",
          "{creator}이(가) 아이템 {item}을(를) {amount} 추가로 발행했습니다[: {memo}]",
        ),
        mrc402burn: said(
          "소각",
          "{creator}이(가) 아이템 {item}을(를) {amount} 소각했습니다[: {memo}]",
        ),
        mrc402melt: said(
          "용해",
          "{actor}이(가) 아이템 {item}을(를) {amount} 녹였습니다|{actor}이(가) 아이템 {item}을(를) 녹였습니다",
        ),
        transfer_mrc402: said(
          "양도",
          "{from}이(가) {to}에게 아이템 {item}을(를) {amount} 넘겼습니다[: {memo}]",
        ),
        receive_mrc402: said(
          "양도",
          "{to}이(가) {from}에게서 아이템 {item}을(를) {amount} 받았습니다[: {memo}]",
        ),
        mrc402sell: said(
          "판매 등록",
          "{seller}이(가) 아이템 {item} {amount}을(를) 개당 {price}에 판매 등록했습니다|{actor}이(가) {items}의 수량을 [개당 {money}에 ]판매 등록했습니다",
        ),
        mrc402auction: said(
          "경매",
          "{seller}이(가) 아이템 {item} {amount}을(를) {auction_start_price}부터 경매에 올렸습니다|{actor}이(가) {items}의 수량을 [{money}부터 ]경매에 올렸습니다",
        ),
        mrc402unsell: said(
          "철회",
          "{seller}이(가) 아이템 {item} {amount}의 판매를 철회했습니다|{actor}이(가) {listings}의 판매를 철회했습니다",
        ),
        mrc402unauction: said(
          "철회",
          "{seller}이(가) 아이템 {item} {amount}의 경매를 철회했습니다|{actor}이(가) {listings}의 경매를 철회했습니다",
        ),
        transfer_mrc402buy: said(
          "구매",
          "{buyer}이(가) [{seller}에게서 ]아이템 {item} {amount}을(를) {payment}에 샀습니다",
        ),
        transfer_mrc402bid: said(
          "입찰",
          "{bidder}이(가) 아이템 {item}에 {bid}을(를) 입찰했습니다[(즉시 낙찰: {amount})]",
        ),
        receive_mrc402item: said(
          "낙찰",
          "{winner}이(가) 아이템 {item} {amount}을(를) [{paid}에 ]낙찰받았습니다",
        ),
        receive_mrc402fee: said(
          "수수료",
          "{payee}이(가) 아이템 {item} 판매의 수수료로 {payment}을(를) 받았습니다",
        ),
        receive_mrc402sell: said(
          "판매",
          "{payee}이(가) 아이템 {item}의 값으로 {payment}을(를) 받았습니다",
        ),
        receive_mrc402auction: said(
          "판매",
          "{payee}이(가) 경매한 아이템 {item}의 값으로 {payment}을(를) 받았습니다",
        ),
        receive_mrc402refund: said(
          "상위 입찰",
          "아이템 {item}에 더 높은 입찰이 있어 {payee}이(가) {payment}을(를) 돌려받았습니다",
        ),
        mrc402_buy: said(
          "구매",
          "{buyer}이(가) {seller}에게서 아이템 {item} {traded}을(를) {paid}에 샀습니다",
        ),
        mrc402_auctionbuynow: said(
          "구매",
          "{buyer}이(가) {seller}에게서 아이템 {item} {traded}을(를) {paid}에 즉시 샀습니다",
        ),
        mrc402_auctionwinning: said(
          "낙찰",
          "{buyer}이(가) 아이템 {item} {traded}을(를) {paid}에 낙찰받았습니다",
        ),
        mrc402_auctionbid: said("입찰", "{bidder}이(가) {paid}을(를) 입찰했습니다"),
        mrc402auctionfailure: said(
          "유찰",
          "아이템 {item} {amount}에 입찰이 없어 {seller}에게 돌아갔습니다",
        ),
      },
    },
    transactions: {
      caption: "최신 거래",
      empty: "아직 거래가 없습니다.",
      noneFits: "조건에 맞는 거래가 없습니다.",
      what: "내용",
      type: "유형",
      time: "시각",
      transaction: "거래",
      open: "자세히",
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
      allTransactions: "모든 거래",
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
};
