import { recordSentences, type SentenceTexts, sentence } from "./record-texts.ts";

export const KOREAN: SentenceTexts = {
  units: (amount) => `${amount}개`,
  oneItem: "아이템 {item}",
  items: (count) => `아이템 ${count}개`,
  oneListing: "판매 목록 {listing}",
  listings: (count) => `판매 목록 ${count}건`,
  more: (count) => ` 외 ${count}명`,
  unknown: (type) => `알 수 없는 ${type} 유형의 기록입니다`,
  types: recordSentences({
    "Chaincode Install or Update": sentence(
      "규칙",
      "[{height}번 블록부터 ]규칙 버전 {version}[, 공지한 주소 {actor}][: “{note}”]",
    ),
    DataMigration: sentence(
      "규칙",
      "저장된 데이터가 버전 {version} 형식으로 바뀌었습니다[: “{note}”]",
    ),
    StateRoot: sentence("상태 루트", "{height}번 블록의 상태 루트는 {root}입니다"),
    NewWallet: sentence("새 주소", "주소 {address}이(가) 만들어졌습니다[: “{addinfo}”]"),
    NewKeys: sentence("새 키", "{address}의 키가 버전 {version}(으)로 바뀌었습니다"),
    Recovery: sentence("복구", "다른 키가 {address}을(를) 복구하고 있습니다"),
    RecoveryCancelled: sentence("복구 취소", "{address}이(가) 복구를 취소했습니다"),
    Grant: sentence("권한 부여", "{address}이(가) 다른 키에 권한을 주었습니다"),
    GrantEnd: sentence("권한 종료", "{address}이(가) 부여한 권한을 끝냈습니다"),
    transfer: sentence(
      "송금",
      "{from}이(가) {to}에게 {amount}을(를) 보냈습니다[(잠금 해제: {unlockdate})][: “{memo}”]",
    ),
    receive: sentence(
      "송금",
      "{to}이(가) {from}에게서 {amount}을(를) 받았습니다[(잠금 해제: {unlockdate})][: “{memo}”]",
    ),
    multi_transfer: sentence(
      "여러 건 송금",
      "{from}이(가) {others}에게 모두 {money}을(를) 보냈습니다|{from}이(가) 여러 주소에 보냈습니다",
    ),
    tokenSave: sentence("토큰 초안", "{owner}이(가) 토큰 “{symbol}”의 초안을 저장했습니다"),
    tokenRegister: sentence(
      "새 토큰",
      "{owner}이(가) 토큰을 만들고 {money}을(를) 발행했습니다|토큰이 만들어지고 {money}이(가) 발행되었습니다",
    ),
    token_reserve: sentence(
      "새 토큰",
      "{receiver}이(가) [{owner}에게서 ]새 토큰 {amount}을(를) 배정받았습니다",
    ),
    tokenBurning: sentence("소각", "{actor}이(가) {amount}을(를) 소각했습니다[: “{memo}”]"),
    tokenIncrease: sentence(
      "추가 발행",
      "{actor}이(가) {amount}을(를) 추가로 발행했습니다[: “{memo}”]",
    ),
    tokenUpdate: sentence("토큰 변경", "{actor}이(가) 토큰 {token}의 설명을 변경했습니다"),
    SetBase: sentence("거래쌍", "{actor}이(가) {target}의 기준 토큰을 {base}(으)로 정했습니다"),
    tokenAddTarget: sentence(
      "거래쌍",
      "{actor}이(가) {target}을(를) {base}(으)로 거래되는 토큰으로 허용했습니다",
    ),
    tokenRemoveTarget: sentence(
      "거래쌍",
      "{actor}이(가) {target}을(를) {base}(으)로 거래되는 토큰에서 제외했습니다",
    ),
    exchange: sentence(
      "교환",
      "{fromAddr}이(가) {fromAmount}을(를) {toAddr}의 {toAmount}과(와) 교환했습니다[: “{fromMemo}”]",
    ),
    exchangePair: sentence(
      "교환",
      "{toAddr}이(가) {toAmount}을(를) {fromAddr}의 {fromAmount}과(와) 교환했습니다[: “{toMemo}”]",
    ),
    exchangeFee: sentence(
      "교환 수수료",
      "{fromFeesendto}이(가) {fromAddr}에게서 {fromFeeamount}을(를) 받았습니다",
    ),
    exchangeFeePair: sentence(
      "교환 수수료",
      "{toFeesendto}이(가) {toAddr}에게서 {toFeeamount}을(를) 받았습니다",
    ),
    stodexRegister: sentence(
      "주문",
      "{owner}이(가) {bought}을(를) 개당 {price}에 사는 주문을 등록했습니다[: {order}]|{owner}이(가) {sold}을(를) 개당 {price}에 파는 주문을 등록했습니다[: {order}]",
    ),
    stodexUnRegister: sentence(
      "주문 취소",
      "{owner}이(가) {order} 주문을 취소했습니다[. {refund}을(를) 돌려받았습니다]",
    ),
    stodexRequest: sentence(
      "시장가 주문",
      "{requester}이(가) {bought}을(를)[ {cost}에] 시장가로 샀습니다|{requester}이(가) {sold}을(를)[ {cost}에] 시장가로 팔았습니다",
    ),
    stodexExchange: sentence(
      "주문 체결",
      "{requester}이(가) {order} 주문과 {qtt}을(를) 거래했습니다",
    ),
    stodexExchangePending: sentence(
      "주문 체결",
      "{owner}이(가) {order} 주문으로 {requester}에게서 {bought}을(를)[ {cost}에] 샀습니다|{owner}이(가) {order} 주문으로 {requester}에게 {sold}을(를)[ {cost}에] 팔았습니다",
    ),
    stodexExchangeRequest: sentence(
      "체결",
      "{requester}이(가) {owner}의 {order} 주문에서 {bought}을(를)[ {cost}에] 샀습니다|{requester}이(가) {owner}의 {order} 주문에 {sold}을(를)[ {cost}에] 팔았습니다",
    ),
    bundle: sentence("묶음", "{actor}이(가) 서명 하나로 작업 {operations}건을 실행했습니다"),
    MRC020: sentence(
      "봉인",
      "{owner}이(가) {seal} 글을 봉인했습니다[. {opendate}부터 열 수 있습니다]",
    ),
    MRC020Open: sentence("개봉", "{owner}의 {seal} 글이 “{openingkey}” 키로 열렸습니다"),
    mrc010sell: sentence(
      "판매 등록",
      "{address}이(가) {amount}을(를) {min_trade_unit}당 {price}에 내놓았습니다",
    ),
    mrc010reqsell: sentence(
      "구매 요청",
      "{address}이(가) {amount}을(를) {min_trade_unit}당 {price}에 사겠다고 요청했습니다",
    ),
    mrc010unsell: sentence("철회", "{creator}이(가) {amount}의 판매를 철회했습니다"),
    mrc010unreqsell: sentence(
      "철회",
      "{creator}이(가) {amount}의 구매 요청을 철회했습니다[(환급: {refund})]",
    ),
    transfer_mrc010buy: sentence(
      "구매",
      "{taker}이(가) [{seller}에게서 ]{amount}을(를) {payment}에 샀습니다",
    ),
    transfer_mrc010sell: sentence(
      "판매",
      "{taker}이(가) [{buyer}에게 ]{amount}을(를) {payment}에 팔았습니다",
    ),
    mrc010auction: sentence(
      "경매",
      "{address}이(가) {amount}을(를) {auction_start_price}부터 경매에 올렸습니다",
    ),
    mrc010unauction: sentence("철회", "{seller}이(가) {amount}의 경매를 철회했습니다"),
    transfer_mrc010bid: sentence(
      "입찰",
      "{bidder}이(가) 경매 {dexid}에 {bid}을(를) 입찰했습니다[(즉시 낙찰: {amount})]",
    ),
    receive_mrc010item: sentence(
      "낙찰",
      "{winner}이(가) 경매 {dexid}에서 {amount}을(를) [{paid}에 ]낙찰받았습니다",
    ),
    mrc010auctionfailure: sentence(
      "유찰",
      "경매 {dexid}의 {amount}에 입찰이 없어 {seller}에게 돌아갔습니다",
    ),
    receive_mrc010sell: sentence(
      "판매",
      "{payee}이(가) 판매한 토큰 값으로 {payment}을(를) 받았습니다",
    ),
    receive_mrc010buy: sentence("구매", "{payee}이(가) 요청한 {amount}을(를) 받았습니다"),
    receive_mrc010fee: sentence("수수료", "{payee}이(가) 수수료 {payment}을(를) 받았습니다"),
    receive_mrc010refund: sentence(
      "상위 입찰",
      "더 높은 입찰이 있어 {payee}이(가) {payment}을(를) 돌려받았습니다",
    ),
    receive_mrc010auction: sentence(
      "판매",
      "{payee}이(가) 경매한 토큰 값으로 {payment}을(를) 받았습니다",
    ),
    mrc010_buy: sentence("구매", "{other}이(가) {creator}에게서 {traded}을(를) {paid}에 샀습니다"),
    mrc010_acceptreqsell: sentence(
      "판매",
      "{other}이(가) {creator}에게 {traded}을(를) {paid}에 팔았습니다",
    ),
    mrc010_auctionbid: sentence("입찰", "{other}이(가) {paid}을(를) 입찰했습니다"),
    mrc010_auctionbuynow: sentence(
      "구매",
      "{other}이(가) {creator}에게서 {traded}을(를) {paid}에 즉시 샀습니다",
    ),
    mrc010_auctionwinning: sentence(
      "낙찰",
      "{other}이(가) {creator}의 {traded}을(를) {paid}에 낙찰받았습니다",
    ),
    mrc400create: sentence("새 프로젝트", "{owner}이(가) 프로젝트 {named}을(를) 만들었습니다"),
    mrc400update: sentence("프로젝트 변경", "{owner}이(가) 프로젝트 {named}을(를) 변경했습니다"),
    mrc401create: sentence(
      "새 아이템",
      "{actor}이(가) 프로젝트 {mrc400id}에 {items}을(를) 만들었습니다",
    ),
    mrc401update: sentence(
      "아이템 변경",
      "{actor}이(가) 프로젝트 {mrc400id}의 {items}을(를) 변경했습니다",
    ),
    mrc401_create: sentence(
      "새 아이템",
      "{actor}이(가) 아이템 {item}을(를) 만들었습니다[(준비금: {initial_reserve})]",
    ),
    mrc401_update: sentence("아이템 변경", "{actor}이(가) 아이템 {item}을(를) 변경했습니다"),
    mrc401transfer: sentence("양도", "{fromAddr}이(가) {toAddr}에게 {items}을(를) 넘겼습니다"),
    mrc401_transfer: sentence(
      "양도",
      "{fromAddr}이(가) {toAddr}에게 아이템 {item}을(를) 넘겼습니다",
    ),
    receive_mrc401: sentence(
      "양도",
      "{toAddr}이(가) {fromAddr}에게서 아이템 {item}을(를) 받았습니다",
    ),
    mrc401sell: sentence("판매 등록", "{seller}이(가) {items}을(를) [{money}에 ]판매 등록했습니다"),
    mrc401unsell: sentence("철회", "{seller}이(가) {items}의 판매를 철회했습니다"),
    mrc401auction: sentence("경매", "{seller}이(가) {items}을(를) [{money}부터 ]경매에 올렸습니다"),
    mrc401unauction: sentence("철회", "{seller}이(가) {items}의 경매를 철회했습니다"),
    mrc401_sell: sentence(
      "판매 등록",
      "{seller}이(가) 아이템 {item}을(를) {price}에 판매 등록했습니다",
    ),
    mrc401_unsell: sentence("철회", "{seller}이(가) 아이템 {item}의 판매를 철회했습니다"),
    mrc401_unauction: sentence("철회", "{seller}이(가) 아이템 {item}의 경매를 철회했습니다"),
    mrc401_auction: sentence(
      "경매",
      "{seller}이(가) 아이템 {item}을(를) {auction_start_price}부터 경매에 올렸습니다",
    ),
    transfer_mrc401buy: sentence(
      "구매",
      "{buyer}이(가) [{seller}에게서 ]아이템 {item}을(를) {payment}에 샀습니다",
    ),
    transfer_mrc401bid: sentence("입찰", "{bidder}이(가) 아이템 {item}에 {bid}을(를) 입찰했습니다"),
    mrc401_buy: sentence(
      "구매",
      "{buyer}이(가) {seller}에게서 아이템 {item}을(를) [{paid}에 ]샀습니다",
    ),
    mrc401_auctionbid: sentence("입찰", "{bidder}이(가) 아이템 {item}에 {paid}을(를) 입찰했습니다"),
    mrc401_melt: sentence("용해", "{owner}이(가) 아이템 {item}을(를) 녹였습니다[(준비금: {paid})]"),
    mrc401_auctionwinning: sentence(
      "낙찰",
      "{winner}이(가) [{seller}의 ]아이템 {item}을(를) [{paid}에 ]낙찰받았습니다",
    ),
    mrc401_auctionbuynow: sentence(
      "구매",
      "{winner}이(가) [{seller}에게서 ]아이템 {item}을(를) {paid}에 즉시 샀습니다",
    ),
    mrc401_auctionfailure: sentence(
      "유찰",
      "아이템 {item}에 입찰이 없어 {seller}이(가) 그대로 보유합니다",
    ),
    receive_mrc401sell: sentence(
      "판매",
      "{seller}이(가) 아이템 {item}의 값으로 {buyer}에게서 {payment}을(를) 받았습니다",
    ),
    receive_mrc401auction: sentence(
      "판매",
      "{seller}이(가) 경매한 아이템 {item}의 값으로 {buyer}에게서 {payment}을(를) 받았습니다",
    ),
    receive_mrc401fee: sentence(
      "수수료",
      "{owner}이(가) 아이템 {item} 판매의 프로젝트 수수료로 {payment}을(를) 받았습니다",
    ),
    receive_mrc401refund: sentence(
      "상위 입찰",
      "아이템 {item}에 더 높은 입찰이 있어 {bidder}이(가) {payment}을(를) 돌려받았습니다",
    ),
    receive_melt: sentence("준비금", "{payee}이(가) {item}의 준비금 {payment}을(를) 받았습니다"),
    receive_meltfee: sentence(
      "수수료",
      "{payee}이(가) {item} 용해의 프로젝트 수수료로 {payment}을(를) 받았습니다",
    ),
    mrc402create: sentence(
      "새 아이템",
      "{creator}이(가) 아이템 {named}을(를) [{totalsupply} ]만들었습니다|{actor}이(가) 프로젝트 {mrc400id}에 수량이 있는 {items}을(를) 만들었습니다",
    ),
    mrc402update: sentence(
      "아이템 변경",
      "{creator}이(가) 아이템 {item}을(를) 변경했습니다|{actor}이(가) 프로젝트 {mrc400id}의 {items}을(를) 변경했습니다|{actor}이(가) 아이템 {item}을(를) 변경했습니다",
    ),
    mrc402mint: sentence(
      "추가 발행",
      "{creator}이(가) 아이템 {item}을(를) {amount} 추가로 발행했습니다[: “{memo}”]",
    ),
    mrc402burn: sentence(
      "소각",
      "{creator}이(가) 아이템 {item}을(를) {amount} 소각했습니다[: “{memo}”]",
    ),
    mrc402melt: sentence(
      "용해",
      "{actor}이(가) 아이템 {item}을(를) {amount} 녹였습니다|{actor}이(가) 아이템 {item}을(를) 녹였습니다",
    ),
    transfer_mrc402: sentence(
      "양도",
      "{from}이(가) {to}에게 아이템 {item}을(를) {amount} 넘겼습니다[: “{memo}”]",
    ),
    receive_mrc402: sentence(
      "양도",
      "{to}이(가) {from}에게서 아이템 {item}을(를) {amount} 받았습니다[: “{memo}”]",
    ),
    mrc402sell: sentence(
      "판매 등록",
      "{seller}이(가) 아이템 {item} {amount}을(를) 개당 {price}에 판매 등록했습니다|{actor}이(가) {items}의 수량을 [개당 {money}에 ]판매 등록했습니다",
    ),
    mrc402auction: sentence(
      "경매",
      "{seller}이(가) 아이템 {item} {amount}을(를) {auction_start_price}부터 경매에 올렸습니다|{actor}이(가) {items}의 수량을 [{money}부터 ]경매에 올렸습니다",
    ),
    mrc402unsell: sentence(
      "철회",
      "{seller}이(가) 아이템 {item} {amount}의 판매를 철회했습니다|{actor}이(가) {listings}의 판매를 철회했습니다",
    ),
    mrc402unauction: sentence(
      "철회",
      "{seller}이(가) 아이템 {item} {amount}의 경매를 철회했습니다|{actor}이(가) {listings}의 경매를 철회했습니다",
    ),
    transfer_mrc402buy: sentence(
      "구매",
      "{buyer}이(가) [{seller}에게서 ]아이템 {item} {amount}을(를) {payment}에 샀습니다",
    ),
    transfer_mrc402bid: sentence(
      "입찰",
      "{bidder}이(가) 아이템 {item}에 {bid}을(를) 입찰했습니다[(즉시 낙찰: {amount})]",
    ),
    receive_mrc402item: sentence(
      "낙찰",
      "{winner}이(가) 아이템 {item} {amount}을(를) [{paid}에 ]낙찰받았습니다",
    ),
    receive_mrc402fee: sentence(
      "수수료",
      "{payee}이(가) 아이템 {item} 판매의 수수료로 {payment}을(를) 받았습니다",
    ),
    receive_mrc402sell: sentence(
      "판매",
      "{payee}이(가) 아이템 {item}의 값으로 {payment}을(를) 받았습니다",
    ),
    receive_mrc402auction: sentence(
      "판매",
      "{payee}이(가) 경매한 아이템 {item}의 값으로 {payment}을(를) 받았습니다",
    ),
    receive_mrc402refund: sentence(
      "상위 입찰",
      "아이템 {item}에 더 높은 입찰이 있어 {payee}이(가) {payment}을(를) 돌려받았습니다",
    ),
    mrc402_buy: sentence(
      "구매",
      "{buyer}이(가) {seller}에게서 아이템 {item} {traded}을(를) {paid}에 샀습니다",
    ),
    mrc402_auctionbuynow: sentence(
      "구매",
      "{buyer}이(가) {seller}에게서 아이템 {item} {traded}을(를) {paid}에 즉시 샀습니다",
    ),
    mrc402_auctionwinning: sentence(
      "낙찰",
      "{buyer}이(가) {seller}의 아이템 {item} {traded}을(를) {paid}에 낙찰받았습니다",
    ),
    mrc402_auctionbid: sentence("입찰", "{bidder}이(가) {paid}을(를) 입찰했습니다"),
    mrc402auctionfailure: sentence(
      "유찰",
      "아이템 {item} {amount}에 입찰이 없어 {seller}에게 돌아갔습니다",
    ),
    mrc401offer: sentence(
      "제안",
      "{buyer}이(가) {item}[ (그룹 {groupid})]을(를) {price}에 사겠다고 제안했습니다",
    ),
    transfer_mrc401acceptoffer: sentence(
      "판매",
      "{seller}이(가) 제안 {offerid}을(를) 받아들여 아이템 {item}을(를) {payment}에 팔았습니다",
    ),
    receive_mrc401acceptoffer: sentence(
      "구매",
      "{buyer}이(가) 제안 {offerid}(으)로 {seller}에게서 아이템 {item}을(를) {payment}에 샀습니다",
    ),
    mrc401_acceptoffer: sentence(
      "판매",
      "{seller}이(가) 제안 {offerid}을(를) 받아들여 {buyer}에게 아이템 {item}을(를) {paid}에 팔았습니다",
    ),
    mrc401unoffer: sentence(
      "철회",
      "{buyer}이(가) 제안 {offerid}을(를) 철회하고 {refund}을(를) 돌려받았습니다",
    ),
    mrc401offerfinish: sentence(
      "만료",
      "{buyer}의 제안 {offerid}이(가) 끝나 {refund}을(를) 돌려받았습니다",
    ),
    mrc402offer: sentence(
      "제안",
      "{buyer}이(가) 아이템 {item} {amount}을(를) 개당 {price}에 사겠다고 제안했습니다",
    ),
    transfer_mrc402acceptoffer: sentence(
      "판매",
      "{seller}이(가) 제안 {offerid}을(를) 받아들여 아이템 {item} {amount}을(를) {payment}에 팔았습니다",
    ),
    receive_mrc402acceptoffer: sentence(
      "구매",
      "{buyer}이(가) 제안 {offerid}(으)로 {seller}에게서 아이템 {item} {amount}을(를) {payment}에 샀습니다",
    ),
    mrc402_acceptoffer: sentence(
      "판매",
      "{seller}이(가) 제안 {offerid}을(를) 받아들여 {buyer}에게 아이템 {item} {amount}을(를) {paid}에 팔았습니다",
    ),
  }),
};
