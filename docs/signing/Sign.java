// java Sign.java KEY.pem [TEXT]                              base64 of the signature of TEXT, or of the standard input
// java Sign.java KEY.pem OPERATION LEDGER_ID NAME=VALUE...   base64 of a full signature of these parameters
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.*;
import java.util.stream.Collectors;

public class Sign {
  /** `pem` is a PKCS#8 private key. */
  static String sign(String pem, byte[] text) throws GeneralSecurityException {
    byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----.*-----", ""));
    Signature signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)));
    signer.update(text);
    return Base64.getEncoder().encodeToString(signer.sign());
  }

  static String fullString(String operation, String ledgerId, Map<String, String> params) {
    SortedMap<String, String> sent = new TreeMap<>(params);
    sent.put("signed", "full");
    sent.values().removeIf(String::isEmpty); // what is empty counts as absent
    return "moneta|1|" + ledgerId + "|" + operation + "|" + sent.entrySet().stream()
        .map(one -> json(one.getKey()) + ":" + json(one.getValue())).collect(Collectors.joining(",", "{", "}"));
  }

  /** A text in JSON; other control characters than these are refused anyway. */
  static String json(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t").replace("\r", "\\r").replace("\n", "\\n") + '"';
  }

  static void wrong(String why) {
    System.err.println("Sign.java: " + why);
    System.exit(2);
  }

  public static void main(String[] args) throws IOException {
    if (args.length == 0) wrong("usage: java Sign.java KEY.pem [TEXT | OPERATION LEDGER_ID NAME=VALUE...]");
    if (args.length > 2 && !args[2].matches("[0-9a-f]{64}")) {
      wrong('"' + args[2] + "\" is not a ledger id of 64 hex digits; a TEXT with blanks needs quotes");
    }
    Arrays.stream(args).skip(3).filter(pair -> !pair.contains("=")).forEach(pair -> wrong('"' + pair + "\" is not NAME=VALUE"));
    String pem = "";
    try {
      pem = Files.readString(Path.of(args[0]));
    } catch (IOException | InvalidPathException error) {
      wrong("cannot read " + args[0]);
    }
    String text = args.length < 2 ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : args[1];
    if (args.length > 2) {
      text = fullString(args[1], args[2], Arrays.stream(args).skip(3).map(pair -> pair.split("=", 2))
          .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, last) -> last)));
    }
    try {
      System.out.println(sign(pem, text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException | IllegalArgumentException error) {
      wrong(args[0] + " is not a private key for ECDSA, in PKCS#8 (BEGIN PRIVATE KEY) and without password");
    }
  }
}
