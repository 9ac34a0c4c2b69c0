import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { objectOf, PLATFORM_LABELS } from './objects';
import { METRICS_LABEL } from './programs';
import { ruleGroups, type Watched } from './rules';
import { secondsOf } from '../duration';
import { withSubject } from '../subject';

/** Monitoring of the platform by Prometheus, through the Prometheus operator (`monitoring.coreos.com/v1`). */
export interface PlatformMonitoringProps {
  /**
   * Labels by which your Prometheus selects ServiceMonitors and rules: `{ release: 'prometheus' }`.
   * @default - none
   */
  readonly labels?: { readonly [label: string]: string };
  /**
   * Namespace of the ServiceMonitor and the PrometheusRule.
   * @default - the platform's namespace
   */
  readonly namespace?: string;
  /**
   * Scrape interval.
   * @default Duration.seconds(30)
   */
  readonly interval?: Duration;
}

/**
 * Scraping of the platform's metrics over HTTP, recording rules, and alerts. Metrics, rules and alerts have KubeVirt's names.
 * Alerts about Pods and nodes need kube-state-metrics.
 */
export class PlatformMonitoring extends Construct {
  /** @internal */
  public static _make(
    scope: Construct,
    id: string,
    installation: Watched,
    props: PlatformMonitoringProps,
  ): PlatformMonitoring {
    return new PlatformMonitoring(scope, id, installation, props);
  }

  /** Service that selects the Pods with metrics. */
  public readonly service: ApiObject;
  /** ServiceMonitor that configures the scraping. */
  public readonly serviceMonitor: ApiObject;
  /** PrometheusRule with recording rules and alerts. */
  public readonly rule: ApiObject;

  private constructor(scope: Construct, id: string, installation: Watched, props: PlatformMonitoringProps) {
    super(scope, id);
    const own = installation.namespace;
    const { namespace = own, interval = Duration.seconds(30) } = props;
    const labels = { ...PLATFORM_LABELS, ...METRICS_LABEL };
    const metadata = { name: 'kubevirt', namespace, labels: { ...labels, ...props.labels } };
    this.service = objectOf(this, 'Service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kubevirt-prometheus-metrics', namespace: own, labels },
      spec: {
        clusterIP: 'None',
        selector: { ...METRICS_LABEL },
        ports: [{ name: 'metrics', port: 8443, protocol: 'TCP', targetPort: 'metrics' }],
      },
    });
    this.serviceMonitor = objectOf(this, 'ServiceMonitor', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata,
      spec: {
        namespaceSelector: { matchNames: [own] },
        selector: { matchLabels: { ...METRICS_LABEL } },
        endpoints: [
          {
            port: 'metrics',
            scheme: 'http',
            interval: `${withSubject(this, () => secondsOf('interval', interval))}s`,
            honorLabels: true,
          },
        ],
      },
    });
    this.rule = objectOf(this, 'Rule', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata,
      spec: { groups: ruleGroups(installation) },
    });
  }
}
