#!/usr/bin/env bash
# Makes a key and two addresses, takes coins from the faucet of a test deployment, and pays some of them from one to the
# other, with nothing but bash, curl and openssl:
#
#     foreign-client.sh URL [CURVE] [DIGEST] [form|query]
#
# CURVE is prime256v1, secp384r1 or secp521r1, DIGEST sha256, sha384 or sha512. Parameters are sent as a form, or in the
# query string alone.
set -euo pipefail

url=$1
curve=${2:-prime256v1}
digest=${3:-sha256}
place=${4:-form}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Sends a POST request: send PATH NAME=VALUE... (or NAME@FILE)
send() {
  local path=$1 parameter arguments=()
  shift
  if [ "$place" = query ]; then
    arguments=(--get --request POST)
  fi
  for parameter in "$@"; do
    arguments+=(--data-urlencode "$parameter")
  done
  curl --silent --show-error --fail-with-body "${arguments[@]}" "$url$path"
}

# Reads: fetch PATH
fetch() {
  curl --silent --show-error --fail-with-body "$url$1"
}

# The private key stays here; whoever has it owns the addresses that are made with the public one.
openssl ecparam -name "$curve" -genkey -noout -out private.pem
openssl pkey -in private.pem -pubout -out public.pem

from=$(send /address publickey@public.pem)
to=$(send /address publickey@public.pem)
send /faucet "address=$from" amount=1000 >faucet.json

# Every write is signed together with a temporary key, so that nobody can send it a second time.
checkkey=$(fetch "/getkey/transfer/$from")
printf '%s' "$from|$to|0|300|$checkkey" >signed.txt
signature=$(openssl dgst "-$digest" -sign private.pem signed.txt | openssl base64 -A)
send /transfer/ "from=$from" "to=$to" token=0 amount=300 "checkkey=$checkkey" \
  "signature=$signature" >transfer.json

# The same with the other way to a temporary key.
checkkey=$(fetch "/nonce/$from")
printf '%s' "$from|$to|0|50|$checkkey" >signed.txt
signature=$(openssl dgst "-$digest" -sign private.pem signed.txt | openssl base64 -A)
send /transfer "from=$from" "to=$to" token=0 amount=50 "checkkey=$checkkey" \
  "signature=$signature" memo='thanks & until tomorrow, 50 % + more' >transfer.json

echo "from: $(fetch "/balance/$from")"
echo "to: $(fetch "/balance/$to")"
echo "transaction: $(cat transfer.json)"
