import type { InstanceRule } from './rule';
import { mistake } from './rule';

/** Rejects a machine type that the platform does not allow for the architecture. */
export const machineIsAllowed: InstanceRule = (spec, at, config) => {
  const type = spec.domain.machine?.type;
  if (!type) return [];
  const allowed = config.architecture(spec.architecture).emulatedMachines;
  if (allowed.some((pattern) => globMatches(pattern, type))) return [];
  const path = at.at('domain', 'machine', 'type');
  return mistake(
    'machine-type',
    path,
    `${path} is not supported: ${type} (allowed values: [${allowed.join(' ')}])`,
    'use an allowed type, or leave it out',
    { value: type, allowed },
  );
};

const compiled = new Map<string, RegExp | undefined>();

/** Compiles a file name pattern: `*` and `?` stop at a slash, `[a-z]` is one of a set. A broken pattern matches nothing. */
export function globMatches(pattern: string, text: string): boolean {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern)?.test(text) ?? false;
}

function compile(pattern: string): RegExp | undefined {
  const source = pattern.replace(/\\.|\[\^?[^\]]*\]|[.+^${}()|\\]|[*?]/gu, (part) => {
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return part.startsWith('[') || (part.startsWith('\\') && part.length > 1) ? part : `\\${part}`;
  });
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    return undefined;
  }
}
