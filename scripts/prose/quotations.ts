/** Words of others that a file repeats because clients match on them, by file: exact fragments of a line. */
export const quotations: Readonly<Record<string, readonly string[]>> = {
  // a cause of the Kubernetes API server
  'src/local/api-server/kinds/pod-validation.ts': ['when `dnsPolicy` is None'],
  'test/unit/api/schema-descriptions.test.ts': ['anew'],
  'src/api/admission/dns.ts': ['\\` is None'],
};
