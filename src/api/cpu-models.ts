/** CPU models and features by the names of libvirt. Pure. */
import { closest } from './names';

/** Models of amd64 in libvirt, without versions (`-v2`). Newer releases of libvirt may know more. */
const models =
  '486 pentium pentium2 pentium3 pentiumpro coreduo n270 core2duo qemu32 kvm32 cpu64-rhel5 cpu64-rhel6 qemu64 kvm64 Conroe ' +
  'Penryn Nehalem Nehalem-IBRS Westmere Westmere-IBRS SandyBridge SandyBridge-IBRS IvyBridge IvyBridge-IBRS Haswell ' +
  'Haswell-IBRS Haswell-noTSX Haswell-noTSX-IBRS Broadwell Broadwell-IBRS Broadwell-noTSX Broadwell-noTSX-IBRS ' +
  'Skylake-Client Skylake-Client-IBRS Skylake-Client-noTSX-IBRS Skylake-Server Skylake-Server-IBRS ' +
  'Skylake-Server-noTSX-IBRS Cascadelake-Server Cascadelake-Server-noTSX Cooperlake Icelake-Client Icelake-Client-noTSX ' +
  'Icelake-Server Icelake-Server-noTSX Snowridge SapphireRapids SierraForest GraniteRapids ClearwaterForest KnightsMill ' +
  'Denverton athlon phenom Opteron_G1 Opteron_G2 Opteron_G3 Opteron_G4 Opteron_G5 EPYC EPYC-IBPB EPYC-Rome EPYC-Milan ' +
  'EPYC-Genoa EPYC-Turin Dhyana';

/** Models of amd64. */
export const AMD64_MODELS: readonly string[] = models.split(' ');
const known = new Set(AMD64_MODELS);

/** Modes of a CPU, which are written in place of a model. */
export const CPU_MODES = ['host-model', 'host-passthrough'] as const;

const suggestions: readonly string[] = [...CPU_MODES, ...AMD64_MODELS];

const withoutVersion = (model: string): string => model.replace(/-v\d+$/i, '');

/** Whether only amd64 has the model. */
export const isAmd64Model = (model: string): boolean => known.has(withoutVersion(model));

/** CPUs that only QEMU knows by name, and libvirt as a mode. */
const ofQemu = new Set(['host', 'max', 'base', 'passthrough']);

/**
 * Returns the model that a misspelt name stands for. Undefined for a known name, and for one that resembles none: a newer
 * libvirt may know it.
 */
export function intendedModel(model: string): string | undefined {
  if (CPU_MODES.some((mode) => mode === model) || isAmd64Model(model)) return undefined;
  if (ofQemu.has(model.toLowerCase())) return 'host-passthrough';
  const plain = withoutVersion(model).replace(/\s+/g, '-');
  const limit = plain.length < 6 ? 1 : plain.length < 12 ? 2 : 3;
  return closest(plain, suggestions, limit);
}

/** Features whose names differ between /proc/cpuinfo, QEMU or data sheets, and libvirt. */
const features: Readonly<Record<string, string>> = {
  'aes-ni': 'aes',
  aesni: 'aes',
  'amd-v': 'svm',
  amd_ssbd: 'amd-ssbd',
  arch_capabilities: 'arch-capabilities',
  avx512_bf16: 'avx512-bf16',
  avx512_vnni: 'avx512vnni',
  hyperthreading: 'ht',
  'intel-vt': 'vmx',
  md_clear: 'md-clear',
  nested: 'vmx',
  spec_ctrl: 'spec-ctrl',
  sse3: 'pni',
  'sse4-1': 'sse4.1',
  'sse4-2': 'sse4.2',
  sse4_1: 'sse4.1',
  sse4_2: 'sse4.2',
  tsc_deadline: 'tsc-deadline',
  tsc_deadline_timer: 'tsc-deadline',
  virt_ssbd: 'virt-ssbd',
  'vt-x': 'vmx',
  vtx: 'vmx',
};

/** Returns libvirt's name of a feature that has another name elsewhere, or undefined. */
export function intendedFeature(name: string): string | undefined {
  const plain = name.trim().replace(/^[+-]/, '').toLowerCase();
  if (Object.hasOwn(features, plain)) return features[plain];
  return plain === name ? undefined : plain;
}
