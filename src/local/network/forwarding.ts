import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

/** Kernel settings for routing between Pods and external networks. Former values are stored and restored. */

const ROOT = '/proc/sys/net';

export function readSetting(name: string): string | undefined {
  try {
    return readFileSync(`${ROOT}/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

export function writeSetting(name: string, value: string): void {
  writeFileSync(`${ROOT}/${name}`, value);
}

/** Changes settings that differ; returns the former values. */
export function enableForwarding(ipv6: boolean): Record<string, string> {
  const wanted: Record<string, string> = { 'ipv4/ip_forward': '1' };
  if (ipv6) {
    // a router ignores router advertisements, which would take the host's own IPv6 away: 2 means "even as a router"
    for (const link of readdirSync(`${ROOT}/ipv6/conf`)) {
      if (readSetting(`ipv6/conf/${link}/accept_ra`) === '1') wanted[`ipv6/conf/${link}/accept_ra`] = '2';
    }
    wanted['ipv6/conf/all/forwarding'] = '1';
  }
  const before: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const old = readSetting(name);
    if (old === undefined || old === value) continue;
    writeSetting(name, value);
    before[name] = old;
  }
  return before;
}

/** Restores settings; those of removed links no longer exist. */
export function restoreSettings(before: Record<string, string>): void {
  for (const [name, value] of Object.entries(before).reverse()) {
    try {
      writeSetting(name, value);
    } catch {
      // the link no longer exists
    }
  }
}
