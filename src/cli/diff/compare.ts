/** Compares two versions of an object: changed fields, their effect on guests, and findings of admission. Pure. */
import {
  type AdmissionContext,
  admissionOf,
  admit,
  canonicalQuantity,
  type Finding,
  formatLine,
  type KubeObject,
  validateSchema,
  type VirtualMachine,
} from '../../api';
import { type Impact, impactOf, worstOf } from '../../api/live-update';
import { kindOf } from '../../api/kinds/registry';
import { type Change, changesOf, pathText, pathWords } from './changes';
import { sealed, veiled } from './secrets';

/** A changed field; secret values are covered. */
export interface FieldChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly isOrder?: boolean;
  /** Effect on the guest, for fields of a running VM. */
  readonly impact?: Impact;
}

/** Change of one object. */
export interface ObjectDiff {
  readonly action: 'create' | 'change' | 'delete';
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly changes: readonly FieldChange[];
  /** Strongest effect of its fields; undefined if no guest is affected. */
  readonly effect?: Impact['effect'];
  /** Findings for which admission would reject it. */
  readonly refused: readonly string[];
}

/**
 * Difference between two versions of an object; undefined if they are equal.
 *
 * @param before current object
 * @param after new object, without defaults
 */
export function compare(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  context: AdmissionContext,
): ObjectDiff | undefined {
  if (!before && !after) return undefined;
  if (!after) return { ...identity(before!), action: 'delete', changes: [], refused: [] };
  if (!before) {
    const { errors } = admit(after, context);
    return { ...identity(after), action: 'create', changes: [], refused: formatted(errors) };
  }
  const [was, will] = [defaulted(before, context), defaulted(after, context)];
  const changes = changesOf(visible(was), visible(will));
  if (changes.length === 0) return undefined;
  const fits = [was, will].map((object) => !validateSchema(object).some(breaksShape));
  // a cluster never stores a malformed object: the new object replaces it completely
  const errors = (fits[0] ? admissionOf(will)?.update?.(will, was, context) : admit(will, context).errors) ?? [];
  // a malformed object is rejected and has no effect on a guest
  const isRead = fits.every(Boolean);
  const impacts = changes.map((change) => (isRead ? impactOfChange(change, was, will, context) : undefined));
  const worst = worstOf(impacts.filter((impact) => impact !== undefined));
  return {
    ...identity(after),
    action: 'change',
    changes: changes.map((change, i) => {
      const { path, ...values } = veiled(change, will);
      return { path: pathText(path), ...values, ...(impacts[i] ? { impact: impacts[i] } : {}) };
    }),
    ...(worst ? { effect: worst.effect } : {}),
    refused: formatted(errors),
  };
}

/** Removes findings about fields and values that a newer platform may have stored. */
const breaksShape = ({ rule }: Finding): boolean => !/^schema-(unknown-field|enum|limit)$/.test(rule);

const formatted = (errors: readonly Finding[]): string[] => errors.map(formatLine);

function identity({ apiVersion, kind, metadata }: KubeObject) {
  const { name, generateName, namespace } = metadata;
  return { apiVersion, kind, ...(namespace ? { namespace } : {}), name: name ?? `${generateName ?? ''}…` };
}

/** Stored form of an object. */
function defaulted(object: KubeObject, context: AdmissionContext): KubeObject {
  const rules = admissionOf(object);
  if (!rules) return withCanonicalAmounts(object, '') as KubeObject;
  return rules.mutate?.(object, { ...context, by: { trusted: true } }) ?? object;
}

/** Maps of quantities in Kubernetes' own kinds: `1024Mi` is stored as `1Gi`. */
const AMOUNTS = new Set(['requests', 'limits', 'capacity', 'hard']);

function withCanonicalAmounts(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withCanonicalAmounts(item, ''));
  if (typeof value !== 'object' || value === null) return AMOUNTS.has(field) ? canonicalQuantity(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withCanonicalAmounts(inner, AMOUNTS.has(field) ? field : key)]),
  );
}

/** Annotations in which tools keep state. */
const OWN_NOTES = /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/.*)$/;

/** Desired state: the object without its status and without fields that the API server sets. */
function visible(object: KubeObject): Record<string, unknown> {
  const { apiVersion, status: _s, metadata, kind: _k, ...rest } = sealed(object) as KubeObject & { status?: unknown };
  const { labels, annotations } = metadata;
  const noted = Object.entries(annotations ?? {}).filter(([key]) => !OWN_NOTES.test(key));
  return {
    ...rest,
    ...(apiVersion ? { apiVersion } : {}),
    metadata: {
      ...(labels && Object.keys(labels).length > 0 ? { labels } : {}),
      ...(noted.length > 0 ? { annotations: Object.fromEntries(noted) } : {}),
    },
  };
}

function impactOfChange(
  { path }: Change,
  before: KubeObject,
  after: KubeObject,
  context: AdmissionContext,
): Impact | undefined {
  const words = pathWords(path);
  switch (kindOf(after)) {
    case 'VirtualMachine':
      return isRunning(before as VirtualMachine)
        ? impactOf(words, before as VirtualMachine, after as VirtualMachine, context)
        : undefined;
    case 'VirtualMachineInstanceReplicaSet':
      return words[1] === 'template' ? { effect: 'restart', why: 'new instances get it' } : undefined;
    case 'VirtualMachinePool':
      return words[1] === 'virtualMachineTemplate' ? poolImpact(words.slice(2), before, after, context) : undefined;
    default:
      return undefined;
  }
}

type Template = { spec?: { virtualMachineTemplate?: { spec?: unknown } | null } | null };

/** Effect on the VMs of a pool, according to its update strategy. */
function poolImpact(
  words: readonly string[],
  before: KubeObject,
  after: KubeObject,
  context: AdmissionContext,
): Impact {
  const [one, two] = [before, after].map((pool) => {
    const { spec } = (pool as unknown as Template).spec?.virtualMachineTemplate ?? {};
    return { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: pool.metadata, spec } as VirtualMachine;
  });
  if (!one.spec?.template || !two.spec?.template) return { effect: 'restart', why: 'new VMs get it' };
  return impactOf(words, one, two, context);
}

/** Whether the guest runs: according to the status or, without one, to the run strategy. */
function isRunning({ spec, status }: VirtualMachine): boolean {
  if (status?.printableStatus !== undefined) return !/^(Stopped|Provisioning)$/.test(status.printableStatus);
  return spec.running ?? spec.runStrategy !== 'Halted';
}
