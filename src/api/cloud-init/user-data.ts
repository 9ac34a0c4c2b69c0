import type { Finding, Path } from '../findings';
import { isDnsSubdomain } from '../names';
import { zoneExists } from '../time-zone';
import { moduleMistakes } from './modules';
import { validatePlain } from './plain';
import { validateDocument } from './schema';
import { secretsInConfig, secretsInText, secretsInYaml } from './secrets';
import { publicKeyProblem } from './ssh-key';

/** Checks beyond the schema. */
export interface UserDataContext {
  /** Whether the data is stored in a Secret, so that it may contain secrets. */
  readonly secret: boolean;
}

type Config = Readonly<Record<string, unknown>>;

/** Returns the mistakes in a cloud-config: by cloud-init's schema, and by the rules of its modules. */
export function validateCloudConfig(config: Config, at: Path, { secret }: UserDataContext): Finding[] {
  const strange = validatePlain(config, at);
  if (strange.length > 0) return strange;
  return [...validateConfigKeys(config, at), ...(secret ? [] : secretsInConfig(config, at))];
}

/** The same for a document parsed from YAML, without the check for secrets. */
export function validateConfigKeys(config: Config, at: Path): Finding[] {
  return [
    ...validateDocument('cloudConfig', config, at),
    ...usersTwice(config.users, at.at('users')),
    ...usersCanWork(config.users, at.at('users')),
    ...passwordLogin(config.ssh_pwauth, at.at('ssh_pwauth')),
    ...packageNames(config.packages, at.at('packages')),
    ...publicKeys(config, at),
    ...files(config.write_files, at.at('write_files')),
    ...mounts(config.mounts, at.at('mounts')),
    ...hostNames(config, at),
    ...timeZone(config.timezone, at.at('timezone')),
    ...moduleMistakes(config, at),
  ];
}

/** First lines by which cloud-init recognizes a format. */
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

/** Whether cloud-init recognizes the format by the first line. */
export function isHeader(text: string): boolean {
  const [first] = text.split(/\r?\n/, 1);
  const known = HEADERS.some((header) => first.toLowerCase().startsWith(header.toLowerCase()));
  return known || /^MIME-Version:/i.test(first);
}

/** Reports a first line that cloud-init does not recognize. */
export function validateHeader(text: string, at: Path): Finding[] {
  if (isHeader(text)) return [];
  const [first] = text.split(/\r?\n/, 1);
  const isNear = /^\s*#?\s*cloud[-_ ]?config\s*$/i.test(first);
  return [
    {
      rule: 'cloud-init-header',
      path: at,
      allowed: HEADERS,
      cause: 'the first line is not one by which cloud-init recognizes the format',
      remedy: isNear
        ? 'write #cloud-config, without spaces'
        : 'begin with #cloud-config, or with #! and an interpreter',
    },
  ];
}

/** Reports passwords and private keys in user data of any form, by its first line. */
export function secretsInUserData(text: string, at: Path): Finding[] {
  const [first] = text.split(/\r?\n/, 1);
  return /^#cloud-config\s*$/.test(first) || first.startsWith('##') ? secretsInYaml(text, at) : secretsInText(text, at);
}

/** Size limit of a Secret or ConfigMap: Kubernetes' MaxSecretSize. */
const OBJECT_LIMIT = 1024 * 1024;

/** Reports data that is too large for an object of the cluster. */
export function validateSize(texts: readonly (string | undefined)[], at: Path): Finding[] {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  if (bytes <= OBJECT_LIMIT) return [];
  const message = `has ${bytes} bytes, but an object of the cluster holds at most ${OBJECT_LIMIT}`;
  const remedy = 'put large files on a disk, or download them in the guest';
  return [{ rule: 'cloud-init-object-size', type: 'FieldValueTooLong', path: at, cause: message, remedy }];
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Config)[key] : undefined;
}

/** Reports two users with one name: the second would change the first. */
function usersTwice(users: unknown, at: Path): Finding[] {
  const names = items(users).map((user) => (typeof user === 'string' ? user : field(user, 'name')));
  return names.flatMap((name, i): Finding[] => {
    if (typeof name !== 'string' || names.indexOf(name) === i) return [];
    const remedy = 'merge the two users';
    return [
      {
        rule: 'cloud-user-unique',
        type: 'FieldValueDuplicate',
        path: at.at(i),
        cause: `"${name}" is listed twice`,
        remedy,
      },
    ];
  });
}

/** Reports relative paths, which cc_write_files takes from /, and invalid modes, which it ignores. */
function files(value: unknown, at: Path): Finding[] {
  return items(value).flatMap((file, i): Finding[] => {
    const [path, mode] = [field(file, 'path'), field(file, 'permissions')];
    const errors: Finding[] = [];
    if (typeof path === 'string' && !path.startsWith('/')) {
      const message = 'is not an absolute path';
      errors.push({ rule: 'cloud-file-path', path: at.at(i, 'path'), cause: message, remedy: 'begin with /' });
    }
    if (typeof mode === 'string' && !/^(0o)?[0-7]{3,5}$/.test(mode)) {
      const [message, remedy] = ['is not a mode in octal digits', "write it like '0644'"];
      errors.push({ rule: 'cloud-file-mode', path: at.at(i, 'permissions'), cause: message, remedy });
    }
    const content = field(file, 'content');
    if (BASE64.test(String(field(file, 'encoding'))) && typeof content === 'string' && !isBase64(content)) {
      const [cause, remedy] = ['is not base64, but encoding says so', 'encode it, or leave encoding out'];
      errors.push({ rule: 'cloud-file-content', path: at.at(i, 'content'), cause, remedy });
    }
    return errors;
  });
}

