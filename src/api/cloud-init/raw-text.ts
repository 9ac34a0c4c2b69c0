/** Cloud-init data that was written as text: parsed as cloud-init parses it, then validated like typed data. */
import { Path, type Finding } from '../findings';
import { type MimePart, readMultipart } from './mime';
import { type NetworkSource, validateNetwork } from './network';
import { isHeader, secretsInUserData, type UserDataContext, validateConfigKeys, validateHeader } from './user-data';
import { readYaml, type YamlText } from './yaml-text';

/** Limit of findings for one document. */
const MOST_FINDINGS = 20;
const documentRoot = Path.of();

/** Validates user data of any form, by its first line. The findings contain the line number and never repeat a value. */
export function validateUserText(text: string, at: Path): Finding[] {
  return elsewhere(text) ? [] : byHeader(text, at, '').slice(0, MOST_FINDINGS);
}

/** The same, and also reports secrets, which must not be readable in a manifest. */
export function validateUserData(text: string, at: Path, { secret }: UserDataContext): Finding[] {
  return [...validateUserText(text, at), ...(secret ? [] : secretsInUserData(text, at))];
}

/** Whether the document is for another program than cloud-init. */
export function elsewhere(text: string): boolean {
  // gzip; Ignition; Talos; cloudbase-init on Windows
  return (
    /^\x1f[\x8b\ufffd]/.test(text) ||
    /^\s*\{\s*"ignition"/.test(text) ||
    (/^machine:/m.test(text) && /^version:\s*v1alpha1/m.test(text)) ||
    /^\s*(#ps1|rem cmd|<powershell>|<script>)/i.test(text)
  );
}

function byHeader(text: string, at: Path, where: string): Finding[] {
  if (isMultipart(text)) return multipart(text, at);
  const header = validateHeader(text, at).map((finding) => within(finding, where));
  if (header.length > 0) return header;
  const [first] = text.split('\n', 1);
  if (/^## template: jinja/i.test(first)) {
    const rest = text.slice(first.length + 1);
    return isHeader(rest) ? [] : validateHeader(rest, at).map((finding) => within(finding, where));
  }
  if (first.startsWith('#!')) return script(first, at, where, text);
  if (!/^#cloud-config(\s|$)/i.test(first)) return [];
  if (/^#cloud-config\s+[a-z_]+:(\s|$)/i.test(first)) {
    const cause = `${where}line 1: keys behind #cloud-config are a part of this comment, which cloud-init ignores`;
    return [{ rule: 'cloud-init-header', path: at, cause, remedy: KEEP_LINES }];
  }
  return cloudConfig(text, at, where);
}

const within = (finding: Finding, where: string): Finding => ({ ...finding, cause: `${where}${finding.cause}` });

const isMultipart = (text: string): boolean =>
  /^(content-type:\s*multipart\/|mime-version:)/im.test(text.slice(0, 4096)) && !text.startsWith('#');

function cloudConfig(text: string, at: Path, where: string): Finding[] {
  const template = /\{\{-?\s*(?:v1|ds)\.|\{%-?\s*(?:if|for|set)\b/.exec(text);
  if (template) {
    const line = text.slice(0, template.index).split('\n').length;
    const cause = `${where}line ${line}: cloud-init replaces {{ … }} only in a jinja template`;
    return [
      { rule: 'cloud-init-jinja', path: at, cause, remedy: 'begin with ## template: jinja, above #cloud-config' },
    ];
  }
  const document = readYaml(text);
  const syntax = syntaxOf(document, at, where);
  if (syntax.length > 0 || document.value === null) return syntax;
  if (typeof document.value !== 'object' || Array.isArray(document.value)) {
    const remedy = 'write keys, such as packages: [nginx]';
    const cause = `${where}must be a map of keys, is ${Array.isArray(document.value) ? 'a list' : 'a text'}`;
    return [{ rule: 'cloud-init-type', path: at, cause, remedy }];
  }
  const found = validateConfigKeys(document.value as Readonly<Record<string, unknown>>, documentRoot);
  return [
    ...[...found, ...decimalModes(document)]
      .filter((finding) => !isConverted(finding))
      .map((finding) => inText(finding, document, at, where)),
    ...duplicates(document, at, where),
  ];
}

/** Whether cloud-init silently converts a value that the schema rejects: `permissions: 0644` and the numbers of a mount. */
function isConverted({ rule, path }: Finding): boolean {
  const [first, , third] = path.parts;
  if (rule !== 'cloud-init-type') return false;
  return (first === 'write_files' && third === 'permissions') || (first === 'mounts' && path.parts.length === 3);
}

/** Reports `permissions: 644`, a decimal number that is 01204 in octal digits. */
function decimalModes(document: YamlText): Finding[] {
  const files = (document.value as { write_files?: unknown }).write_files;
  return (Array.isArray(files) ? files : []).flatMap((_, i): Finding[] => {
    const path = Path.of('write_files', i, 'permissions');
    const mode = (files as { permissions?: unknown }[])[i]?.permissions;
    const written = document.sourceOf(path.parts) ?? '';
    if (typeof mode !== 'number' || !/^[1-7][0-7]{2,3}$/.test(written) || written === '420') return [];
    const cause = 'is a decimal number, but a mode has octal digits';
    return [{ rule: 'cloud-file-mode', path, cause, remedy: `write '0${written}', in quotes` }];
  });
}

/** Validates network configuration as text; that of ConfigDrive is JSON, which is also YAML. */
export function validateNetworkText(text: string, at: Path, source: NetworkSource): Finding[] {
  const document = readYaml(text);
  const syntax = syntaxOf(document, at, '');
  if (syntax.length > 0) return syntax;
  if (typeof document.value !== 'object' || document.value === null || Array.isArray(document.value)) {
    const cause = 'must be a map with version: 1 or 2, but has no keys';
    return [{ rule: 'cloud-network-format', path: at, cause, remedy: 'write version: 2 and ethernets' }];
  }
  const found = validateNetwork(document.value as Readonly<Record<string, unknown>>, documentRoot, source);
  return [...found.map((finding) => inText(finding, document, at, '')), ...duplicates(document, at, '')].slice(
    0,
    MOST_FINDINGS,
  );
}

function syntaxOf({ problem }: YamlText, at: Path, where: string): Finding[] {
  if (!problem) return [];
  const { line, cause, remedy } = problem;
  return [
    { rule: 'cloud-init-syntax', path: at, ...lineIn(line, where), cause: `${where}line ${line}: ${cause}`, remedy },
  ];
}

function inText(finding: Finding, document: YamlText, at: Path, where: string): Finding {
  const { path, cause } = finding;
  const key = `${path}` === '' ? '' : `${path}: `;
  const { value: _, ...rest } = finding;
  const line = document.lineOf(path.parts);
  return { ...rest, path: at, ...lineIn(line, where), cause: `${where}line ${line}: ${key}${cause}` };
}

/** Line of the field's text; the lines of a part are counted from its own start. */
const lineIn = (line: number, where: string): Pick<Finding, 'line'> => (where === '' ? { line } : {});

function duplicates(document: YamlText, at: Path, where: string): Finding[] {
  return document.duplicates.slice(0, MOST_FINDINGS).map((path) => ({
    rule: 'cloud-init-key-unique',
    type: 'FieldValueDuplicate',
    path: at,
    ...lineIn(document.lineOf(path), where),
    cause: `${where}line ${document.lineOf(path)}: ${Path.of(...path)}: the key is written twice, and the last value wins`,
    remedy: 'put both values under one key',
  }));
}

/** A folded text (`>`) has one line. */
const KEEP_LINES = 'begin every key and command on a line of its own; in YAML, begin the text with | and not with >';

function script(first: string, at: Path, where: string, text: string): Finding[] {
  const rule = 'cloud-init-interpreter';
  if (first.endsWith('\r')) {
    const cause = `${where}line 1: ends with a carriage return, so the kernel does not find the interpreter`;
    return [{ rule, path: at, cause, remedy: 'write the script with Unix line endings (LF)' }];
  }
  if (text.trim() === first.trim() && /\s\S+\s+\S/.test(first.replace(/^#!\s*/, ''))) {
    const cause = `${where}line 1: the script has no commands: they are arguments of the interpreter`;
    return [{ rule, path: at, cause, remedy: KEEP_LINES }];
  }
  if (/^#!\s*\//.test(first)) return [];
  const cause = `${where}line 1: #! is not followed by the absolute path of an interpreter`;
  return [{ rule, path: at, cause, remedy: 'write #!/bin/sh or #!/usr/bin/env bash' }];
}

/** Content types that cloud-init has a handler for. */
const TYPES = [
  'text/cloud-config',
  'text/cloud-config-archive',
  'text/cloud-config-jsonp',
  'text/cloud-boothook',
  'text/jinja2',
  'text/part-handler',
  'text/upstart-job',
  'text/x-include-once-url',
  'text/x-include-url',
  'text/x-shellscript',
  'text/x-shellscript-per-boot',
  'text/x-shellscript-per-instance',
  'text/x-shellscript-per-once',
];
/** Types for which cloud-init looks at the first line. */
const BY_FIRST_LINE = ['text/plain', 'text/x-not-multipart'];

function multipart(text: string, at: Path): Finding[] {
  const parts = readMultipart(text);
  if (!parts) {
    const remedy = 'write Content-Type: multipart/mixed; boundary="…", and begin each part with -- and the boundary';
    const cause = 'is a MIME message without parts: its header has no boundary';
    return [{ rule: 'cloud-init-multipart', path: at, cause, remedy }];
  }
  const custom = parts.some(({ type }) => type === 'text/part-handler');
  return parts.flatMap((part, i) => partOf(part, `part ${i + 1}: `, at, custom));
}

function partOf({ type, content }: MimePart, where: string, at: Path, custom: boolean): Finding[] {
  if (content === undefined || content.trim() === '' || type.startsWith('multipart/')) return [];
  if (type === 'text/cloud-config') return cloudConfig(content, at, where);
  if (type.startsWith('text/x-shellscript')) return script(content.split('\n', 1)[0], at, where, content);
  if (BY_FIRST_LINE.includes(type)) {
    return byHeader(content, at, where);
  }
  if (TYPES.includes(type) || custom) return [];
  return [
    {
      rule: 'cloud-init-multipart',
      path: at,
      allowed: TYPES,
      cause: `${where}cloud-init does not know the content type "${type}"`,
      remedy: 'use text/cloud-config or text/x-shellscript',
    },
  ];
}
