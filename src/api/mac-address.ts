/** Returns a MAC address in the notation of Linux, `02:00:00:12:34:56`: KubeVirt accepts dashes, dots and capitals, too. */
export const canonicalMac = (text: string): string =>
  (
    text
      .toLowerCase()
      .replace(/[^\da-f]/g, '')
      .match(/../g) ?? []
  ).join(':');
