/** The DHCPv4 server of a Pod: one socket, one lease per NIC. */
import { type Socket, createSocket } from 'node:dgram';
import { log } from '../log';
import { type Lease, answerDhcp } from './answer';
import { decodeDhcp, encodeDhcp } from './packet';

const SERVER_PORT = 67;
const CLIENT_PORT = 68;

/**
 * Node cannot bind a socket to an interface, so this one listens on all of them: answers are sent to the broadcast address,
 * which phase 1 routes to the bridge, and only MACs with a lease are answered.
 */
export class DhcpServer {
  private socket: Socket | undefined;
  private leases: readonly Lease[] = [];

  /** Serves these leases from now on. Resolves once the port is bound. */
  async serve(leases: readonly Lease[]): Promise<void> {
    this.leases = leases;
    if (leases.length === 0 || this.socket) return;
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(SERVER_PORT, () => {
        socket.off('error', reject);
        socket.setBroadcast(true);
        resolve();
      });
    });
    socket.on('error', (error) => log('warn', 'DHCP server', { error: error.message }));
    socket.on('message', (bytes) => this.answer(bytes));
    this.socket = socket;
  }

  close(): void {
    this.socket?.close();
    this.socket = undefined;
  }

  private answer(bytes: Buffer): void {
    const request = decodeDhcp(bytes);
    if (!request) return;
    for (const lease of this.leases) {
      const reply = answerDhcp(request, lease);
      // a client that renews has configured its address, and expects the answer there
      const unicast = request.clientIp !== '0.0.0.0' && request.clientIp === lease.address;
      if (reply) this.socket?.send(encodeDhcp(reply), CLIENT_PORT, unicast ? lease.address : '255.255.255.255');
    }
  }
}
