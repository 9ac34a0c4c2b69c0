import type { Finding, Path, RuleId } from '../findings';

/** What Windows' answer files may hold. A message never repeats what may be a password or a product key. */

/** What is judged of the properties that make an answer file. */
export interface AnswerFile {
  readonly language?: string;
  readonly locale?: string;
  readonly keyboard?: string;
  readonly timezone?: string;
  readonly organization?: string;
  readonly computerName?: string;
  readonly setupCommands?: readonly string[];
  readonly firstLogonCommands?: readonly string[];
  readonly driveLetters?: readonly string[];
  readonly components?: readonly { readonly name: string; readonly xml: string }[];
  readonly autoLogon?: boolean;
  readonly adminIsBuiltIn: boolean;
  readonly isServer: boolean;
  readonly keyIsPublic: boolean;
  readonly sensitive: boolean;
}

/** Longest RunSynchronousCommand/Path and SynchronousCommand/CommandLine: Microsoft's unattend reference. */
const LONGEST = { setupCommands: 259, firstLogonCommands: 1024 } as const;

/** With more, our own commands would be longer than Windows takes. */
const MOST_DRIVES = 12;

/** Everything that is wrong with the properties of an answer file. */
export function validateAnswerFile(file: AnswerFile, at: Path): Finding[] {
  const errors: Finding[] = [];
  const say = (rule: RuleId, path: Path, message: string, remedy: string): void =>
    void errors.push({ rule, path, cause: message, remedy });

  const { computerName } = file;
  // NetBIOS: all digits are refused, too
  if (computerName !== undefined && !/^(?!\d+$)[A-Za-z0-9]([A-Za-z0-9-]{0,13}[A-Za-z0-9])?$/.test(computerName)) {
    const remedy = 'use 1 to 15 letters, digits and dashes, not digits alone';
    say('sysprep-computer-name', at.at('computerName'), 'is no name of a Windows machine', remedy);
  }
  const { keyboard, timezone } = file;
  const tag = '[A-Za-z]{2,3}(-[A-Za-z0-9]+)+';
  for (const key of ['language', 'locale'] as const) {
    if (new RegExp(`^${tag}$`).test(file[key] ?? 'en-US')) continue;
    say('sysprep-locale', at.at(key), `is no ${key}`, 'write it like en-US');
  }
  if (keyboard !== undefined && !new RegExp(`^(${tag}|[0-9a-fA-F]{4}:[0-9a-fA-F]{8})$`).test(keyboard)) {
    say('sysprep-keyboard', at.at('keyboard'), 'is no keyboard', 'write a locale, or 0409:00000409');
  }
  if (timezone !== undefined && !/^[A-Za-z][A-Za-z0-9 .+()-]*$/.test(timezone)) {
    const remedy = "write Windows' own name, as tzutil /l lists them: Central Europe Standard Time";
    say('sysprep-timezone', at.at('timezone'), 'is no time zone of Windows', remedy);
  }
  if (file.organization !== undefined && !isXmlText(file.organization)) {
    say('sysprep-text', at.at('organization'), 'has a character that XML cannot hold', 'remove it');
  }
  for (const key of ['setupCommands', 'firstLogonCommands'] as const) {
    (file[key] ?? []).forEach((command, i) => {
      const path = at.at(key, i);
      if (command.trim() === '') say('sysprep-command', path, 'is empty', 'remove it');
      if (command.length > LONGEST[key]) {
        const message = `has ${command.length} characters, ${LONGEST[key]} are allowed`;
        say('sysprep-command', path, message, 'call a script from a CD (Disk.configMap)');
      }
      if (!isXmlText(command)) say('sysprep-text', path, 'has a character that XML cannot hold', 'remove it');
    });
  }
  if ((file.driveLetters?.length ?? 0) > MOST_DRIVES) {
    const message = `has ${file.driveLetters?.length} letters, ${MOST_DRIVES} are allowed`;
    say('sysprep-drive', at.at('driveLetters'), message, 'name those where the CD may be');
  }
  (file.driveLetters ?? []).forEach((letter, i) => {
    if (/^[A-Za-z]$/.test(letter)) return;
    say('sysprep-drive', at.at('driveLetters', i), 'is no drive letter', 'write one letter, without a colon');
  });
  (file.components ?? []).forEach(({ name, xml }, i) => {
    const path = at.at('components', i);
    if (!/^[A-Za-z0-9-]+$/.test(name)) {
      say(
        'sysprep-component',
        path.at('name'),
        'is no name of a component',
        'write it like Microsoft-Windows-Shell-Setup',
      );
    }
    if (!isXmlText(xml) || /<\?|<!|<component\b/.test(xml)) {
      const remedy = 'write only what is inside <component>, without declarations';
      say('sysprep-component', path.at('xml'), 'is not the content of a component', remedy);
    }
    if (!file.sensitive) errors.push(...secretsInAnswerFile(xml, path.at('xml')));
  });
  if (file.isServer && !file.adminIsBuiltIn) {
    const message = 'a server refuses a local account without a password';
    say('sysprep-admin', at.at('admin'), message, 'use WindowsAdmin.builtIn()');
  }
  if (file.autoLogon && file.adminIsBuiltIn) {
    const message = 'is for local accounts: nobody knows the password of the built-in one during setup';
    say('sysprep-auto-logon', at.at('autoLogon'), message, 'use WindowsAdmin.local(…), or setupCommands');
  }
  if (!file.keyIsPublic && !file.sensitive) {
    const remedy = 'say sensitive: true, and the answer file goes into a generated Secret; or use a published key';
    say('sysprep-product-key', at.at('productKey'), 'would be readable in the manifest', remedy);
  }
  return errors;
}

