import type { Finding, Path, RuleId } from '../findings';

/** What must not be readable in a manifest: passwords and private keys. A message never repeats them. */

/** Where cloud-config holds a secret; `*` is any key or index. */
const SECRET_PLACES: readonly string[][] = [
  'password',
  'user.passwd',
  'user.hashed_passwd',
  'user.plain_text_passwd',
  'users.*.passwd',
  'users.*.hashed_passwd',
  'users.*.plain_text_passwd',
  'chpasswd.users.*.password',
  'chpasswd.list',
  'ssh_keys.*_private',
  'random_seed.data',
  'landscape.client.registration_key',
  'lxd.init.trust_password',
  'reporting.*.consumer_secret',
  'reporting.*.token_secret',
  'rh_subscription.activation_key',
  'rh_subscription.password',
  'salt_minion.private_key',
  'ubuntu_advantage.token',
  'ubuntu_pro.token',
  'wireguard.interfaces.*.content',
  'yum_repos.*.password',
  'yum_repos.*.proxy_password',
].map((place) => place.split('.'));

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|PuTTY-User-Key-File-|AGE-SECRET-KEY-1/;
/** `-----BEGIN ` in base64, and what follows. */
const ENCODED = /LS0tLS1CRUdJTi[A-Za-z0-9+/=\s]*/;
/** A password that a command pipes into chpasswd or passwd. */
const PIPED = /\b(echo|printf)\b[^|\n]{0,500}\|\s*(sudo\s+)?(chpasswd|passwd\s+--stdin)\b|\bchpasswd\b[^\n]*<<</;
/** A key of the list above on a line of its own; a locked password is none. */
const LINE =
  /^[ \t-]*['"]?(passwd|hashed[_-]passwd|plain[_-]text[_-]passwd|password|\w+_private|trust_password|activation[_-]key|registration_key)['"]?:[ \t]*(?!['"]?[!*]+['"]?[ \t]*$)\S/m;
const LIST = /^chpasswd:[ \t]*\n(?:[ \t][^\n]*\n|\n)*?[ \t]+list:/m;

/** Passwords and private keys in a cloud-config. */
export function secretsInConfig(config: Readonly<Record<string, unknown>>, at: Path): Finding[] {
  const errors: Finding[] = [];
  const walk = (value: unknown, keys: readonly string[], path: Path): void => {
    if (value === null || value === undefined) return;
    if (isSecretPlace(keys) && !isLocked(value)) return void errors.push(password(path, keys));
    if (typeof value === 'string') return void errors.push(...secretsInText(value, path));
    if (Array.isArray(value)) return value.forEach((each, i) => walk(each, [...keys, '*'], path.at(i)));
    if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...keys, key.replaceAll('-', '_')], path.at(key));
    }
  };
  walk(config, [], at);
  return errors;
}

/** Passwords and private keys in a script, in a file's content. */
export function secretsInText(text: string, at: Path): Finding[] {
  const encoded = ENCODED.exec(text)?.[0];
  const texts = encoded === undefined ? [text] : [text, Buffer.from(encoded, 'base64').toString('latin1')];
  if (texts.some((each) => PRIVATE_KEY.test(each)))
    return [secret(at, 'holds a private key', 'cloud-init-private-key')];
  if (PIPED.test(text)) return [secret(at, 'holds a password', 'cloud-init-password')];
  return [];
}

/** The same in a cloud-config that is only known as text. */
export function secretsInYaml(text: string, at: Path): Finding[] {
  if (LINE.test(text) || LIST.test(text))
    return [secret(at, 'holds a password or a private key', 'cloud-init-password')];
  return secretsInText(text, at);
}

function isSecretPlace(keys: readonly string[]): boolean {
  return SECRET_PLACES.some((place) => place.length === keys.length && place.every((part, i) => isPart(part, keys[i])));
}

function isPart(part: string, key: string): boolean {
  return part === key || (part.startsWith('*') && key.endsWith(part.slice(1)));
}

/** `!` and `*` are no passwords: nobody can log in by them. */
function isLocked(value: unknown): boolean {
  return typeof value === 'string' && /^[!*]*$/.test(value);
}

function password(at: Path, keys: readonly string[]): Finding {
  if (keys.at(-1)?.endsWith('_private')) return secret(at, 'is a private key', 'cloud-init-private-key');
  const ofUser = ['users', 'user', 'chpasswd'].includes(keys[0]) || keys.join() === 'password';
  const message = 'would be readable in the manifest';
  if (!ofUser) return secret(at, message, 'cloud-init-password');
  return {
    ...secret(at, message, 'cloud-init-password'),
    remedy:
      'name a Secret with the password in CloudUser.named(…, { passwordFrom }), which the guest agent sets; or say sensitive: true, and all user data goes into a generated Secret',
  };
}

function secret(at: Path, message: string, rule: RuleId): Finding {
  return {
    rule,
    type: 'FieldValueForbidden',
    path: at,
    cause: message,
    remedy:
      'use CloudInit.fromSecret with a Secret that holds the user data, or say sensitive: true, and it goes into a generated Secret',
  };
}
