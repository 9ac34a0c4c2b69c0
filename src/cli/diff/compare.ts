/** An object as it is and as it would be -> what changes, what that does, and why it may not. Pure. */
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

/** One field, as it may be printed. */
export interface FieldChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly isOrder?: boolean;
  /** For fields of a VM that runs. */
  readonly impact?: Impact;
}

/** What happens to an object. */
export interface ObjectDiff {
  readonly action: 'create' | 'change' | 'delete';
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly changes: readonly FieldChange[];
  /** The worst of its fields; absent when no guest is touched. */
  readonly effect?: Impact['effect'];
  /** Why admission would refuse it. */
  readonly refused: readonly string[];
}

/**
 * The difference that an object makes; undefined when it makes none.
 *
 * @param before the object as it is
 * @param after as it would be, not yet defaulted
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
  // no cluster holds an object without its shape: what takes its place in files is new
  const errors = (fits[0] ? admissionOf(will)?.update?.(will, was, context) : admit(will, context).errors) ?? [];
  // what has not the right shape is refused, and does nothing to a guest
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

/** A newer platform may have stored fields and words that this one does not know. */
const breaksShape = ({ rule }: Finding): boolean => !/^schema-(unknown-field|enum|limit)$/.test(rule);

const formatted = (errors: readonly Finding[]): string[] => errors.map(formatLine);

function identity({ apiVersion, kind, metadata }: KubeObject) {
  const { name, generateName, namespace } = metadata;
  return { apiVersion, kind, ...(namespace ? { namespace } : {}), name: name ?? `${generateName ?? ''}…` };
}

/** As it is stored. */
function defaulted(object: KubeObject, context: AdmissionContext): KubeObject {
  const rules = admissionOf(object);
  if (!rules) return withCanonicalAmounts(object, '') as KubeObject;
  return rules.mutate?.(object, { ...context, by: { trusted: true } }) ?? object;
}

/** Maps of Kubernetes' own kinds whose values are amounts: `1024Mi` is stored as `1Gi`. */
const AMOUNTS = new Set(['requests', 'limits', 'capacity', 'hard']);

function withCanonicalAmounts(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withCanonicalAmounts(item, ''));
  if (typeof value !== 'object' || value === null) return AMOUNTS.has(field) ? canonicalQuantity(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withCanonicalAmounts(inner, AMOUNTS.has(field) ? field : key)]),
  );
}

/** Annotations by which tools remember something. */
const OWN_NOTES = /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/.*)$/;

/** What somebody may want: not the status, not what the API server keeps about the object. */
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

/** A pool's VMs take over what a VM would, as its update strategy has it. */
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

/** As far as the object says: its status where it has one, else what it should do. */
function isRunning({ spec, status }: VirtualMachine): boolean {
  if (status?.printableStatus !== undefined) return !/^(Stopped|Provisioning)$/.test(status.printableStatus);
  return spec.running ?? spec.runStrategy !== 'Halted';
}
