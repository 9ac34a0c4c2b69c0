/** Placeholders that a template or a shell would have replaced: `${VM_NAME}`, `{{ .Values.name }}`. */
import { mistake } from '../admission/rule';
import { type Finding, mayBeSecret, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import { isObject } from './read';

const PLACEHOLDER = /\$\{[A-Za-z_]\w*(?::?[-=?][^}]*)?\}|\{\{-?\s*[.$A-Za-z_][^{}]*\}\}|<no value>/;

/** Texts that the guest, a shell or a person reads: there they have their own meaning. */
const FREE = new Set([
  'annotations',
  'args',
  'cloudInitConfigDrive',
  'cloudInitNoCloud',
  'command',
  'config',
  'data',
  'description',
  'env',
  'initArgs',
  'kernelArgs',
  'message',
  'stringData',
]);
const LONGEST = 512;
/** Kinds whose objects are templates. */
const TEMPLATES = /^(VirtualMachineTemplate|Template|ClusterTemplate)$/;

/** Reports names, amounts and references that contain a placeholder. */
export function placeholders({ kind, metadata, ...rest }: KubeObject): Finding[] {
  if (TEMPLATES.test(kind)) return [];
  const { spec } = rest as { readonly spec?: unknown };
  const { name, namespace, labels } = metadata ?? {};
  return [...inValue({ name, namespace, labels }, root.at('metadata')), ...inValue(spec, root.at('spec'))];
}

function inValue(value: unknown, at: Path): Finding[] {
  if (typeof value === 'string') return inText(value, at);
  if (Array.isArray(value)) return value.flatMap((each, i) => inValue(each, at.at(i)));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => (FREE.has(key) ? [] : inValue(each, at.at(key))));
}

function inText(text: string, at: Path): Finding[] {
  const found = text.length > LONGEST || text.includes('\n') ? undefined : PLACEHOLDER.exec(text)?.[0];
  if (found === undefined) return [];
  const remedy = found.startsWith('$')
    ? 'set the variable and replace it first, for example with envsubst'
    : 'render the template first, for example with helm template, and validate its output';
  const isSecret = at.parts.some((part) => typeof part === 'string' && mayBeSecret(part));
  return mistake(
    'text-placeholder',
    at,
    `${found} is a placeholder that nothing has replaced`,
    remedy,
    isSecret ? {} : { value: text },
  );
}
