#!/usr/bin/env bash
# sign.sh KEY.pem [TEXT]                              base64 of the signature of TEXT, or of the standard input
# sign.sh KEY.pem OPERATION LEDGER_ID NAME=VALUE...   base64 of a full signature of these parameters
set -euo pipefail

full_string() {
  local operation=$1 ledger_id=$2 parameter value backslash='\' json
  shift 2
  json=$(for parameter in "$@" signed=full; do
    value=${parameter#*=}
    [ -n "$value" ] || continue # what is empty counts as absent
    value=${value//"$backslash"/"$backslash$backslash"} value=${value//'"'/"$backslash"'"'}
    value=${value//$'\t'/"${backslash}t"} value=${value//$'\r'/"${backslash}r"} value=${value//$'\n'/"${backslash}n"}
    printf '"%s":"%s"\n' "${parameter%%=*}" "$value"
  done | LC_ALL=C sort | paste -sd, -)
  printf 'moneta|1|%s|%s|{%s}' "$ledger_id" "$operation" "$json"
}

wrong() {
  echo "sign.sh: $1" >&2
  exit 2
}

[ $# -gt 0 ] || wrong 'usage: sign.sh KEY.pem [TEXT | OPERATION LEDGER_ID NAME=VALUE...]'
key=$1
shift
[ $# -lt 2 ] || [[ $2 =~ ^[0-9a-f]{64}$ ]] || wrong "\"$2\" is not a ledger id of 64 hex digits; a TEXT with blanks needs quotes"
for parameter in "${@:3}"; do
  [[ $parameter == *=* ]] || wrong "\"$parameter\" is not NAME=VALUE"
done
[ -r "$key" ] || wrong "cannot read $key"
[[ $(openssl pkey -in "$key" -passin pass: -noout -text_pub 2>/dev/null) == *"ASN1 OID:"* ]] ||
  wrong "$key is not a private key for ECDSA, in PEM and without password"
case $# in 0) cat ;; 1) printf '%s' "$1" ;; *) full_string "$@" ;; esac |
  openssl dgst -sha256 -sign "$key" | openssl base64 -A
echo
