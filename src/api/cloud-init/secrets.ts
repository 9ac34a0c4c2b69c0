import type { Finding, Path, RuleId } from '../findings';

/** Passwords and private keys, which must not be readable in a manifest. A message never repeats them. */

/** Fields of cloud-config that contain a secret; `*` is any key or index. */
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
/** Matches `-----BEGIN ` and the following text in base64. */
const ENCODED = /LS0tLS1CRUdJTi[A-Za-z0-9+/=\s]*/;
/** Matches a password that a command pipes into chpasswd or passwd. */
const PIPED = /\b(echo|printf)\b[^|\n]{0,500}\|\s*(sudo\s+)?(chpasswd|passwd\s+--stdin)\b|\bchpasswd\b[^\n]*<<</;
/** Matches a key of the list above on its own line, unless its value is a locked password. */
const LINE =
  /^[ \t-]*['"]?(passwd|hashed[_-]passwd|plain[_-]text[_-]passwd|password|\w+_private|trust_password|activation[_-]key|registration_key)['"]?:[ \t]*(?!['"]?[!*]+['"]?[ \t]*$)\S/m;
const LIST = /^chpasswd:[ \t]*\n(?:[ \t][^\n]*\n|\n)*?[ \t]+list:/m;

/** Reports passwords and private keys in a cloud-config. */
export function secretsInConfig(config: Readonly<Record<string, unknown>>, at: Path): Finding[] {
  const errors: Finding[] = [];
  const parts: (string | number)[] = [];
  /** The same parts, as the list above has them: cloud-init reads `-` as `_`. */
  const names: string[] = [];
  const walk = (value: unknown): void => {
    if (value === null || value === undefined) return;
    if (isSecretPlace(names) && !isLocked(value)) {
      errors.push(password(at.at(...parts), names));
    } else if (typeof value === 'string') {
      errors.push(...secretsInText(value, at).map((found) => ({ ...found, path: at.at(...parts) })));
    } else if (typeof value === 'object') {
      for (const key of Object.keys(value)) {
        parts.push(Array.isArray(value) ? Number(key) : key);
        names.push(key.replaceAll('-', '_'));
        walk((value as Record<string, unknown>)[key]);
        parts.pop();
        names.pop();
      }
    }
  };
  walk(config);
  return errors;
}

/** Reports passwords and private keys in a script or a file's content. */
export function secretsInText(text: string, at: Path): Finding[] {
  const encoded = ENCODED.exec(text)?.[0];
  const texts = encoded === undefined ? [text] : [text, Buffer.from(encoded, 'base64').toString('latin1')];
  if (texts.some((each) => PRIVATE_KEY.test(each)))
    return [secret(at, 'holds a private key', 'cloud-init-private-key')];
  if (text.includes('passwd') && PIPED.test(text)) return [secret(at, 'holds a password', 'cloud-init-password')];
  return [];
}

/** Reports the same in a cloud-config that is only known as text. */
export function secretsInYaml(text: string, at: Path): Finding[] {
  if (LINE.test(text) || LIST.test(text))
    return [secret(at, 'holds a password or a private key', 'cloud-init-password')];
  return secretsInText(text, at);
}

function isSecretPlace(names: readonly string[]): boolean {
  return SECRET_PLACES.some(
    (place) => place.length === names.length && place.every((part, i) => isPart(part, names[i])),
  );
}

function isPart(part: string, name: string): boolean {
  return part === name || (part.startsWith('*') && name.endsWith(part.slice(1)));
}

/** Whether the password is locked: `!` and `*` do not permit a login. */
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
      'name a Secret with the password in CloudUser.named(…, { passwordFrom }), which the guest agent sets; or set sensitive: true, which stores all user data in a generated Secret',
  };
}

function secret(at: Path, message: string, rule: RuleId): Finding {
  return {
    rule,
    type: 'FieldValueForbidden',
    path: at,
    cause: message,
    remedy:
      'use CloudInit.fromSecret with a Secret that contains the user data, or set sensitive: true, which stores it in a generated Secret',
  };
}