/** A whole answer file as text: what it is, and what must not be readable in a manifest. */
export function validateAnswerText(xml: string, at: Path, published: readonly string[], sensitive: boolean): Finding[] {
  if (!/<unattend\b[^>]*urn:schemas-microsoft-com:unattend/.test(xml) || !xml.includes('</unattend>')) {
    const message = 'is no answer file of Windows';
    const remedy = 'its root is <unattend xmlns="urn:schemas-microsoft-com:unattend">';
    return [{ rule: 'sysprep-root', path: at, cause: message, remedy }];
  }
  if (sensitive) return [];
  const keys = [...xml.matchAll(/>\s*((?:[A-Z0-9]{5}-){4}[A-Z0-9]{5})\s*</gi)].map(([, key]) => key.toUpperCase());
  const own = keys.some((key) => !published.includes(key));
  const remedy = 'say sensitive: true, or use Sysprep.fromSecret';
  const message = 'holds a product key that is not published';
  return [
    ...(own ? [{ rule: 'sysprep-product-key' as const, path: at, cause: message, remedy }] : []),
    ...secretsInAnswerFile(xml, at),
  ];
}

/** An element `…Password` that holds anything but an empty `Value`. */
function secretsInAnswerFile(xml: string, at: Path): Finding[] {
  const contents = [...xml.matchAll(/<((?:\w+:)?\w*Password)\b[^>]*>([\s\S]*?)<\/\1>/g)].map(([, , inner]) => inner);
  const isSecret = (inner: string): boolean =>
    inner
      .replace(/<PlainText\b[^>]*>[^<]*<\/PlainText>/, '')
      .replace(/<[^>]*>/g, '')
      .trim() !== '';
  if (!contents.some(isSecret)) return [];
  const remedy =
    'name a Secret in WindowsAdmin.builtIn({ passwordFrom }), say sensitive: true, or use Sysprep.fromSecret';
  return [{ rule: 'sysprep-password', path: at, cause: 'holds a password', remedy }];
}

/** XML 1.0: no control characters but tab and line breaks. */
function isXmlText(text: string): boolean {
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(
    text,
  );
}
