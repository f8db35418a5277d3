<?php
// php sign.php KEY.pem [TEXT]                              base64 of the signature of TEXT, or of the standard input
// php sign.php KEY.pem OPERATION LEDGER_ID NAME=VALUE...   base64 of a full signature of these parameters

function sign(string $pem, string $text): string {
    $key = openssl_pkey_get_private($pem);
    openssl_sign($text, $signature, $key, OPENSSL_ALGO_SHA256) or throw new Exception(openssl_error_string());
    return base64_encode($signature);
}

function full_string(string $operation, string $ledger_id, array $params): string {
    $sent = array_filter($params + ['signed' => 'full'], fn($text) => $text !== ''); // what is empty counts as absent
    ksort($sent, SORT_STRING);
    $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS | JSON_THROW_ON_ERROR;
    return "moneta|1|$ledger_id|$operation|" . json_encode($sent, $flags);
}

if (realpath($argv[0] ?? '') === __FILE__) {
    [$key, $text, $ledger_id] = array_slice($argv, 1) + ['', null, null];
    $pairs = array_map(fn($pair) => explode('=', $pair, 2), array_slice($argv, 4));
    if (array_filter($pairs, fn($pair) => count($pair) < 2)) throw new Exception('parameters must be NAME=VALUE');
    $full = $ledger_id === null ? null : full_string($text, $ledger_id, array_column($pairs, 1, 0));
    echo sign(file_get_contents($key), $full ?? $text ?? stream_get_contents(STDIN)), "\n";
}
