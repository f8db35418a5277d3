<?php
// php sign.php KEY.pem [TEXT]                              base64 of the signature of TEXT, or of the standard input
// php sign.php KEY.pem OPERATION LEDGER_ID NAME=VALUE...   base64 of a full signature of these parameters

function sign(string $pem, string $text): string {
    $key = openssl_pkey_get_private($pem);
    if (!$key || !isset(openssl_pkey_get_details($key)['ec']['curve_name'])) {
        throw new Exception('not a private key for ECDSA, in PEM and without password');
    }
    openssl_sign($text, $signature, $key, OPENSSL_ALGO_SHA256) or throw new Exception(openssl_error_string());
    return base64_encode($signature);
}

function full_string(string $operation, string $ledger_id, array $params): string {
    $sent = array_filter($params + ['signed' => 'full'], fn($text) => $text !== ''); // what is empty counts as absent
    ksort($sent, SORT_STRING);
    $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS | JSON_THROW_ON_ERROR;
    return "moneta|1|$ledger_id|$operation|" . json_encode($sent, $flags);
}

function wrong(string $why) {
    fwrite(STDERR, "sign.php: $why\n");
    exit(2);
}

if (realpath($argv[0] ?? '') === __FILE__) {
    if ($argc < 2) wrong('usage: php sign.php KEY.pem [TEXT | OPERATION LEDGER_ID NAME=VALUE...]');
    [$file, $text, $ledger_id] = array_slice($argv, 1) + ['', null, null];
    if ($ledger_id !== null && !preg_match('/^[0-9a-f]{64}$/D', $ledger_id)) {
        wrong("\"$ledger_id\" is not a ledger id of 64 hex digits; a TEXT with blanks needs quotes");
    }
    $pairs = array_map(fn($pair) => explode('=', $pair, 2), array_slice($argv, 4));
    foreach ($pairs as $pair) if (count($pair) < 2) wrong("\"$pair[0]\" is not NAME=VALUE");
    $pem = @file_get_contents($file);
    if ($pem === false) wrong("cannot read $file");
    $full = $ledger_id === null ? null : full_string($text, $ledger_id, array_column($pairs, 1, 0));
    try {
        echo sign($pem, $full ?? $text ?? stream_get_contents(STDIN)), "\n";
    } catch (Exception $error) {
        wrong("$file is " . $error->getMessage());
    }
}
