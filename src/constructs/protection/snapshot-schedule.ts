import { keys } from '../../api/keys';
import { isDnsSubdomain } from '../../api/names';
import { ApiObject, ApiObjectMetadata, Chart, Duration, Lazy } from 'cdk8s';
import { kinds } from '../../api/kinds/registry';
import { Construct } from 'constructs';
import { defined } from '../defined';
import { imageProblem } from '../../api/image-reference';
import { SNAPSHOT_JOB } from '../generated/snapshot-job';
import { beside } from '../network/beside';
import type { IVirtualMachine } from '../references';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth, mistakeInCode } from '../validation';
import type { SnapshotDeletionPolicy } from './choices';
import { virtualMachine } from './reference';
import { durationText } from './text';

/** Image of the schedule's Job: its program needs nothing but Node.js. */
const DEFAULT_IMAGE = 'docker.io/library/node:24-alpine';
const DEFAULT_KEPT = 7;

/** Options of a snapshot schedule. */
export interface SnapshotScheduleOptions extends ResourceProps {
  /**
   * Schedule in cron format: minute, hour, day of the month, month and day of the week, such as `0 3 * * *`; or
   * `@hourly`, `@daily`, `@weekly`, `@monthly`.
   * @default '@daily'
   */
  readonly schedule?: string;
  /**
   * Time zone of the schedule, such as `Europe/Berlin`.
   * @default - the time zone of kube-controller-manager, usually UTC
   */
  readonly timeZone?: string;
  /**
   * Number of restorable snapshots to keep, from 1.
   * @default - 7, or unlimited if `maxAge` is set
   */
  readonly keep?: number;
  /**
   * Age at which a snapshot is deleted. The newest restorable snapshot is always kept.
   * @default - unlimited
   */
  readonly maxAge?: Duration;
  /**
   * Whether the schedule is suspended: no snapshots are taken or deleted.
   * @default false
   */
  readonly suspend?: boolean;
  /**
   * Whether deleting a snapshot also deletes its content.
   * @default SnapshotDeletionPolicy.DELETE
   */
  readonly deletionPolicy?: SnapshotDeletionPolicy;
  /**
   * Time after which an unfinished snapshot is marked as failed. Zero disables the limit.
   * @default - 5 minutes
   */
  readonly failureDeadline?: Duration;
  /**
   * Prefix of the snapshots' names, which is followed by eight letters and digits.
   * @default - name of the VM
   */
  readonly prefix?: string;
  /**
   * Image of the Job. It must contain Node.js 20 or newer as `node`. The engine of `virt8s up` has
   * `localhost/virt8s/virt-importer:dev`, which needs no registry.
   * @default docker.io/library/node:24-alpine
   */
  readonly image?: string;
}

/** Properties of a snapshot schedule. */
export interface SnapshotScheduleProps extends SnapshotScheduleOptions {
  /** Virtual machine to snapshot. */
  readonly source: IVirtualMachine;
}

/**
 * Takes snapshots of a VM on a schedule and deletes old ones.
 *
 * It consists of a CronJob (`batch/v1`) and a ServiceAccount that may only create, list and delete
 * VirtualMachineSnapshots in its namespace. It works on any cluster that has KubeVirt's snapshot API. Failed snapshots
 * do not count towards the number of snapshots to keep.
 *
 * @example
 * new SnapshotSchedule(chart, 'nightly', { source: vm, schedule: '0 3 * * *', keep: 7 });
 */
export class SnapshotSchedule extends Resource {
  public readonly apiObject: ApiObject;
  /** Schedule in cron format. */
  public readonly schedule: string;
  /** Number of restorable snapshots to keep, if limited. */
  public readonly keep?: number;
  /** Age at which a snapshot is deleted, if limited. */
  public readonly maxAge?: Duration;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props VM, schedule and retention
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
    checkImage(props.image);
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

  /** Creates the Job's ServiceAccount, role and role binding. */
  private makeAccount(metadata: ApiObjectMetadata | undefined): ApiObject {
    // the account shares the schedule's labels and annotations, but not its name
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

function checkImage(image: string | undefined): void {
  const problem = image === undefined ? undefined : imageProblem(image);
  if (problem)
    mistakeInCode('SnapshotSchedule', 'image', `"${image}" ${problem.cause}`, problem.remedy, 'schedule-image');
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
    mistakeInCode(
      'SnapshotSchedule',
      'keep',
      `${keep} is not a number of snapshots to keep`,
      'use a whole number from 1',
      'schedule-keep',
    );
  }
  if (maxAge !== undefined && maxAge.toMilliseconds() < 60_000) {
    const remedy = 'use a minute or more';
    mistakeInCode(
      'SnapshotSchedule',
      'maxAge',
      `${maxAge.toHumanString()} is shorter than a minute`,
      remedy,
      'schedule-age',
    );
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
  const environment = defined({
    PREFIX: props.prefix ?? source.name,
    SCHEDULE: name,
    SPEC: JSON.stringify(snapshot),
    KEEP: keep?.toString(),
    MAX_AGE: maxAge && String(Math.ceil(maxAge.toMilliseconds() / 1000)),
  });
  const container = {
    name: 'snapshot',
    image,
    command: ['node', '--input-type=module', '--eval', SNAPSHOT_JOB],
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
  const labels = { [keys.snapshotSchedule]: name };
  return defined({
    schedule,
    timeZone,
    suspend,
    concurrencyPolicy: 'Forbid',
    // a run that is missed by more than this is skipped
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
  if (field === 'spec.jobTemplate') return 'source';
  return field === 'spec.schedule' || field === 'spec.timeZone' ? field.slice('spec.'.length) : undefined;
}
