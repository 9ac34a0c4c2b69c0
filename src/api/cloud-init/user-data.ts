import type { Finding, Path } from '../findings';
import { closest } from '../names';
import { validatePlain } from './plain';
import { keysOf, validateDocument } from './schema';
import { secretsInConfig, secretsInText, secretsInYaml } from './secrets';

/** What is judged beyond the schema. */
export interface UserDataContext {
  /** The data goes into a Secret, so it may hold secrets. */
  readonly secret: boolean;
}

type Config = Readonly<Record<string, unknown>>;

/** Everything that is wrong with a cloud-config: by cloud-init's schema, and by what its modules do with it. */
export function validateCloudConfig(config: Config, at: Path, { secret }: UserDataContext): Finding[] {
  const strange = validatePlain(config, at);
  if (strange.length > 0) return strange;
  return [
    ...validateDocument('cloudConfig', config, at),
    ...usersTwice(config.users, at.at('users')),
    ...files(config.write_files, at.at('write_files')),
    ...mounts(config.mounts, at.at('mounts')),
    ...(secret ? [] : secretsInConfig(config, at)),
  ];
}

/** The first lines by which cloud-init knows what it got. */
const HEADERS = [
  '#cloud-config',
  '#!',
  '## template: jinja',
  '#include',
  '#include-once',
  '#cloud-boothook',
  '#cloud-config-archive',
  '#cloud-config-jsonp',
  '#part-handler',
  'Content-Type: multipart',
];

/**
 * User data as text: by its first line. Of a cloud-config the keys of the first level are checked; what they hold is not,
 * since that needs a YAML reader.
 */
export function validateUserData(text: string, at: Path, { secret }: UserDataContext): Finding[] {
  const first = text.split(/\r?\n/, 1)[0];
  const known = HEADERS.some((header) => first.toLowerCase().startsWith(header.toLowerCase()));
  if (!known && !/^MIME-Version:/i.test(first)) {
    return [
      {
        rule: 'cloud-init-header',
        path: at,
        allowed: HEADERS,
        cause: 'cloud-init does not know what this is: its first line says nothing that it knows',
        remedy: 'begin with #cloud-config, or with #! and an interpreter',
      },
    ];
  }
  const isConfig = /^#cloud-config\s*$/.test(first);
  return [
    ...(isConfig ? topLevelKeys(text, at) : []),
    ...(secret ? [] : isConfig || first.startsWith('##') ? secretsInYaml(text, at) : secretsInText(text, at)),
  ];
}

/** What a Secret or ConfigMap holds at most: Kubernetes' MaxSecretSize. */
const OBJECT_LIMIT = 1024 * 1024;

/** Data that no object of the cluster can hold. */
export function validateSize(texts: readonly (string | undefined)[], at: Path): Finding[] {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  if (bytes <= OBJECT_LIMIT) return [];
  const message = `makes ${bytes} bytes, and an object of the cluster holds ${OBJECT_LIMIT}`;
  const remedy = 'put large files on a disk, or let the guest fetch them';
  return [{ rule: 'cloud-init-object-size', type: 'FieldValueTooLong', path: at, cause: message, remedy }];
}

/** More than these say nothing new. */
const MOST_KEYS = 20;

/** Only keys of the first level begin a line of YAML without indentation. */
function topLevelKeys(text: string, at: Path): Finding[] {
  const known = keysOf('cloudConfig');
  const errors: Finding[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const key = /^['"]?([A-Za-z_][\w-]*)['"]?:(\s|$)/.exec(line)?.[1];
    if (key === undefined || known.includes(key)) continue;
    const near = closest(key, known);
    const message = `line ${i + 1}: cloud-init knows no key "${key}"`;
    const remedy = near ? `did you mean "${near}"?` : 'remove it';
    errors.push({ rule: 'cloud-init-unknown-key', path: at, cause: message, remedy });
    if (errors.length === MOST_KEYS) break;
  }
  return errors;
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Config)[key] : undefined;
}

/** The second one changes the first. */
function usersTwice(users: unknown, at: Path): Finding[] {
  const names = items(users).map((user) => (typeof user === 'string' ? user : field(user, 'name')));
  return names.flatMap((name, i): Finding[] => {
    if (typeof name !== 'string' || names.indexOf(name) === i) return [];
    const remedy = 'put its keys into one user';
    return [
      {
        rule: 'cloud-user-unique',
        type: 'FieldValueDuplicate',
        path: at.at(i),
        cause: `"${name}" is there twice`,
        remedy,
      },
    ];
  });
}

/** A relative path is one below /, and a mode that is none is ignored: cc_write_files. */
function files(value: unknown, at: Path): Finding[] {
  return items(value).flatMap((file, i): Finding[] => {
    const [path, mode] = [field(file, 'path'), field(file, 'permissions')];
    const errors: Finding[] = [];
    if (typeof path === 'string' && !path.startsWith('/')) {
      const message = 'is no absolute path';
      errors.push({ rule: 'cloud-file-path', path: at.at(i, 'path'), cause: message, remedy: 'begin with /' });
    }
    if (typeof mode === 'string' && !/^(0o)?[0-7]{3,5}$/.test(mode)) {
      const [message, remedy] = ['is no mode in octal digits', "write it like '0644'"];
      errors.push({ rule: 'cloud-file-mode', path: at.at(i, 'permissions'), cause: message, remedy });
    }
    return errors;
  });
}

/** A mount point is absolute, `none` or `swap`; cc_mounts writes anything else to fstab as it is. */
function mounts(value: unknown, at: Path): Finding[] {
  return items(value).flatMap((mount, i): Finding[] => {
    const target = items(mount)[1];
    if (typeof target !== 'string' || /^(\/.*|none|swap)$/.test(target)) return [];
    const message = 'is no mount point';
    return [
      {
        rule: 'cloud-mount-point',
        path: at.at(i, 1),
        cause: message,
        remedy: 'write an absolute path, or none for swap',
      },
    ];
  });
}
