// java Sign.java KEY.pem [TEXT]                              base64 of the signature of TEXT, or of the standard input
// java Sign.java KEY.pem OPERATION LEDGER_ID NAME=VALUE...   base64 of a full signature of these parameters
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

  public static void main(String[] args) throws Exception {
    String text = args.length < 2 ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : args[1];
    if (args.length > 2) {
      text = fullString(args[1], args[2], Arrays.stream(args).skip(3).map(pair -> pair.split("=", 2))
          .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
    }
    System.out.println(sign(Files.readString(Path.of(args[0])), text.getBytes(StandardCharsets.UTF_8)));
  }
}
