/** Debian's Prometheus on a port of this machine. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../integration/package/registry';
import { PATIENCE_MS } from './patience';

/** Targets with the same labels, in the format of Prometheus' file discovery. */
export interface Targets {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Group of rules of a PrometheusRule. */
interface RuleGroup {
  readonly rules: readonly { readonly for?: string }[];
}

const CONFIGURATION = {
  global: { scrape_interval: '1s', evaluation_interval: '1s' },
  rule_files: ['rules.yaml'],
  scrape_configs: [
    {
      job_name: 'platform',
      honor_labels: true,
      file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }],
    },
  ],
};

/** Scrapes given targets and evaluates rules. Debian builds it without the discovery of Kubernetes' objects. */
export class Prometheus {
  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly server: ChildProcess,
  ) {}

  /** Alerts fire as soon as their expression is true: their delays are tests of promtool. */
  public static async start(groups: readonly RuleGroup[]): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'virt8s-prometheus-'));
    const immediate = groups.map((group) => ({ ...group, rules: group.rules.map(({ for: _, ...rule }) => rule) }));
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: immediate }));
    writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(CONFIGURATION));
    const port = await freePort();
    const server = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=warn',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    return new Prometheus(port, folder, server);
  }

  /** Replaces the targets. */
  public scrape(targets: readonly Targets[]): void {
    const file = join(this.folder, 'targets.json');
    writeFileSync(`${file}.new`, JSON.stringify(targets));
    renameSync(`${file}.new`, file);
  }

  /** The samples of an expression. */
  public async query(expression: string): Promise<readonly Sample[]> {
    return (await this.get<{ result: Sample[] }>(`query?query=${encodeURIComponent(expression)}`)).result;
  }

  /** Pods whose last scrape succeeded, and the errors of the others. */
  public async scraped(): Promise<string[]> {
    const { activeTargets } = await this.get<{
      activeTargets: { labels: Record<string, string>; health: string; lastError: string }[];
    }>('targets');
    return activeTargets.map(({ labels, health, lastError }) =>
      health === 'up' ? labels.pod! : `${labels.pod}: ${health} ${lastError}`,
    );
  }

  /** Errors of rules by name. */
  public async ruleErrors(): Promise<string[]> {
    const { groups } = await this.get<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>(
      'rules',
    );
    const rules = groups.flatMap((group) => group.rules);
    if (rules.length === 0) throw new Error('no rules are loaded');
    return rules
      .filter(({ health }) => health !== 'ok')
      .map(({ name, health, lastError }) => `${name}: ${health} ${lastError}`);
  }

  /** The alerts that fire. */
  public async firing(): Promise<Alert[]> {
    const { alerts } = await this.get<{ alerts: (Alert & { state: string })[] }>('alerts');
    return alerts.filter(({ state }) => state === 'firing');
  }

  public async stop(): Promise<void> {
    const ended = once(this.server, 'exit');
    if (this.server.exitCode === null && this.server.kill()) await ended;
    rmSync(this.folder, { recursive: true });
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/${path}`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { data, error } = (await response.json()) as { data: T; error?: string };
    if (error) throw new Error(error);
    return data;
  }
}
