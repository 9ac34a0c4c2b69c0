/** Replaces values that differ between two runs of the same requests: identities, times, versions, tokens. */
export function normalize(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => normalize(item));
    // Entries are sorted by their times, which may be the same.
    if (key !== 'managedFields') return items;
    return items.sort((a, b) => (JSON.stringify(sorted(a)) < JSON.stringify(sorted(b)) ? -1 : 1));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => name !== 'retryAfterSeconds')
        .map(([name, item]) => [name, normalize(item, name)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (/^(uid|resourceVersion)$/.test(key)) return value && `<${key}>`;
  return (
    value
      // the recorder's own server is only a part of kube-apiserver
      .replace(/^apiextensions-apiserver$/, 'kube-apiserver')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      .replace(/(current: |resource version: |record \()\d+/g, '$1<version>')
      .replace(/"resourceVersion\\*":\\*"\d+/g, '"resourceVersion":"<version>')
      .replace(/Key: \S+, /g, 'Key: <key>, ')
      .replace(/\{\\*"apiVersion.*managedFields.*\}/g, '<object>')
      .replace(/Bad_[a-z0-9]{5}/g, 'Bad_<name>')
      .replace(/^g-[a-z0-9]{5}$/, 'g-<name>')
      .replace(/^kube-api-access-[a-z0-9]{5}$/, 'kube-api-access-<name>')
      // a local build prints the path of its source
      .replaceAll('"k8s.io/kubernetes/pkg/api/', '"pkg/api/')
  );
}

function sorted(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;
}
