/** First-boot configuration of a guest. Pure. */
import { parse } from 'yaml';
import { equal, isFields } from '../difference';
import { call, type Expression, object, value } from '../expression';
import { textOf } from '../literal';
import type { Surroundings } from './kind';
import { choice, each, type Fields, fieldsOf, flag, itemsOf, number, some, text, texts } from './values';

/** Default name of the disk that the property creates. */
const DISK = 'cloudinit';

interface Renders {
  _renderVolume(name: string): unknown;
  _secretData(): unknown;
}

/** Returns the property if it renders the last disk of the guest. */
export function cloudInitOf(spec: Fields, preferred: boolean, around: Surroundings): Expression | undefined {
  const disk = itemsOf(fieldsOf(fieldsOf(spec.domain).devices).disks)?.at(-1);
  const volume = itemsOf(spec.volumes)?.at(-1);
  const name = volume?.name;
  if (!volume || typeof name !== 'string' || disk?.name !== name) return undefined;
  if (volume.cloudInitConfigDrive === undefined && volume.cloudInitNoCloud === undefined) return undefined;
  if (!equal(disk, { name, disk: preferred ? {} : { bus: 'virtio' } })) return undefined;
  const isDrive = volume.cloudInitConfigDrive !== undefined;
  const { userData, networkData, secretRef, networkDataSecretRef } = fieldsOf(
    volume.cloudInitConfigDrive ?? volume.cloudInitNoCloud,
  );
  const source = isDrive ? around.choice('CloudInitSource', 'cloudInitConfigDrive') : undefined;
  const diskName = name === DISK ? undefined : value(name);
  const network = parsed(networkData);
  const networkConfig = network && value(network);
  const secret = fieldsOf(secretRef ?? networkDataSecretRef).name;
  const made = [
    typeof secret === 'string'
      ? call(
          'CloudInit.fromSecret',
          around.reference('Secret', secret),
          object({
            source,
            userData: secretRef === undefined ? value(false) : undefined,
            networkData: networkDataSecretRef === undefined ? undefined : value(true),
            diskName,
          }),
        )
      : undefined,
    typed(isDrive ? 'configDrive' : 'noCloud', userData, { networkConfig, diskName }, around),
    typeof userData === 'string'
      ? call('CloudInit.raw', textOf(userData, `${around.name} userData`), object({ source, networkConfig, diskName }))
      : undefined,
  ];
  for (const each of made) {
    // the construct would move larger data to a Secret
    const render = (cloudInit: Renders): unknown => [cloudInit._renderVolume(name), cloudInit._secretData() ?? null];
    const exact = each && around.exact(each, [volume, null], render);
    if (exact) return exact;
  }
  return undefined;
}

function parsed(data: unknown): Fields | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const read: unknown = parse(data, { version: '1.1' });
    return isFields(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Maps cloud-config key by key, if its text has the format that constructs write. */
function typed(
  factory: string,
  userData: unknown,
  options: Readonly<Record<string, Expression | undefined>>,
  around: Surroundings,
): Expression | undefined {
  if (typeof userData !== 'string' || !userData.startsWith('#cloud-config\n')) return undefined;
  const config = parsed(userData);
  if (!config) return undefined;
  const known: Readonly<Record<string, readonly [property: string, expression: Expression | undefined]>> = {
    hostname: ['hostname', text(config.hostname)],
    fqdn: ['fqdn', text(config.fqdn)],
    timezone: ['timezone', text(config.timezone)],
    locale: ['locale', text(config.locale)],
    users: ['users', each(config.users, (user) => userOf(user, around))],
    packages: ['packages', texts(config.packages)],
    package_update: ['packageUpdate', flag(config.package_update)],
    package_upgrade: ['packageUpgrade', flag(config.package_upgrade)],
    write_files: ['writeFiles', each(config.write_files, (file) => fileOf(file, around))],
    bootcmd: ['bootcmd', commands(config.bootcmd)],
    runcmd: ['runcmd', commands(config.runcmd)],
  };
  const root = itemsOf(config.users)?.some(({ name }) => name === 'root') === true;
  const rest = Object.entries(config).filter(
    ([key]) => !(Object.hasOwn(known, key) && known[key]![1]) && !(root && key === 'disable_root'),
  );
  const props = Object.fromEntries(Object.values(known));
  return call(
    `CloudInit.${factory}`,
    object({ ...props, raw: rest.length > 0 ? value(Object.fromEntries(rest)) : undefined, ...options }),
  );
}

const commands = (given: unknown): Expression | undefined =>
  Array.isArray(given) && given.every((item) => typeof item === 'string' || texts(item)) ? value(given) : undefined;

function fileOf(file: Fields, around: Surroundings): Expression | undefined {
  const { path, content, encoding, permissions, owner, append, defer } = file;
  if (typeof path !== 'string' || typeof content !== 'string') return undefined;
  return object({
    path: value(path),
    content: value(content),
    encoding: choice(around, 'CloudFileEncoding', encoding),
    permissions: permissions === '0644' ? undefined : text(permissions),
    owner: text(owner),
    append: flag(append),
    defer: flag(defer),
  });
}

function userOf(user: Fields, around: Surroundings): Expression | undefined {
  const { name, sudo } = user;
  if (typeof name !== 'string') return undefined;
  const isUsual = sudo === 'ALL=(ALL) NOPASSWD:ALL' || name === 'root' || user.system === true;
  const options = some({
    sshKeys: texts(user.ssh_authorized_keys),
    sshImportIds: texts(user.ssh_import_id),
    sudo: isUsual || sudo !== undefined ? undefined : value(false),
    sudoRules: texts(sudo),
    groups: texts(user.groups),
    primaryGroup: text(user.primary_group),
    shell: text(user.shell),
    gecos: text(user.gecos),
    homeDirectory: text(user.homedir),
    createHome: user.no_create_home === true ? value(false) : undefined,
    uid: number(user.uid),
    system: flag(user.system),
    lockPassword: flag(user.lock_passwd),
    expires: text(user.expiredate),
  });
  const made = call('CloudUser.named', value(name), options);
  return around.exact<{ _render(): unknown }>(made, user, (each) => each._render());
}
