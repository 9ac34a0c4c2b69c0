export interface UnitOptions {
  /** Command line of `virt8s`. */
  readonly command: readonly string[];
  readonly stateDir: string;
  /** `PATH` with the programs of the engine. */
  readonly path: string;
  /** Cache folder with images. */
  readonly cache: string;
}

/** systemd's unit of an engine. Pure. */
export function unitOf({ command, stateDir, path, cache }: UnitOptions): string {
  const line = [...command, 'up', '--foreground', '--quiet', '--state-dir', stateDir].map(quoted).join(' ');
  return `[Unit]
Description=virt8s: virtual machines on a Kubernetes API
Documentation=https://www.npmjs.com/package/virt8s
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
ExecStart=${line}
Environment=${quoted(`PATH=${path}`)} ${quoted(`VIRT8S_CACHE=${cache}`)}
# SIGTERM reaches only the command, which stops the virtual machines in order. If the engine crashes, the next start finds
# them still running.
KillMode=process
TimeoutStopSec=180
Restart=on-failure
RestartSec=2
Delegate=yes

[Install]
WantedBy=multi-user.target
`;
}

/** A word in the syntax of systemd.service: percent signs and dollars have a meaning. */
function quoted(word: string): string {
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w./:=@+,-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}
