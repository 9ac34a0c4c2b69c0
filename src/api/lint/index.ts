/**
 * Rules for objects that are still being written: the webhooks' own, likely mistakes that the webhooks accept, and mistakes
 * between objects that will be applied together. Pure. Synth and the command line call these.
 */
import { architectureLacks } from '../admission/at-start';
import { likelyMistakesOfSpec, longName } from '../admission/likely-mistakes';
import { labelsFit, namespaceFits } from '../admission/metadata';
import type { ClusterConfig } from '../cluster-config';
import { type Finding, needsCluster, type Path, root, unreported } from '../findings';
import type { VirtualMachine, VirtualMachineInstance } from '../generated/kubevirt-v1';
import { admissionOf } from '../kinds';
import { kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { validateSchema } from '../schema';
import { lintVirtualMachine } from '../validate';
import { cdiRules } from './cdi-configuration';
import { choices } from './choices';
import { claimRules } from './claims';
import { claimUseRules } from './claim-uses';
import { cloudInitRules } from './cloud-init';
import { copyRules } from './copies';
import { devicesArePermitted } from './devices';
import { addressRules } from './guest-addresses';
import { guestInterfaces } from './guest-interfaces';
import { guestValues } from './guest-values';
import { identitiesDiffer } from './identities';
import { inferenceHasLabels } from './inference';
import { keyRules } from './keys';
import { lintKubernetes } from './kubernetes';
import { migrationRules } from './migration';
import { referencesAreSpeltRight } from './misspelt';
import { storageIsSpeltRight } from './misspelt-storage';
import { referencesStayInNamespace } from './namespaces';
import { networkRules } from './network';
import { isDnsLabel } from '../names';
import { specPath } from '../context';
import type { AdmissionContext } from '../kinds/kind';
import { openContext, withUnseenMatchers } from './open-world';
import { spreadSelectsGuests } from './spread';
import { stateCanMove } from './persistent-state';
import { platformRules } from './platform';
import { poolReferencesAreDeclared } from './pool-references';
import { protectionRules } from './protection';
import { scalingRules } from './scaling';
import { selectorsMeanTemplates } from './selected-templates';
import { serviceRules } from './services';
import { sizingValues } from './sizing-values';
import { sourceValues } from './source-values';
import { textsHaveValues } from './stringified';
import { templateMetadata } from './template-metadata';
import { mistakesOfTemplates } from './template-rules';
import { storageCanBeMade, storageTogether } from './storage';
import { objectAt, textAt } from './read';
import { quotaRules } from './quotas';
import { requestRules } from './requests';
import { restoreRules } from './restores';
import { sysprepRules } from './sysprep';
import { declaredOnce } from './unique';
import { emptyWorld, type World } from './world';

export { emptyWorld, worldOf } from './world';
export type { Declared, World } from './world';

/** Reports mistakes between an object and the others. */
type TogetherRule = (object: KubeObject, world: World, config: ClusterConfig) => Finding[];

/** Rules that also apply to Services, of which an app may have as many as guests. */
const ofServices: readonly TogetherRule[] = [
  declaredOnce,
  referencesStayInNamespace,
  referencesAreSpeltRight,
  serviceRules,
  selectorsMeanTemplates,
];

const together: readonly TogetherRule[] = [
  ...ofServices,
  networkRules,
  migrationRules,
  protectionRules,
  storageTogether,
  storageIsSpeltRight,
  sysprepRules,
  platformRules,
  cdiRules,
  devicesArePermitted,
  poolReferencesAreDeclared,
  cloudInitRules,
  claimRules,
  claimUseRules,
  inferenceHasLabels,
  scalingRules,
  copyRules,
  requestRules,
  restoreRules,
  quotaRules,
  addressRules,
  identitiesDiffer,
  keyRules,
  spreadSelectsGuests,
  stateCanMove,
];

/** Kinds outside of KubeVirt and CDI that rules between objects are about. */
const NEIGHBOURS =
  /^(ConfigMap|HorizontalPodAutoscaler|Ingress|NetworkAttachmentDefinition|NetworkPolicy|PersistentVolumeClaim|PodDisruptionBudget|Service)$/;

/** Whether a rule between objects is about this kind. */
export const isNeighbour = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean =>
  NEIGHBOURS.test(kind) || /(^|\.)kubevirt\.io\//.test(apiVersion);

/** Returns every mistake in one object that can be found without a cluster. */
export function lintObject(
  object: KubeObject,
  config: ClusterConfig,
  world: Pick<World, 'find'> = emptyWorld,
  specAt?: Path,
): Finding[] {
  const body = lintBody(object, config, world, specAt);
  const isShaped = !body.some(({ rule }) => rule.startsWith('schema-'));
  // the template of a set or pool is validated as an object of its own
  const errors = isShaped && !isTemplated(object) ? [...body, ...unreported(body, likelyValues(object))] : body;
  // the webhooks validate the shape, and leave these rules to the API server
  const labels = objectAt(object, 'metadata', 'labels') as Record<string, string> | undefined;
  const namespace = textAt(object, 'metadata', 'namespace');
  const named = namespace !== undefined && !isDnsLabel(namespace) ? [...errors, ...namespaceFits(namespace)] : errors;
  return labels ? [...named, ...unreported(named, labelsFit({ labels }, root.at('metadata')))] : named;
}

const isTemplated = (object: KubeObject): boolean =>
  ['VirtualMachineInstanceReplicaSet', 'VirtualMachinePool'].includes(kindOf(object) ?? '');

/** Values that the platform accepts, but that fail or are ignored in use. */
const likelyValues = (object: KubeObject): Finding[] => [
  ...guestValues(object),
  ...sizingValues(object),
  ...sourceValues(object),
  ...textsHaveValues(object),
  ...choices(object),
  ...templateMetadata(object),
  ...guestInterfaces(object),
];

function lintBody(object: KubeObject, config: ClusterConfig, world: Pick<World, 'find'>, specAt?: Path): Finding[] {
  const context = { ...openContext(config, world), ...(specAt && { specAt }) };
  if (kindOf(object) === 'VirtualMachine') {
    const errors = lintVirtualMachine(withUnseenMatchers(object as VirtualMachine, world), context);
    return [...errors, ...unlessReported(errors, 'dataVolumeTemplates', () => storageCanBeMade(object))];
  }
  const rules = admissionOf(object);
  if (!rules) {
    const shape = validateSchema(object);
    return [...shape, ...lintKubernetes(object), ...unlessReported(shape, 'spec', () => storageCanBeMade(object))];
  }
  // the webhook validates the object after its defaults are set
  const stored = rules.mutate?.(object, context) ?? object;
  const errors = rules.create(stored, context).filter(({ rule }) => !needsCluster(rule));
  if (errors.some(({ rule }) => rule.startsWith('schema-'))) return errors;
  const own = [
    ...errors,
    ...unreported(errors, likelyMistakes(object, context)),
    ...unlessReported(errors, 'dataVolumeTemplates', () => storageCanBeMade(object)),
  ];
  return [
    ...own,
    ...unreported(
      own,
      mistakesOfTemplates(object, (made, at) => lintObject(made, config, world, at)),
    ),
  ];
}

/** Returns the findings of `more`, unless the object has the wrong shape or this field has an error already. */
function unlessReported(errors: readonly Finding[], field: string, more: () => Finding[]): Finding[] {
  const isReported = ({ rule, path }: Finding): boolean => rule.startsWith('schema-') || path.parts.includes(field);
  return errors.some(isReported) ? [] : more();
}

/** Returns every mistake between an object and the others of its world. */
export function lintTogether(object: KubeObject, config: ClusterConfig, world: World): Finding[] {
  const errors: Finding[] = [];
  for (const rule of object.kind === 'Service' ? ofServices : together) {
    const found = rule(object, world, config);
    if (found.length > 0) errors.push(...found);
  }
  return errors;
}

/** Likely mistakes that the webhook accepts. For sets and pools they are reported with their template. */
function likelyMistakes(object: KubeObject, context: AdmissionContext): Finding[] {
  if (kindOf(object) !== 'VirtualMachineInstance') return [];
  const { spec } = object as VirtualMachineInstance;
  if (!spec?.domain) return [];
  const at = specPath(context);
  return [
    ...longName(object.metadata),
    ...likelyMistakesOfSpec(spec, at, context.config),
    ...architectureLacks(spec, at),
  ];
}
