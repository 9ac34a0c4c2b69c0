import { keys } from '../../../api/keys';
import type { VirtualMachineInstanceMigration } from '../../../api';
import { apartFrom, notOnNode } from './affinity';
import { imageDigests } from './image-digests';
import type { RenderInput } from './input';
import { launcherName } from './metadata';
import { migrationNetworkAnnotation } from './networks';
import { CPU_FEATURE, CPU_VENDOR } from './node-selector';
import { renderPod } from './render';
import type { Pod, PodSpec } from './types';

/** Input for the target Pod of a migration. */
export interface MigrationInput extends RenderInput {
  readonly migration: VirtualMachineInstanceMigration;
  /** Pod in which the guest runs, with its status. */
  readonly sourcePod: Pod;
  /** Labels of the source node. Not read when the guest comes from another cluster: its VMI has them. */
  readonly sourceNodeLabels: Readonly<Record<string, string>>;
}

/**
 * The target Pod of a migration: a launcher Pod for another node that can run the guest as it is now.
 * @throws when a fact that source and target must share is not known
 */
export function renderMigrationTargetPod(input: MigrationInput): Pod {
  const { vmi, migration, sourcePod } = input;
  const digests = imageDigests(vmi, sourcePod);
  const pod = renderPod({ ...input, digests });
  const comesFromElsewhere = migration.spec.receive !== undefined;
  const source = vmi.status?.migrationState?.sourceState;
  const nodeLabels = comesFromElsewhere ? (source?.nodeSelectors ?? {}) : input.sourceNodeLabels;
  const selinuxContext = comesFromElsewhere ? source?.selinuxContext : vmi.status?.selinuxContext;
  const selector = {
    ...migration.spec.addedNodeSelector,
    ...pod.spec.nodeSelector,
    ...hostModelSelector(input, nodeLabels, comesFromElsewhere),
  };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name: launcherName(vmi, `${vmi.metadata.uid}/${migration.metadata.uid}`),
      labels: { ...pod.metadata.labels, [keys.migrationJobUid]: migration.metadata.uid ?? '' },
      annotations: {
        ...pod.metadata.annotations,
        ...migrationNetworkAnnotation(input, sourcePod.metadata.annotations?.['k8s.v1.cni.cncf.io/network-status']),
        [keys.migrationJobName]: migration.metadata.name ?? '',
      },
    },
    spec: {
      ...pod.spec,
      affinity: comesFromElsewhere
        ? notOnNode(pod.spec.affinity, source?.node ?? '')
        : apartFrom(pod.spec.affinity, { matchLabels: { [keys.createdBy]: vmi.metadata.uid ?? '' } }),
      nodeSelector: { ...selector, ...vendorSelector(selector, nodeLabels) },
      securityContext: { ...pod.spec.securityContext, ...selinuxLevel(input, selinuxContext) },
    },
  };
}

const HOST_MODEL = keys.hostModelPrefix;
const HOST_FEATURE = keys.hostFeaturePrefix;
const MOVABLE_MODEL = keys.movableModelPrefix;

/**
 * With `host-model`, the guest has the CPU of the node on which it was started. The target must offer that CPU, even if the
 * guest has migrated since.
 */
function hostModelSelector(
  { vmi, sourcePod }: MigrationInput,
  nodeLabels: Readonly<Record<string, string>>,
  comesFromElsewhere: boolean,
): Record<string, string> {
  if (vmi.spec.domain.cpu?.model !== 'host-model') return {};
  const before = Object.entries(sourcePod.spec.nodeSelector ?? {}).filter(
    ([key]) => key.includes(CPU_FEATURE) || key.includes(MOVABLE_MODEL),
  );
  if (before.length > 0 && !comesFromElsewhere) return Object.fromEntries(before);
  const model = Object.keys(nodeLabels).find((key) => key.startsWith(HOST_MODEL));
  if (model === undefined) {
    throw new Error(
      `the guest has its node's CPU model, but no label ${HOST_MODEL}… names that model; ` +
        'check that virt-handler runs on the node',
    );
  }
  const features = Object.entries(nodeLabels).filter(([key]) => key.startsWith(HOST_FEATURE));
  return {
    ...Object.fromEntries(features.map(([key, value]) => [CPU_FEATURE + key.slice(HOST_FEATURE.length), value])),
    [MOVABLE_MODEL + model.slice(HOST_MODEL.length)]: nodeLabels[model],
  };
}

/** A guest does not survive a migration to a CPU of another vendor. */
function vendorSelector(
  selector: Readonly<Record<string, string>>,
  nodeLabels: Readonly<Record<string, string>>,
): Record<string, string> {
  const vendorOf = (labels: object) => Object.keys(labels).find((key) => key.startsWith(CPU_VENDOR));
  const vendor = vendorOf(selector) ? undefined : vendorOf(nodeLabels);
  return vendor ? { [vendor]: 'true' } : {};
}

/** SELinux fields that give both Pods access to the same files. Without a level in the context, they stay unset. */
function selinuxLevel({ config }: RenderInput, context: string | undefined): PodSpec['securityContext'] {
  const level = (context ?? '').split(':').slice(3).join(':');
  if (!level || config.migrations.matchSELinuxLevelOnMigration === false) return {};
  const type = config.raw.selinuxLauncherType;
  return { seLinuxOptions: { ...(type && { type }), level } };
}
