import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { placed } from './dashboards/panel';
import { ROWS } from './dashboards/rows';

/** Label by which the sidecar of Grafana's Helm charts finds dashboards. */
const LABEL = { grafana_dashboard: '1' };
/** Version of the format that Grafana 10 and later write. */
const SCHEMA_VERSION = 39;

/** Properties of a dashboard. */
export interface PlatformDashboardProps extends ResourceProps {
  /**
   * Title of the dashboard in Grafana.
   * @default 'KubeVirt'
   */
  readonly title?: string;
}

/**
 * Grafana dashboard of VMs, guests and the platform, as a ConfigMap that Grafana's sidecar loads. It needs the metrics
 * and rules that `monitoring` of the platform adds.
 *
 * @example
 * new PlatformDashboard(chart, 'dashboard', { metadata: { namespace: 'monitoring' } });
 */
export class PlatformDashboard extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props title and metadata
   */
  constructor(scope: Construct, id: string, props: PlatformDashboardProps = {}) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { metadata, title = 'KubeVirt' } = props;
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, labels: { ...LABEL, ...metadata?.labels } },
      data: { 'kubevirt.json': `${JSON.stringify(dashboard(title), undefined, 1)}\n` },
    });
  }
}

function dashboard(title: string): object {
  const source = { type: 'prometheus', uid: '${datasource}' };
  const choice = (name: string, label: string, query: string): object => ({
    type: 'query',
    name,
    label,
    datasource: source,
    query: { query, refId: name },
    refresh: 2,
    includeAll: true,
    allValue: '.*',
    multi: true,
    current: { text: 'All', value: '$__all' },
  });
  return {
    // derived from nothing, so that an update replaces the dashboard
    uid: 'virt8s-kubevirt',
    title,
    tags: ['kubevirt'],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [
        { type: 'datasource', name: 'datasource', label: 'Data source', query: 'prometheus', current: {} },
        choice('namespace', 'Namespace', 'label_values(kubevirt_vm_info, namespace)'),
        choice('name', 'VM', 'label_values(kubevirt_vm_info{namespace=~"$namespace"}, name)'),
      ],
    },
    panels: placed(ROWS),
  };
}
