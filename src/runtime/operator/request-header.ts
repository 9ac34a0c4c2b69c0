/** Identification of the API server towards virt-api, or the reason why it is unknown. */
export type RequestHeader =
  { readonly data: Readonly<Record<'client-ca.crt' | 'allowed-names', string>> } | { readonly problem: string };

const SOURCE = 'kube-system/extension-apiserver-authentication';

/**
 * Returns the content of virt-api's ConfigMap, from the ConfigMap that the API server maintains: certificates of the
 * front proxy, and the names that it may have. An empty list of names would let every client of that authority act as
 * any user.
 */
export function requestHeaderOf(data: Readonly<Record<string, string>> = {}): RequestHeader {
  const authority = data['requestheader-client-ca-file'];
  if (!authority) {
    return {
      problem: `${SOURCE} names no authority of the front proxy; set --requestheader-client-ca-file of the API server`,
    };
  }
  const names = namesIn(data['requestheader-allowed-names']);
  if (names.length === 0) {
    return {
      problem: `${SOURCE} allows every client of the front proxy's authority to act as any user; set --requestheader-allowed-names of the API server`,
    };
  }
  return { data: { 'client-ca.crt': authority, 'allowed-names': names.join(',') } };
}

/** A JSON list; damaged text counts as an empty list. */
function namesIn(text: string | undefined): string[] {
  try {
    const names: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string' && name !== '') : [];
  } catch {
    return [];
  }
}
