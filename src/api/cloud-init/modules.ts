/** What the modules of cloud-init reject or ignore in the guest, although the schema accepts it. */
import type { Finding, Path, RuleId } from '../findings';

type Config = Readonly<Record<string, unknown>>;

const none: readonly Finding[] = [];
const isConfig = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const finding = (rule: RuleId, path: Path, cause: string, remedy: string): Finding[] => [{ rule, path, cause, remedy }];

/** Returns the mistakes in the values of a cloud-config, and between its keys. */
export function moduleMistakes(config: Config, at: Path): readonly Finding[] {
  return [
    ...(config.users === undefined ? none : users(config, at)),
    ...(config.groups === undefined ? none : groups(config.groups, at.at('groups'))),
    ...(config.write_files === undefined ? none : overwritten(config.write_files, at.at('write_files'))),
    ...(config.ssh_import_id === undefined ? none : importIds(config.ssh_import_id, at.at('ssh_import_id'))),
    ...(isConfig(config.disk_setup) ? layouts(config.disk_setup, at.at('disk_setup')) : none),
    ...(isConfig(config.swap) ? swap(config.swap, at.at('swap')) : none),
    ...(isConfig(config.ntp) ? ntp(config.ntp, at.at('ntp')) : none),
    ...(isConfig(config.apt) ? apt(config.apt, at.at('apt')) : none),
    ...(isConfig(config.ca_certs) ? authorities(config.ca_certs, at.at('ca_certs')) : none),
  ];
}

function users(config: Config, at: Path): readonly Finding[] {
  const list = items(config.users);
  const named = list.filter(isConfig);
  return [
    ...list.flatMap((user, i) => (isConfig(user) ? oneUser(user, at.at('users', i)) : [])),
    ...sameIds(list, at.at('users')),
    ...ownerless(config, list, at),
    ...(config.disable_root === true && named.some((user) => user.name === 'root' && hasKeys(user))
      ? finding(
          'cloud-root-keys',
          at.at('disable_root'),
          'rejects every login as root, and the user root has ssh keys',
          'leave it out, or remove the keys of root',
        )
      : none),
  ];
}

const hasKeys = (user: Config): boolean =>
  [user.ssh_authorized_keys, user['ssh-authorized-keys']].some((keys) => items(keys).length > 0);

/** As groupadd and useradd accept them. */
const GROUP = /^[A-Za-z_][\w.-]*\$?$/;

function oneUser(user: Config, at: Path): readonly Finding[] {
  const { homedir, primary_group: primary } = user;
  const groupNames = [
    ...items(user.groups).map((name, i) => [name, at.at('groups', i)] as const),
    [primary, at.at('primary_group')] as const,
  ];
  return [
    ...groupNames.flatMap(([name, path]) =>
      typeof name !== 'string' || name === '' || GROUP.test(name.trim()) ? [] : notGroup(name, path),
    ),
    ...(typeof homedir !== 'string' || homedir === '' || homedir.startsWith('/')
      ? none
      : finding('cloud-user-home', at.at('homedir'), 'is not an absolute path, so useradd fails', 'begin with /')),
    ...importIds(user.ssh_import_id, at.at('ssh_import_id')),
  ];
}

function notGroup(name: string, path: Path): Finding[] {
  const isList = /[,\s]/.test(name.trim());
  const cause = isList ? 'is several names in one, so useradd fails' : 'is not the name of a group';
  return finding('cloud-user-group', path, cause, isList ? 'write an item for each' : 'use letters, digits and dashes');
}

/** Names of groups: a text with commas, a list, or a map of members. */
function groups(value: unknown, at: Path): readonly Finding[] {
  const names = isConfig(value)
    ? Object.keys(value).map((name) => [name, at.at(name)] as const)
    : items(value).flatMap((each, i) =>
        (isConfig(each) ? Object.keys(each) : [each]).map((name) => [name, at.at(i)] as const),
      );
  return names.flatMap(([name, path]) => (typeof name !== 'string' || GROUP.test(name) ? [] : notGroup(name, path)));
}

/** useradd fails for the second user with an id. */
function sameIds(list: readonly unknown[], at: Path): readonly Finding[] {
  const ids = list.map((user) => (isConfig(user) && user.uid !== undefined ? String(user.uid) : undefined));
  return ids.flatMap((id, i) =>
    id === undefined || ids.indexOf(id) === i
      ? []
      : finding('cloud-user-uid', at.at(i, 'uid'), 'is the id of an earlier user, so useradd fails', 'choose another'),
  );
}

/** Keys outside of `users` belong to the image's own user. */
function ownerless(config: Config, list: readonly unknown[], at: Path): readonly Finding[] {
  if (items(config.ssh_authorized_keys).length === 0 || config.disable_root === false) return none;
  const hasDefault = list.some((user) => (isConfig(user) ? user.default === true : String(user) === 'default'));
  if (hasDefault || !Array.isArray(config.users)) return none;
  const cause = "belong to the image's own user, which is not created: users does not contain it";
  const remedy = 'add it (defaultUser: true, or the item default in users), or give the keys to one of the users';
  return finding('cloud-user-default', at.at('ssh_authorized_keys'), cause, remedy);
}

