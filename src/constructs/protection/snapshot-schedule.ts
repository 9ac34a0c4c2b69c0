import { isDnsSubdomain } from '../../api/names';
import { ApiObject, ApiObjectMetadata, Chart, Duration, Lazy } from 'cdk8s';
import { kinds } from '../../api/kinds/registry';
import { Construct } from 'constructs';
import { defined } from '../defined';
import { beside } from '../network/beside';
import type { IVirtualMachine } from '../references';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth, mistakeInCode } from '../validation';
import type { SnapshotDeletionPolicy } from './choices';
import { virtualMachine } from './reference';
import { NO_LIMIT, SCHEDULE_LABEL, SNAPSHOT_SCRIPT } from './snapshot-script';
import { durationText } from './text';

/** Image with a POSIX shell and kubectl, which the Job of a schedule runs. */
const DEFAULT_IMAGE = 'docker.io/alpine/k8s:1.36.2';
const DEFAULT_KEPT = 7;

/** What a schedule has beyond its VM. */
export interface SnapshotScheduleOptions extends ResourceProps {
  /**
   * When snapshots are taken: minute, hour, day of the month, month, day of the week, such as `0 3 * * *`; or `@hourly`,
   * `@daily`, `@weekly`, `@monthly`.
   * @default '@daily'
   */
  readonly schedule?: string;
  /**
   * Time zone of the schedule, such as `Europe/Berlin`.
   * @default - that of kube-controller-manager, mostly UTC
   */
  readonly timeZone?: string;
  /**
   * How many snapshots are kept of those that can be restored, from 1.
   * @default - 7, or any number where `maxAge` is given
   */
  readonly keep?: number;
  /**
   * How old a snapshot may become. The newest one that can be restored stays, however old it is.
   * @default - any age
   */
  readonly maxAge?: Duration;
  /**
   * No snapshots are taken, nor deleted, for the time being.
   * @default false
   */
  readonly suspend?: boolean;
  /**
   * Whether what a snapshot holds goes with it.
   * @default SnapshotDeletionPolicy.DELETE
   */
  readonly deletionPolicy?: SnapshotDeletionPolicy;
  /**
   * Unfinished after this time, a snapshot has failed; zero waits for ever.
   * @default - 5 minutes
   */
  readonly failureDeadline?: Duration;
  /**
   * Beginning of the snapshots' names; eight letters and digits follow.
   * @default - name of the VM
   */
  readonly prefix?: string;
  /**
   * Image of the Job: it must have `/bin/sh`, `date`, `sort` and `kubectl`.
   * @default docker.io/alpine/k8s:1.36.2
   */
  readonly image?: string;
}

/** What a schedule of snapshots takes. */
export interface SnapshotScheduleProps extends SnapshotScheduleOptions {
  /** The VM. */
  readonly source: IVirtualMachine;
}

/**
 * Snapshots of a VM by the clock, with retention.
 *
 * A CronJob (`batch/v1`) with a ServiceAccount that may create, list and delete VirtualMachineSnapshots of its namespace,
 * and nothing else. It works on any cluster that serves them. A failed snapshot never counts as kept.
 *
 * @example
 * new SnapshotSchedule(chart, 'nightly', { source: vm, schedule: '0 3 * * *', keep: 7 });
 */
