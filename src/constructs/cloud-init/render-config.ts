import { withoutUndefined } from '../../api/cloud-init/plain';
import type { Path } from '../../api/findings';
import type { CloudConfigProps } from './cloud-config';
import { CloudPackage } from './cloud-packages';
import { type Config, given } from './given';
import {
  renderAptSource,
  renderCaCerts,
  renderFile,
  renderFilesystem,
  renderGrowpart,
  renderLayout,
  renderMount,
  renderNtp,
  renderPhoneHome,
  renderPowerState,
  renderSsh,
  renderSwap,
  renderYumRepository,
} from './render-parts';
import { yamlText } from './yaml';

const filled = <T>(key: string, list: readonly T[] | undefined, render: (each: T) => unknown): Config =>
  list?.length ? { [key]: list.map(render) } : {};
const same = (each: unknown): unknown => each;

function each<T>(
  named: { readonly [name: string]: T } | undefined,
  render: (value: T) => unknown,
): Record<string, unknown> | undefined {
  return named && Object.fromEntries(Object.entries(named).map(([name, value]) => [name, render(value)]));
}

/** Renders the keys of the cloud-config. Pure. */
export function renderCloudConfig(props: CloudConfigProps): Config {
  const { users, defaultUser, packages, ssh, mounts, swap, growpart, powerState, phoneHome, caCerts, ntp } = props;
  // otherwise cloud-init would replace root's keys with a message that root cannot log in
  const root = users?.some(({ name }) => name === 'root');
  const made = [...(defaultUser ? ['default'] : []), ...(users ?? []).map((user) => user._render())];
  const sources = each(props.aptSources, renderAptSource);
  return {
    ...given('hostname', props.hostname),
    ...given('fqdn', props.fqdn),
    ...given('manage_etc_hosts', props.manageEtcHosts),
    ...given('locale', props.locale),
    ...given('timezone', props.timezone),
    ...(root ? { disable_root: false } : {}),
    ...(ssh ? renderSsh(ssh) : {}),
    ...(props.groups ? { groups: Object.entries(props.groups).map(([name, members]) => groupOf(name, members)) } : {}),
    ...(made.length > 0 || defaultUser === false ? { users: made } : {}),
    ...given('bootcmd', props.bootcmd?.length ? props.bootcmd : undefined),
    ...given('disk_setup', each(props.diskSetup, renderLayout)),
    ...filled('fs_setup', props.fsSetup, renderFilesystem),
    ...filled('mounts', mounts, renderMount),
    ...given('swap', swap && renderSwap(swap)),
    ...given('growpart', growpart && renderGrowpart(growpart)),
    ...given('resize_rootfs', props.resizeRootfs),
    ...given('ntp', ntp && renderNtp(ntp)),
    ...given('ca_certs', caCerts && renderCaCerts(caCerts)),
    ...(sources ? { apt: { sources } } : {}),
    ...given('yum_repos', each(props.yumRepositories, renderYumRepository)),
    ...given('package_update', props.packageUpdate),
    ...given('package_upgrade', props.packageUpgrade),
    ...given('package_reboot_if_required', props.packageRebootIfRequired),
    ...filled('packages', packages, (item) => (item instanceof CloudPackage ? [item.name, item.version] : item)),
    ...filled('write_files', props.writeFiles, renderFile),
    ...filled('runcmd', props.runcmd, same),
    ...given('phone_home', phoneHome && renderPhoneHome(phoneHome)),
    ...given('power_state', powerState && renderPowerState(powerState)),
    ...given('final_message', props.finalMessage),
    ...withoutUndefined(props.raw),
  };
}

function groupOf(name: string, members: readonly string[]): unknown {
  return members.length > 0 ? { [name]: members } : name;
}

/** Returns the cloud-config as text, as cloud-init reads it. */
export function cloudConfigText(config: Config): string {
  return `#cloud-config\n${Object.keys(config).length > 0 ? yamlText(config) : '{}\n'}`;
}

const names = (entries: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(entries));

/** Keys whose property is not simply the key in camel case. */
const PROPERTIES = names({
  'apt.sources': 'aptSources',
  ca_certs: 'caCerts',
  disable_root: 'ssh.disableRoot',
  ssh_authorized_keys: 'ssh.authorizedKeys',
  ssh_deletekeys: 'ssh.deleteImageHostKeys',
  ssh_genkeytypes: 'ssh.hostKeys',
  ssh_pwauth: 'ssh.passwordAuthentication',
  yum_repos: 'yumRepositories',
});
const INNER = names({
  baseurl: 'baseUrl',
  homedir: 'homeDirectory',
  keyid: 'keyId',
  keyserver: 'keyServer',
  filename: 'file',
  layout: 'percentages',
  lock_passwd: 'lockPassword',
  maxsize: 'maxSize',
  no_create_home: 'createHome',
  expiredate: 'expires',
  ssh_authorized_keys: 'sshKeys',
  ssh_import_id: 'sshImportIds',
  table_type: 'table',
});

const NAMED = new Set(['aptSources', 'diskSetup', 'yumRepositories']);

const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the property that sets a key of the document: `writeFiles[0].path` for `write_files[0].path`, or a key in
 * `raw`.
 */
export function locateInConfig(props: CloudConfigProps): (path: Path) => string {
  return (path) => {
    const [first, ...others] = path.parts;
    if (props.raw && Object.hasOwn(props.raw, first)) return `raw.${path}`;
    const two = `${first}.${others[0]}`;
    const property = PROPERTIES.get(two) ?? PROPERTIES.get(`${first}`) ?? camel(`${first}`);
    const rest = PROPERTIES.has(two) ? others.slice(1) : others;
    const shift = first === 'users' && props.defaultUser ? 1 : 0;
    const inner = rest.map((part, i) => {
      if (typeof part === 'number') return `[${i === 0 ? part - shift : part}]`;
      // in these maps the first key is a name that the user chose
      return `.${i === 0 && NAMED.has(property) ? part : (INNER.get(part) ?? camel(part))}`;
    });
    return `${property}${inner.join('')}`;
  };
}