function importIds(value: unknown, at: Path): readonly Finding[] {
  return items(value).flatMap((id, i) => {
    if (typeof id !== 'string' || !/[:/]/.test(id) || /^(gh|lp):[^\s:/]+$/.test(id)) return [];
    const cause = 'is not an account that ssh-import-id knows, so no key is imported';
    return finding('cloud-ssh-import', at.at(i), cause, 'write gh:NAME for GitHub, or lp:NAME for Launchpad');
  });
}

/** Returns the paths of files that are written before cloud-init creates their owners, so that it skips them. */
export function filesWithoutOwner(config: unknown): string[] {
  const { users: listed, write_files: written } = isConfig(config) ? config : {};
  const created = new Set(items(listed).flatMap((user) => (isConfig(user) && user.name !== 'root' ? user.name : [])));
  return items(written).flatMap((file) => {
    const owner = isConfig(file) && typeof file.owner === 'string' ? file.owner.split(':')[0] : '';
    return isConfig(file) && file.defer !== true && created.has(owner) ? String(file.path) : [];
  });
}

/** Reports a file that a later one replaces. */
function overwritten(value: unknown, at: Path): readonly Finding[] {
  if (!Array.isArray(value) || value.length < 2) return none;
  const list = value.map((file): Config => (isConfig(file) ? file : {}));
  // deferred files are written last
  const order = list.map((_, i) => i).sort((a, b) => Number(list[a].defer === true) - Number(list[b].defer === true));
  const written = new Set<unknown>();
  return order.flatMap((i) => {
    const { path, append } = list[i];
    const isFirst = !written.has(path);
    written.add(path);
    if (typeof path !== 'string' || isFirst || append === true) return [];
    const cause = 'is the path of another file, whose content is lost';
    return finding('cloud-file-unique', at.at(i, 'path'), cause, 'merge the two files, or add append: true');
  });
}

const layouts = (setup: Config, at: Path): readonly Finding[] =>
  Object.entries(setup).flatMap(([device, each]) => {
    const parts = items(isConfig(each) ? each.layout : undefined);
    const sum = parts.reduce<number>((total, part) => total + Number(Array.isArray(part) ? part[0] : part), 0);
    if (!(sum > 100)) return [];
    const cause = `the partitions take ${sum} percent of the disk`;
    return finding('cloud-disk-percent', at.at(device, 'layout'), cause, 'use at most 100 percent together');
  });

const swap = ({ filename }: Config, at: Path): readonly Finding[] =>
  typeof filename !== 'string' || filename.startsWith('/')
    ? none
    : finding('cloud-swap-file', at.at('filename'), 'is not an absolute path', 'begin with /');

const ntp = ({ enabled, servers, pools }: Config, at: Path): readonly Finding[] =>
  enabled !== false || items(servers).length + items(pools).length === 0
    ? none
    : finding(
        'cloud-ntp-disabled',
        at.at('enabled'),
        'disables time synchronization, so servers and pools are ignored',
        'remove it, or remove servers and pools',
      );

function apt({ sources }: Config, at: Path): readonly Finding[] {
  return Object.entries(isConfig(sources) ? sources : {}).flatMap(([name, each]) => {
    if (!isConfig(each)) return [];
    const path = at.at('sources', name);
    return [...aptSource(each.source, path.at('source')), ...aptKey(each, path)];
  });
}

/** cloud-init writes the text to a file of apt, which reads nothing if one of them is broken. */
function aptSource(source: unknown, path: Path): readonly Finding[] {
  if (typeof source !== 'string') return none;
  const text = source.trim();
  const broken = (cause: string, remedy: string): Finding[] => finding('cloud-apt-source', path, cause, remedy);
  const example = 'write a line such as deb https://packages.example/debian trixie main';
  if (/^(https?:\/\/|\/|file:)/.test(text)) return broken('is not a line of sources.list', example);
  if (!/^deb(-src)?\s/.test(text) || text.includes('\n')) return none;
  const [, , suite, ...components] = text.replace(/\[[^\]]*\]\s*/, '').split(/\s+/);
  if (suite === undefined) return broken('lacks the suite', example);
  if (components.length === 0 && !suite.endsWith('/')) return broken('lacks the component', example);
  return none;
}

function aptKey({ keyid }: Config, at: Path): readonly Finding[] {
  if (typeof keyid !== 'string' || /^(0x)?[\dA-F]{4,40}$/i.test(keyid.replaceAll(' ', ''))) return none;
  const remedy = 'write its 40 hexadecimal digits';
  return finding('cloud-apt-key', at.at('keyid'), 'is not a fingerprint', remedy);
}

const authorities = ({ trusted }: Config, at: Path): readonly Finding[] =>
  items(trusted).flatMap((text, i) =>
    typeof text !== 'string' || text.includes('-----BEGIN ')
      ? []
      : finding(
          'cloud-ca-certificate',
          at.at('trusted', i),
          'is not a certificate in PEM: the guest does not read files of this machine',
          "pass the content of the file: readFileSync('ca.pem', 'utf8')",
        ),
  );
