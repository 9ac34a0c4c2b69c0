import { createHash } from 'node:crypto';
import type { KubeVirt } from '../../../api';
import { definitions, platformDefinitions } from '../../../api/crds';
import { errorText } from '../../../api/error-text';
import type { KubeVirtSpec } from '../../../api/generated/kubevirt-v1';
import type { PlatformObject } from '../../../api/platform';
import { OperatorReason } from '../../../api/reasons';
import { hasCertificates } from '../certificates/execute';
import { timeOf, type Context } from '../context';
import { desiredObjects } from '../customize/desired';
import { requestHeaderOf } from '../request-header';
import { statusOf } from '../status/decide';
import { report } from '../status/report';
import type { Settings } from '../settings';
import type { Strategy } from '../strategy';
import { nameOf } from '../uninstall/decide';
import { decide, type Plan } from './decide';
import { directionOf } from './direction';
import { imageMistakes } from './image-mistakes';
import { decideObsolete } from './obsolete';
import { serves, type Workload } from './rollout';

/** Programs without which no VM can be created. */
const NEEDED = ['Deployment virt-api', 'Deployment virt-controller', 'DaemonSet virt-handler'];

/**
 * Writes what differs from the wanted installation, and reports its state.
 *
 * @param trusted authorities of the platform, PEM; undefined if another program issues the certificates
 * @returns what prevents progress, in words
 */
export async function syncInstallation(
  context: Context,
  kubeVirt: KubeVirt,
  strategy: Strategy,
  trusted: string | undefined,
): Promise<readonly string[]> {
  const { settings, caches, writer } = context;
  const { namespace, registry } = settings;
  const { spec = {}, status = {} } = kubeVirt;
  const { version } = strategy;
  const requestHeader = requestHeaderOf(caches.authentication.list()[0]?.data);
  const { objects, problems } = desiredObjects({
    ...{ namespace, version, spec, objects: strategy.objects },
    definitions: definitionsOf(settings),
    authorities: trusted,
    externalAuthorities: caches.externalAuthorities.list()[0]?.data?.['ca-bundle'],
    ...('data' in requestHeader ? { requestHeader: requestHeader.data } : {}),
  });
  const plan = decide({
    desired: objects,
    find: (object) => writer.find(object),
    isApplied: (object, found) => writer.isApplied(object, found),
    podsOf: (name) => caches.pods.byIndex('program', name),
    hasCertificates: hasCertificates(context),
    direction: directionOf(status.observedKubeVirtVersion, version),
  });
  const deploymentId = deploymentIdOf(strategy, spec);
  // a complete installation of exactly this: any difference was made by somebody else
  const isRepair =
    status.observedDeploymentID === deploymentId && status.observedGeneration === kubeVirt.metadata.generation;
  const failures = await write(context, kubeVirt, plan, isRepair);
  const isInstalled = plan.missing.length === 0 && failures.length === 0;
  // the installation is complete also while something that it no longer needs is left
  const obsolete = isInstalled ? await removeObsolete(context, kubeVirt, objects) : [];
  const trouble = [
    ...plan.trouble,
    ...failures,
    ...obsolete,
    ...('problem' in requestHeader ? [requestHeader.problem] : []),
  ];
  const isServing = NEEDED.every((program) => {
    const object = objects.find(({ kind, metadata }) => `${kind} ${metadata.name}` === program);
    const found = object && (writer.find(object) as Workload | undefined);
    return found !== undefined && serves(found);
  });
  const next = statusOf(
    status,
    {
      ...{ version, registry, isServing, trouble, generation: kubeVirt.metadata.generation },
      deploymentId,
      missing: [...plan.missing, ...failures],
      mistakes: [...problems, ...imageMistakes(spec, { version, registry })],
    },
    timeOf(context),
  );
  await report(context, kubeVirt, next);
  return trouble;
}

/** Returns the definitions of an installation. */
export const definitionsOf = ({ importer }: Settings): PlatformObject[] =>
  (importer ? definitions : platformDefinitions) as unknown as PlatformObject[];

/** Identifies the installed objects and settings; certificates, which change often, are not part of it. */
function deploymentIdOf(strategy: Strategy, { configuration, ...spec }: KubeVirtSpec): string {
  const { roleAggregationStrategy } = configuration ?? {};
  return createHash('sha256')
    .update(JSON.stringify([strategy, spec, roleAggregationStrategy]))
    .digest('hex')
    .slice(0, 40);
}

/** Returns the writes that failed, in words: one that is rejected does not prevent the others. */
async function write(
  { writer, log, recorder }: Context,
  kubeVirt: KubeVirt,
  plan: Plan,
  isRepair: boolean,
): Promise<string[]> {
  const failures: string[] = [];
  for (const { object, drift } of plan.apply) {
    const name = `${object.kind} ${object.metadata.name}`;
    let isChanged: boolean;
    try {
      isChanged = await writer.apply(object);
    } catch (error) {
      failures.push(`${name} cannot be written: ${errorText(error)}`);
      continue;
    }
    // after a restart, the operator may write again what the API server has normalized
    if (!isChanged) continue;
    log.info({ object: name, ...(drift === undefined ? {} : { drift }) }, 'written');
    if (!isRepair) continue;
    const what =
      drift === undefined ? `${name} was missing; it is created again` : `${name} differed in ${drift}; it is repaired`;
    recorder.normal(kubeVirt, OperatorReason.Repaired, what);
  }
  return failures;
}

/** Removes what an earlier configuration has installed. Returns the deletions that failed, in words. */
async function removeObsolete(
  { settings, caches, writer, log, recorder }: Context,
  kubeVirt: KubeVirt,
  desired: readonly PlatformObject[],
): Promise<string[]> {
  const removal = decideObsolete({
    ...{ namespace: settings.namespace, importer: settings.importer, desired },
    find: (object) => writer.find(object),
    podsOf: (name) => caches.pods.byIndex('program', name),
  });
  const failures: string[] = [];
  for (const { kind, object } of removal.delete) {
    const name = nameOf({ kind, object });
    try {
      // not if another program, such as CDI, has taken it over meanwhile
      if (!(await writer.remove({ ...object, kind }, { isUnchanged: true }))) continue;
    } catch (error) {
      failures.push(`${name} is no longer needed, and cannot be deleted: ${errorText(error)}`);
      continue;
    }
    log.info({ object: name }, 'removed');
    recorder.normal(kubeVirt, OperatorReason.Removed, `${name} is no longer needed; it is removed`);
  }
  return failures;
}
