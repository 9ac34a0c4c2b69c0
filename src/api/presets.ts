import { keys } from './keys';
import { isDeepStrictEqual } from 'node:util';
import { KUBEVIRT_API_VERSION } from './constants';
import { root } from './findings';
import type { Finding } from './findings';
import type { Clock, DomainSpec, VirtualMachineInstance, VirtualMachineInstancePreset } from './generated/kubevirt-v1';
import type { AdmissionContext } from './kinds/kind';
import { selectorMistake, selects } from './kinds/label-selector';
import { refusal } from './kinds/refusal';
import { canonicalQuantity } from './quantity';
import { withoutNulls } from './schema';

/** Annotation that excludes a VMI from presets when it is `true`. */
const EXCLUSION = keys.presetExclusion;
/** Prefix of annotations that name the presets of a VMI: `virtualmachinepreset.kubevirt.io/NAME`. */
const APPLIED = 'virtualmachinepreset.kubevirt.io';

/** VMI with the presets that select it. */
export interface PresetVirtualMachineInstance {
  /** VMI with the presets; the given VMI when there is nothing to apply, or a mistake. */
  readonly vmi: VirtualMachineInstance;
  /** Presets that conflict or are invalid, for which the VMI is rejected. */
  readonly errors: Finding[];
}

/**
 * Fills the missing parts of a VMI's domain from the presets that select it (deprecated; runs before all
 * defaults). A part that the VMI has is not changed.
 */
export function applyPresets(
  given: VirtualMachineInstance,
  { list }: Pick<AdmissionContext, 'list'>,
): PresetVirtualMachineInstance {
  const { namespace, labels, annotations } = given.metadata;
  if (annotations?.[EXCLUSION] === 'true') return { vmi: given, errors: [] };
  const presets = (list('VirtualMachineInstancePreset', namespace) as readonly VirtualMachineInstancePreset[])
    .map(withoutNulls)
    .sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
  for (const { metadata, spec } of presets) {
    const mistake = selectorMistake(spec?.selector);
    if (mistake) return refused(given, `preset ${metadata.name}: ${mistake}`, "correct the preset's selector");
  }
  const chosen = presets.filter(({ spec }) => selects(spec?.selector ?? {}, labels));
  if (chosen.length === 0) return { vmi: given, errors: [] };
  const clashes = contradictions(chosen);
  if (clashes.length > 0) {
    const remedy = `correct one of them, or set the annotation ${EXCLUSION} to "true"`;
    const message = `VirtualMachinePresets cannot be applied due to conflicts: ${joined(clashes)}`;
    return refused(given, message, remedy);
  }
  const vmi = structuredClone(given);
  for (const { metadata, spec } of chosen) {
    if (!spec?.domain || !merge(spec.domain, vmi.spec.domain)) continue;
    vmi.metadata.annotations = { ...vmi.metadata.annotations, [`${APPLIED}/${metadata.name}`]: KUBEVIRT_API_VERSION };
  }
  return { vmi, errors: [] };
}

/** Returns the warnings for a new VMI with a preset. */
export function presetWarnings({ metadata }: VirtualMachineInstance): string[] {
  const took = Object.keys(metadata.annotations ?? {}).some((key) => key.includes('virtualmachinepreset'));
  return took ? ['kubevirt.io/v1 VirtualMachineInstancePresets is now deprecated and will be removed in v2.'] : [];
}

const refused = (vmi: VirtualMachineInstance, message: string, remedy: string): PresetVirtualMachineInstance => ({
  vmi,
  errors: [refusal('preset-conflict', root.at('metadata', 'labels'), message, remedy)],
});

function contradictions(presets: readonly VirtualMachineInstancePreset[]): string[] {
  return presets.flatMap((preset, i) =>
    presets.slice(0, i).flatMap((other) => {
      const clashes =
        preset.spec?.domain && other.spec?.domain ? differences(preset.spec.domain, other.spec.domain) : [];
      if (clashes.length === 0) return [];
      return [`presets '${preset.metadata.name}' and '${other.metadata.name}' conflict: ${joined(clashes)}`];
    }),
  );
}

