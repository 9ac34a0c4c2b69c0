/** Answers to DHCPv4 messages. There is one client and one permanent lease. Pure. */
import { type DhcpPacket, MessageType, ipBytes } from './packet';

/** The client's address and options. */
export interface Lease {
  mac: string;
  address: string;
  prefix: number;
  /** Address of the server; also the guest's gateway unless `gateway` is set. */
  server: string;
  gateway?: string;
  routes: readonly { destination: string; prefix: number; gateway: string }[];
  nameservers: readonly string[];
  searchDomains: readonly string[];
  hostname?: string;
  mtu?: number;
  bootFileName?: string;
  tftpServerName?: string;
  ntpServers: readonly string[];
  /** Options 224-254. */
  privateOptions: readonly { option: number; value: string }[];
}

const OPTION = {
  mask: 1,
  router: 3,
  dns: 6,
  hostname: 12,
  domain: 15,
  mtu: 26,
  broadcast: 28,
  ntp: 42,
  requestedIp: 50,
  leaseTime: 51,
  messageType: 53,
  serverId: 54,
  tftp: 66,
  bootFile: 67,
  searchList: 119,
  classlessRoutes: 121,
} as const;

const INFINITE = 0xffffffff;

function u32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value >>> 0);
  return out;
}

const maskOf = (prefix: number): number => (prefix === 0 ? 0 : (INFINITE << (32 - prefix)) >>> 0);

/** Domain names in DNS encoding. Compression (RFC 3397) is optional. */
function searchList(domains: readonly string[]): Buffer {
  const labels = domains.map((domain) => {
    const parts = domain.split('.').filter((part) => part !== '');
    return Buffer.concat([
      ...parts.map((p) => Buffer.concat([Buffer.from([p.length]), Buffer.from(p)])),
      Buffer.alloc(1),
    ]);
  });
  return Buffer.concat(labels);
}

function classlessRoutes(lease: Lease): Buffer {
  // a client that uses option 121 must ignore option 3, so the default route is here, too
  const all = [...lease.routes];
  if (lease.gateway) all.push({ destination: '0.0.0.0', prefix: 0, gateway: lease.gateway });
  const parts = all.map(({ destination, prefix, gateway }) => {
    const significant = ipBytes(destination).subarray(0, Math.ceil(prefix / 8));
    return Buffer.concat([Buffer.from([prefix]), significant, ipBytes(gateway)]);
  });
  return Buffer.concat(parts);
}

function optionsOf(lease: Lease, type: number): Map<number, Buffer> {
  const options = new Map<number, Buffer>();
  const set = (code: number, value: Buffer | undefined): void => {
    if (value && value.length > 0) options.set(code, value);
  };
  const ips = (addresses: readonly string[]): Buffer => Buffer.concat(addresses.map(ipBytes));
  const text = (value: string | undefined): Buffer | undefined => (value ? Buffer.from(value) : undefined);
  set(OPTION.messageType, Buffer.from([type]));
  set(OPTION.serverId, ipBytes(lease.server));
  set(OPTION.leaseTime, u32(INFINITE));
  set(OPTION.mask, u32(maskOf(lease.prefix)));
  set(OPTION.broadcast, u32((ipBytes(lease.address).readUInt32BE() | ~maskOf(lease.prefix)) >>> 0));
  if (lease.gateway) set(OPTION.router, ipBytes(lease.gateway));
  set(OPTION.dns, ips(lease.nameservers));
  set(OPTION.hostname, text(lease.hostname));
  set(OPTION.domain, text(lease.searchDomains[0]));
  set(OPTION.searchList, searchList(lease.searchDomains));
  if (lease.mtu) set(OPTION.mtu, Buffer.from([lease.mtu >> 8, lease.mtu & 0xff]));
  set(OPTION.ntp, ips(lease.ntpServers));
  set(OPTION.tftp, text(lease.tftpServerName));
  set(OPTION.bootFile, text(lease.bootFileName));
  if (lease.routes.length > 0) set(OPTION.classlessRoutes, classlessRoutes(lease));
  for (const { option, value } of lease.privateOptions) set(option, text(value));
  return options;
}

/** The answer; undefined for messages that this server must ignore. */
export function answerDhcp(request: DhcpPacket, lease: Lease): DhcpPacket | undefined {
  const type = request.options.get(OPTION.messageType)?.[0];
  if (request.op !== 1 || request.mac !== lease.mac.toLowerCase() || type === undefined) return undefined;
  const reply = (options: Map<number, Buffer>, yourIp: string): DhcpPacket => ({
    ...request,
    op: 2,
    secs: 0,
    yourIp,
    serverIp: lease.server,
    options,
  });
  if (type === MessageType.DISCOVER) return reply(optionsOf(lease, MessageType.OFFER), lease.address);
  if (type === MessageType.INFORM) {
    const options = optionsOf(lease, MessageType.ACK);
    options.delete(OPTION.leaseTime);
    return reply(options, '0.0.0.0');
  }
  if (type !== MessageType.REQUEST) return undefined;
  const server = request.options.get(OPTION.serverId);
  if (server && !server.equals(ipBytes(lease.server))) return undefined; // the client accepted another server's offer
  const wanted = request.options.get(OPTION.requestedIp) ?? ipBytes(request.clientIp);
  if (!wanted.equals(ipBytes(lease.address))) {
    const options = new Map([
      [OPTION.messageType, Buffer.from([MessageType.NAK])],
      [OPTION.serverId, ipBytes(lease.server)],
    ] as [number, Buffer][]);
    return reply(options, '0.0.0.0');
  }
  return reply(optionsOf(lease, MessageType.ACK), lease.address);
}
