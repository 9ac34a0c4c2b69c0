import { deepEqual } from '../../json/values';
import { AnyObject } from '../../types';
import { Fields } from '../../validation/fields';
import { isDns1123Label, labelName } from '../../validation/names';
import { define } from '../define';
import { textPrinter } from '../printers';
import { validateClaimSpec } from '../claim-validation';
import { defaultClaim } from '../storage';
import {
  APPS,
  atMost100Percent,
  DEFAULT_HISTORY,
  defaultTemplate,
  nonNegative,
  notDecremented,
  notGreater,
  numberIn,
  REPLICAS,
  reportMismatch,
  validateIntOrPercent,
  validateLongRunning,
  validateSelector,
  validateTemplate,
  warnAboutTemplate,
  wide,
} from './shared';

type Spec = AnyObject['spec'];

function setDefaults(object: AnyObject): void {
  const spec = defaultTemplate(object);
  spec.podManagementPolicy ||= 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= DEFAULT_HISTORY;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion ||= 'v1';
    claim.kind ||= 'PersistentVolumeClaim';
    defaultClaim(claim);
    claim.status ??= {};
    claim.status.phase ||= 'Pending';
  }
}

interface Leniency {
  /** Whether the Service name and the claims were accepted before and cannot change. */
  readonly isUpdate?: boolean;
  /** Whether the template was invalid before. */
  readonly skipTemplate?: boolean;
}

function validate({ spec = {} }: AnyObject, fields: Fields, { isUpdate, skipTemplate }: Leniency = {}): void {
  const at = fields.child('spec');
  const policies = ['OrderedReady', 'Parallel'];
  if (!policies.includes(spec.podManagementPolicy)) {
    at.child('podManagementPolicy').invalid(spec.podManagementPolicy, "must be 'OrderedReady' or 'Parallel'");
  }
  validateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy'));
  for (const when of ['whenDeleted', 'whenScaled']) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[when] ?? 'Retain';
    const field = at.child('persistentVolumeClaimRetentionPolicy', when);
    if (!['Retain', 'Delete'].includes(value)) field.notSupported(value, ['Retain', 'Delete']);
  }
  if (!isUpdate) {
    ((spec.volumeClaimTemplates ?? []) as AnyObject[]).forEach((claim, i) =>
      validateClaimSpec(claim.spec, at.child('volumeClaimTemplates').index(i).child('spec')),
    );
  }
  nonNegative(spec, ['replicas', 'minReadySeconds'], at);
  if (spec.ordinals) nonNegative({ 'ordinals.start': spec.ordinals.start }, ['ordinals.start'], at);
  if (!isUpdate && spec.serviceName)
    at.child('serviceName').invalidEach(spec.serviceName, isDns1123Label(spec.serviceName));
  const matches = validateSelector(spec, { subject: 'statefulset', invalid: '', required: true }, at);
  if (matches !== undefined) {
    if (!matches) reportMismatch(spec, at);
    if (!skipTemplate) validateTemplate(templateOfPods(spec), at.child('template'));
    // the rules report these two fields once more
    const { labels, annotations } = spec.template?.metadata ?? {};
    validateTemplate({ metadata: { labels, annotations }, spec: NO_POD }, at.child('template'));
  }
  validateLongRunning(spec, 'StatefulSet', at);
}

/** A spec without mistakes. */
const NO_POD = {
  containers: [
    {
      name: 'none',
      image: 'none',
      imagePullPolicy: 'Always',
      terminationMessagePath: '/',
      terminationMessagePolicy: 'File',
    },
  ],
  restartPolicy: 'Always',
  dnsPolicy: 'Default',
};

/** The template as Pods get it: with a volume for each claim, and with the controller's host name and subdomain. */
function templateOfPods({ template = {}, volumeClaimTemplates = [] }: Spec): Spec {
  const { hostname: _hostname, subdomain: _subdomain, ...spec } = template.spec ?? {};
  const names = (volumeClaimTemplates as AnyObject[]).map(({ metadata }) => metadata?.name ?? '');
  if (!names.length) return { ...template, spec };
  const own = ((spec.volumes ?? []) as { name: string }[]).filter(({ name }) => !names.includes(name));
  const claims = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...template, spec: { ...spec, volumes: [...claims, ...own] } };
}

function validateStrategy({ type = '', rollingUpdate }: Spec, at: Fields): void {
  const field = at.child('rollingUpdate');
  const { partition = 0, maxUnavailable } = rollingUpdate ?? {};
  const shown = { Partition: partition, MaxUnavailable: maxUnavailable ?? null };
  if (type === 'OnDelete') {
    if (rollingUpdate) field.invalid(shown, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type === 'RollingUpdate') {
    if (!rollingUpdate) return;
    nonNegative(rollingUpdate, ['partition'], field);
    if (maxUnavailable === undefined) return;
    const limit = field.child('maxUnavailable');
    validateIntOrPercent(maxUnavailable, limit);
    if (numberIn(maxUnavailable) === 0) limit.invalid(maxUnavailable, 'cannot be 0');
    atMost100Percent(maxUnavailable, limit);
  } else {
    at.invalid({ Type: type, RollingUpdate: rollingUpdate ? shown : null }, "must be 'RollingUpdate' or 'OnDelete'");
  }
}

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

const fixed = ({ spec = {} }: AnyObject) =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => !CHANGEABLE.includes(name)));

/** maxUnavailable is a feature that is off: only an object that has the field keeps it. */
function dropMaxUnavailable(object: AnyObject, old?: AnyObject): void {
  const { rollingUpdate } = object.spec?.updateStrategy ?? {};
  if (rollingUpdate && old?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined) {
    delete rollingUpdate.maxUnavailable;
  }
}

function warnAboutHistory({ spec }: AnyObject, warn: (message: string) => void): void {
  if (spec?.revisionHistoryLimit < 0) {
    warn('spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended');
  }
}

const COUNTS = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
];

export const statefulSet = define({
  ...APPS,
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  nameRule: labelName,
  scale: { ...REPLICAS, labelSelectorPath: '.spec.selector' },
  defaults: setDefaults,
  prepareForCreate(object, context) {
    dropMaxUnavailable(object);
    warnAboutTemplate(object, context);
    warnAboutHistory(object, (message) => context.warn(message));
  },
  prepareForUpdate(object, old, context) {
    dropMaxUnavailable(object, old);
    if (!deepEqual(object.spec, old.spec)) warnAboutTemplate(object, context);
    warnAboutHistory(object, (message) => context.warn(message));
  },
  validate,
  validateUpdate(next, old, fields) {
    const before = Fields.root();
    validate(old, before, { isUpdate: true });
    validate(next, fields, { isUpdate: true, skipTemplate: before.causes.length > 0 });
    if (deepEqual(fixed(next), fixed(old))) return;
    fields
      .child('spec')
      .forbidden(
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      );
  },
  validateStatus({ status = {} }, old, fields) {
    const at = fields.child('status');
    nonNegative(status, COUNTS, at);
    const all = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
    notGreater(status, all, 'replicas', 'cannot be greater than status.replicas', at);
    notGreater(status, ['availableReplicas'], 'readyReplicas', 'cannot be greater than status.readyReplicas', at);
    notDecremented(status, old.status, at);
  },
  printer: textPrinter({ Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}` }, wide),
});