const joined = (messages: string[]): string => (messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);

/** The parts of a domain that presets can fill, besides resource requests and the clock. */
const parts: readonly {
  name: string;
  get(domain: DomainSpec): unknown;
  set(domain: DomainSpec, value: unknown): void;
}[] = [
  ...(['cpu', 'firmware', 'features', 'ioThreadsPolicy'] as const).map((field) => ({
    name: field,
    get: (domain: DomainSpec): unknown => domain[field],
    set: (domain: DomainSpec, value: unknown): void => {
      Object.assign(domain, { [field]: value });
    },
  })),
  {
    name: 'devices.watchdog',
    get: ({ devices }) => devices?.watchdog,
    set: (domain, value) => {
      Object.assign((domain.devices ??= {}), { watchdog: value });
    },
  },
];

/** Returns the differences of two domains, in the parts that presets can fill. */
function differences(preset: DomainSpec, other: DomainSpec): string[] {
  const say = (where: string, a: unknown, b: unknown): string =>
    `spec.${where}: ${JSON.stringify(a)} != ${JSON.stringify(b)}`;
  const clashes: string[] = [];
  const [requests, others] = [preset.resources?.requests ?? {}, other.resources?.requests ?? {}];
  for (const [key, value] of Object.entries(requests)) {
    if (others[key] !== undefined && !same(value, others[key])) {
      clashes.push(say(`resources.requests[${key}]`, value, others[key]));
    }
  }
  for (const { name, get } of parts) {
    const [a, b] = [get(preset), get(other)];
    if (a !== undefined && b !== undefined && !same(a, b)) clashes.push(say(name, a, b));
  }
  const [clock, otherClock] = [preset.clock, other.clock];
  if (clock && otherClock) {
    const [a, b] = [offsetOf(clock), offsetOf(otherClock)];
    if (!same(a, b)) clashes.push(say('clock.clockoffset', a, b));
    if (clock.timer && otherClock.timer && !same(clock.timer, otherClock.timer)) {
      clashes.push(say('clock.timer', clock.timer, otherClock.timer));
    }
  }
  return clashes;
}

/** Fills missing parts. Returns whether the VMI has at least one part of the preset. */
function merge(preset: DomainSpec, own: DomainSpec): boolean {
  let applied = false;
  const { requests } = preset.resources ?? {};
  if (requests && Object.keys(requests).length > 0) {
    const resources = (own.resources ??= {});
    resources.requests ??= structuredClone(requests);
    applied ||= same(resources.requests, requests);
  }
  for (const { get, set } of parts) {
    const wanted = get(preset);
    if (wanted === undefined) continue;
    if (get(own) === undefined) set(own, structuredClone(wanted));
    applied ||= same(get(own), wanted);
  }
  if (preset.clock) applied = mergeClock(preset.clock, own) || applied;
  return applied;
}

/** Offset and timers are filled separately: a VMI with its own offset may get the timers. */
function mergeClock(preset: Clock, own: DomainSpec): boolean {
  const clock = (own.clock ??= offsetOf(preset));
  let applied = same(clock, preset);
  if (preset.timer) {
    clock.timer ??= structuredClone(preset.timer);
    applied ||= same(clock.timer, preset.timer);
  }
  return applied;
}

const offsetOf = ({ utc, timezone }: Clock): Clock => ({
  ...(utc === undefined ? {} : { utc: structuredClone(utc) }),
  ...(timezone === undefined ? {} : { timezone }),
});

/** Compares as Kubernetes does: absent and empty values are equal, and quantities are compared as numbers. */
function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b));
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return canonicalQuantity(value);
  const entries = Object.entries(value).map(([key, inner]) => [key, comparable(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => !isZero(inner)));
}

const isZero = (value: unknown): boolean =>
  value === undefined || value === '' || value === '0' || value === 0 || (Array.isArray(value) && value.length === 0);