export class SnapshotSchedule extends Resource {
  public readonly apiObject: ApiObject;
  /** When snapshots are taken. */
  public readonly schedule: string;
  /** How many snapshots are kept, if there is a limit. */
  public readonly keep?: number;
  /** How old a snapshot may become, if there is a limit. */
  public readonly maxAge?: Duration;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props VM, schedule, and how many snapshots are kept
   */
  constructor(scope: Construct, id: string, props: SnapshotScheduleProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { source, maxAge, schedule = '@daily' } = props;
    this.schedule = schedule;
    this.maxAge = maxAge;
    this.keep = props.keep ?? (maxAge ? undefined : DEFAULT_KEPT);
    checkRetention(this.keep, maxAge);
    checkPrefix(props.prefix);
    const metadata = beside(source, props.metadata);
    const account = this.makeAccount(metadata);
    const render = (): object => renderCronJob(props, this, account.name);
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata,
      spec: Lazy.any({ produce: render }),
    });
    validateOnSynth(this, { body: () => ({ spec: render() }), locate });
  }

  /** Who the Job is, and what it may do. */
  private makeAccount(metadata: ApiObjectMetadata | undefined): ApiObject {
    // labels and annotations are those of the schedule, its name is its own
    const { name: _name, ...shared } = metadata ?? {};
    const namespace = shared.namespace ?? Chart.of(this).namespace;
    const account = new ApiObject(this, 'Account', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: shared });
    const role = new ApiObject(this, 'Role', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: shared,
      rules: [
        {
          apiGroups: [kinds.VirtualMachineSnapshot.group],
          resources: [kinds.VirtualMachineSnapshot.plural],
          verbs: ['create', 'list', 'delete'],
        },
      ],
    });
    new ApiObject(this, 'Binding', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: shared,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role.name },
      subjects: [defined({ kind: 'ServiceAccount', name: account.name, namespace })],
    });
    return account;
  }
}

/** Names of snapshots begin with it, and a dash and eight letters follow. */
function checkPrefix(prefix: string | undefined): void {
  if (prefix === undefined || isDnsSubdomain(`${prefix}-00000000`)) return;
  const cause = `"${prefix}" cannot begin the name of a snapshot`;
  const remedy = 'use lower case letters, digits and dashes';
  mistakeInCode('SnapshotSchedule', 'prefix', cause, remedy, 'schedule-prefix');
}

function checkRetention(keep: number | undefined, maxAge: Duration | undefined): void {
  if (keep !== undefined && (!Number.isInteger(keep) || keep < 1)) {
    mistakeInCode('SnapshotSchedule', 'keep', `${keep} snapshots cannot be kept`, 'use 1 or more', 'schedule-keep');
  }
  if (maxAge !== undefined && maxAge.toMilliseconds() < 60_000) {
    const remedy = 'use a minute or more';
    mistakeInCode('SnapshotSchedule', 'maxAge', `${maxAge.toHumanString()} is no age to keep`, remedy, 'schedule-age');
  }
}

function renderCronJob(
  props: SnapshotScheduleProps,
  { name, schedule, keep, maxAge }: SnapshotSchedule,
  serviceAccountName: string,
): object {
  const { source, timeZone, suspend, deletionPolicy, failureDeadline, image = DEFAULT_IMAGE } = props;
  const snapshot = defined({
    source: virtualMachine('SnapshotSchedule', source),
    deletionPolicy: deletionPolicy?.value,
    failureDeadline: failureDeadline && durationText(failureDeadline),
  });
  const environment: Readonly<Record<string, string>> = {
    PREFIX: props.prefix ?? source.name,
    SCHEDULE: name,
    // JSON is YAML, and one line of it fits anywhere
    SPEC: JSON.stringify(snapshot),
    KEEP: String(keep ?? NO_LIMIT),
    MAX_AGE: String(maxAge ? Math.ceil(maxAge.toMilliseconds() / 1000) : NO_LIMIT),
  };
  const container = {
    name: 'snapshot',
    image,
    command: ['/bin/sh', '-c', SNAPSHOT_SCRIPT],
    env: [
      { name: 'NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'JOB', valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/controller-uid']" } } },
      ...Object.entries(environment).map(([name, value]) => ({ name, value })),
    ],
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '128Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  };
  const labels = { [SCHEDULE_LABEL]: name };
  return defined({
    schedule,
    timeZone,
    suspend,
    concurrencyPolicy: 'Forbid',
    // one that was missed by more than this waits for the next time
    startingDeadlineSeconds: 3600,
    successfulJobsHistoryLimit: 1,
    failedJobsHistoryLimit: 3,
    jobTemplate: {
      metadata: { labels },
      spec: {
        backoffLimit: 2,
        activeDeadlineSeconds: 600,
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName,
            restartPolicy: 'Never',
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 65534,
              runAsGroup: 65534,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [container],
          },
        },
      },
    },
  });
}

function locate(field: string): string | undefined {
  if (field === 'metadata.name') return 'metadata';
  return field === 'spec.schedule' || field === 'spec.timeZone' ? field.slice('spec.'.length) : undefined;
}
