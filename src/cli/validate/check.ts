/** A document -> its mistakes, each with its place in the source. Pure. */
import { type AdmissionContext, admit, brief, type Finding, type KubeObject, type RuleId, warningsOf } from '../../api';
import { isNeighbour, lintAccepted, type World } from '../../api/lint';
import { type KubeVirtVersion, lackedBy } from '../../api/versions/target';
import type { ManifestDocument, Position } from '../manifests/documents';
import { isOurs, notAnObject, notServed } from '../manifests/object';

/** One mistake as people read it. */
export interface LocatedFinding {
  readonly at: Position;
  /** Field path; empty for the document as a whole. */
  readonly field: string;
  readonly message: string;
  readonly remedy: string;
  readonly allowed?: readonly string[];
  /** Name of the rule. */
  readonly rule: RuleId;
  readonly severity: 'error' | 'warning';
}

/** What was found in a document. */
export interface Checked {
  readonly kind?: string;
  readonly name?: string;
  /** `broken`: it could not be read; `other`: a kind that this platform has no rules for. */
  readonly state: 'valid' | 'refused' | 'broken' | 'other';
  readonly findings: readonly LocatedFinding[];
}

/**
 * Judges one document as admission would. What is wrong between it and the others of `world` is a warning: admission sees
 * one object at a time, and the cluster may hold what the files do not. What the target version lacks is an error.
 */
export function check(
  document: ManifestDocument,
  context: AdmissionContext,
  world?: World,
  target?: KubeVirtVersion,
): Checked {
  const { problem, object } = document;
  if (problem || !object) {
    const { at, cause, remedy } = problem ?? {
      at: document.locate([]),
      cause: 'the document is empty',
      remedy: 'remove it',
    };
    return { state: 'broken', findings: [finding('syntax', at, '', cause, remedy)] };
  }
  const malformed = notAnObject(object) ?? notServed(object as unknown as KubeObject);
  if (malformed) return { state: 'broken', findings: [findingOf(malformed, document)] };
  const { apiVersion, kind, metadata } = object as unknown as KubeObject;
  const name = metadata.name ?? metadata.generateName;
  const between = (): LocatedFinding[] => (world ? betweenOthers(document, context, world) : []);
  if (!isOurs({ apiVersion, kind, metadata })) return { kind, name, state: 'other', findings: between() };
  const admitted = admit(object as unknown as KubeObject, context);
  const lacked = target ? lackedBy(target, object as unknown as KubeObject) : [];
  const errors = [...admitted.errors, ...lacked];
  const warnings = warningsOf(admitted, context);
  return {
    kind,
    name: typeof name === 'string' ? name : undefined,
    state: errors.length > 0 ? 'refused' : 'valid',
    findings: [
      ...errors.map((error) => findingOf(error, document)),
      ...warnings.map((message) => ({
        ...finding('warning', document.locate([]), '', message, ''),
        severity: 'warning' as const,
      })),
      // first what the object is by itself
      ...(admitted.errors.length > 0 ? [] : between()),
    ],
  };
}

function betweenOthers(document: ManifestDocument, { config }: AdmissionContext, world: World): LocatedFinding[] {
  const object = document.object as unknown as KubeObject;
  if (!isNeighbour(object)) return [];
  return lintAccepted(object, config, world).map((error) => ({
    ...findingOf(error, document),
    severity: 'warning' as const,
  }));
}

function findingOf(
  { rule, path, cause: message, remedy, allowed }: Finding,
  document: ManifestDocument,
): LocatedFinding {
  return {
    ...finding(rule, document.locate(path.parts), `${path}`, brief(message), remedy),
    ...(allowed?.length ? { allowed } : {}),
  };
}

function finding(rule: RuleId, at: Position, field: string, message: string, remedy: string): LocatedFinding {
  return { at, field, message, remedy, rule, severity: 'error' };
}
