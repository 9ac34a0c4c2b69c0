/** Files of the identity of an upload server, in its folder. */
export const identityFiles = { key: 'tls.key', certificate: 'tls.crt', usedTokens: 'used-tokens' } as const;
