/** Debian's nginx on ports of this machine, which Pods reach at the address of their node. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pair } from './pki';
import { freePort } from '../integration/package/registry';
import { eventually } from './patience';

export const LOGIN = { user: 'reader', password: 'correct horse' };

/** Bytes in a second below `/slow`, in nginx's notation. */
const SLOW_RATE = '6m';

/** Serves a folder: plain, with a login below `/private`, without ranges below `/no-ranges`, and at a limited rate below `/slow`; files can be written below `/put`. */
export class WebServer {
  private constructor(
    /** Folder whose files are served. */
    public readonly root: string,
    public readonly port: number,
    public readonly tlsPort: number,
    private readonly folder: string,
    private readonly server: ChildProcess,
  ) {}

  public static async start(tls: Pair): Promise<WebServer> {
    const folder = mkdtempSync(join(tmpdir(), 'virt8s-web-'));
    const root = join(folder, 'files');
    mkdirSync(root);
    const [port, tlsPort] = [await freePort(), await freePort()];
    writeFileSync(join(folder, 'cert.pem'), tls.cert);
    writeFileSync(join(folder, 'key.pem'), tls.key, { mode: 0o600 });
    const hash = createHash('sha1').update(LOGIN.password).digest('base64');
    writeFileSync(join(folder, 'logins'), `${LOGIN.user}:{SHA}${hash}\n`);
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, root, port, tlsPort));
    const server = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', 'daemon off;'], {
      stdio: 'ignore',
    });
    await listens(port);
    return new WebServer(root, port, tlsPort, folder, server);
  }

  public url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}/${path}`;
  }

  public tlsUrl(path: string): string {
    return `https://localhost:${this.tlsPort}/${path}`;
  }

  public stop(): void {
    this.server.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function configuration(folder: string, root: string, port: number, tlsPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
pid ${folder}/pid;
user root;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen ${port};
    listen ${tlsPort} ssl;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    root ${root};
    location /private/ { alias ${root}/; auth_basic private; auth_basic_user_file ${folder}/logins; }
    location /no-ranges/ { alias ${root}/; max_ranges 0; }
    location /moved/ { rewrite ^/moved/(.*)$ /$1 redirect; }
    location /slow/ { alias ${root}/; limit_rate ${SLOW_RATE}; }
    location /put/ { dav_methods PUT; client_max_body_size 0; }
    location /header/ { alias ${root}/; if ($http_x_token != "secret") { return 403; } }
  }
}
`;
}

/** Waits for a server on this machine. */
export function listens(port: number): Promise<void> {
  const attempt = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve();
      });
      socket.on('error', reject);
    });
  return eventually(attempt, { everyMs: 50 });
}
