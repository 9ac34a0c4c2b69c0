/** Words of others that a file repeats because clients match on them, by file: exact fragments of a line. */
export const quotations: Readonly<Record<string, readonly string[]>> = {
  // causes of the Kubernetes API server
  'src/local/api-server/kinds/service-validation.ts': ['session affinity is None'],
  'src/local/api-server/kinds/pod-validation.ts': ['when `dnsPolicy` is None', 'when mountPropagation is None'],
  'test/unit/api/schema-descriptions.test.ts': ['whoever|whatever|anew'],
  // a keyword of systemd
  'src/cli/service/unit.ts': ['Wants=network-online.target'],
  'src/api/admission/dns.ts': ['\\` is None'],
};