/** Matches encodings of a file's content that are, or contain, base64. */
const BASE64 = /^(gz(ip)?\+)?b(ase)?64$/;
const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/]*={0,2}$/.test(text.replace(/\s/g, ''));

/** Reports keys that sshd cannot read, with which nobody can log in. */
function publicKeys(config: Config, at: Path): Finding[] {
  const lists = [
    [config.ssh_authorized_keys, at.at('ssh_authorized_keys')] as const,
    ...items(config.users).flatMap((user, i) =>
      ['ssh_authorized_keys', 'ssh-authorized-keys'].map((key) => [field(user, key), at.at('users', i, key)] as const),
    ),
  ];
  return lists.flatMap(([list, path]) =>
    items(list).flatMap((key, i): Finding[] => {
      const problem = typeof key === 'string' ? publicKeyProblem(key) : undefined;
      if (problem === undefined) return [];
      const remedy = 'use a line of authorized_keys, such as the content of id_ed25519.pub';
      return [{ rule: 'cloud-user-key', path: path.at(i), cause: problem, remedy }];
    }),
  );
}

/** What useradd and sudo read: a shell without its path does not start, and sudo with a broken rule refuses everybody. */
function usersCanWork(users: unknown, at: Path): Finding[] {
  return (Array.isArray(users) ? users : []).flatMap((user: unknown, i): Finding[] => {
    if (typeof user !== 'object' || user === null) return [];
    const { shell, sudo } = user as Config;
    const rules = Array.isArray(sudo) ? (sudo as unknown[]) : [sudo];
    const broken = rules.findIndex((rule) => typeof rule === 'string' && !isSudoRule(rule));
    const path = at.at(i, 'sudo');
    return [
      ...(typeof shell !== 'string' || shell === '' || shell.startsWith('/')
        ? []
        : [
            {
              rule: 'cloud-user-shell',
              path: at.at(i, 'shell'),
              value: shell,
              cause: 'is not an absolute path: nobody can log in',
              remedy: `write it like /bin/${shell}`,
            } as const,
          ]),
      ...(broken < 0
        ? []
        : [
            {
              rule: 'cloud-user-sudo',
              path: Array.isArray(sudo) ? path.at(broken) : path,
              value: rules[broken],
              cause: 'is not a rule of sudoers: sudo works for nobody then',
              remedy: 'write it like ALL=(ALL) NOPASSWD:ALL, without the name of the user',
            } as const,
          ]),
    ];
  });
}

/** `HOSTS=(RUNAS) TAG:COMMANDS`: tags end with a colon. */
function isSudoRule(text: string): boolean {
  const rule = text.trim();
  if (rule === '' || /^(false|none)$/i.test(rule)) return true;
  // cloud-init writes the name of the user before the rule: the hosts are one word, or a list with commas
  const [hosts] = rule.split('=');
  if (/[^,\s]\s+[^,\s]/.test(hosts.trim())) return false;
  return rule.includes('=') && !/\b(NOPASSWD|PASSWD|SETENV|NOSETENV|EXEC|NOEXEC)\b(?!\s*:)/.test(rule);
}

function passwordLogin(value: unknown, at: Path): Finding[] {
  if (typeof value !== 'string' || PASSWORD_LOGIN.includes(value.toLowerCase())) return [];
  const remedy = 'write true or false';
  return [{ rule: 'cloud-init-enum', path: at, value, cause: 'says neither yes nor no', remedy }];
}

const PASSWORD_LOGIN = ['true', 'false', 'yes', 'no', 'on', 'off', '1', '0', 'unchanged'];

/** Each item is one package: the package manager gets it as one argument. */
function packageNames(packages: unknown, at: Path): Finding[] {
  return (Array.isArray(packages) ? packages : []).flatMap((name: unknown, i): Finding[] => {
    if (typeof name !== 'string' || !/\S\s+\S/.test(name)) return [];
    const cause = 'contains a space, and is installed as one package';
    return [{ rule: 'cloud-package-name', path: at.at(i), value: name, cause, remedy: 'write an item for each' }];
  });
}

/** Linux' HOST_NAME_MAX. */
const LONGEST_HOST = 64;

/** Reports names that hostnamectl rejects; the guest would keep the name of its image. */
function hostNames(config: Config, at: Path): Finding[] {
  return (['hostname', 'fqdn'] as const).flatMap((key): Finding[] => {
    const name = config[key];
    const most = key === 'hostname' ? LONGEST_HOST : 253;
    if (typeof name !== 'string' || (isDnsSubdomain(name.toLowerCase()) && name.length <= most)) return [];
    const cause = 'is not a host name';
    const remedy = `use letters, digits, dashes and dots, at most ${most} characters`;
    return [{ rule: 'cloud-host-name', path: at.at(key), cause, remedy }];
  });
}

function timeZone(value: unknown, at: Path): Finding[] {
  if (typeof value !== 'string' || value === '' || zoneExists(value)) return [];
  const cause = 'is not a time zone, so the guest keeps UTC';
  return [{ rule: 'cloud-time-zone', path: at, cause, remedy: 'write one like Europe/Berlin' }];
}

/** A mount point must be absolute, `none` or `swap`; cc_mounts writes anything else to fstab unchanged. */
function mounts(value: unknown, at: Path): Finding[] {
  return items(value).flatMap((mount, i): Finding[] => {
    const target = items(mount)[1];
    if (typeof target !== 'string' || /^(\/.*|none|swap)$/.test(target)) return [];
    const message = 'is not a mount point';
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
