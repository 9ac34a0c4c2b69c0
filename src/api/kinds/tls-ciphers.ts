const ec = (suites: readonly string[]): string[] =>
  ['ECDHE_ECDSA', 'ECDHE_RSA'].flatMap((exchange) => suites.map((suite) => `TLS_${exchange}_WITH_${suite}`));

/** Names that Go's TLS knows, including insecure ones, which are rejected at use, as in KubeVirt. */
export const tlsCiphers: readonly string[] = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  ...ec([
    'AES_128_GCM_SHA256',
    'AES_256_GCM_SHA384',
    'CHACHA20_POLY1305_SHA256',
    'AES_128_CBC_SHA',
    'AES_256_CBC_SHA',
    'AES_128_CBC_SHA256',
    'RC4_128_SHA',
  ]),
  'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA',
  'TLS_RSA_WITH_RC4_128_SHA',
  'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  'TLS_RSA_WITH_AES_128_CBC_SHA',
  'TLS_RSA_WITH_AES_256_CBC_SHA',
  'TLS_RSA_WITH_AES_128_CBC_SHA256',
  'TLS_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_RSA_WITH_AES_256_GCM_SHA384',
];
