/** Words of others that a file repeats because clients match on them, by file: exact fragments of a line. */
export const quotations: Readonly<Record<string, readonly string[]>> = {
  'src/api/admission/dns.ts': ['`dnsPolicy` is None'],
};
