import type { Finding, Path, RuleId } from '../findings';

/** Rules of answer files for Windows. A message never repeats a possible password or product key. */

/** Properties of an answer file that are validated. */
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
  /** Release, as the folders of the virtio drivers are called: `w11`, `2k25`. */
  readonly releaseName: string;
  /** Name of the image to install, if it is selected by name. */
  readonly imageName?: string;
  /** Release that a published product key belongs to. */
  readonly keyRelease?: string;
  readonly keyIsPublic: boolean;
  readonly sensitive: boolean;
}

/** Longest RunSynchronousCommand/Path and SynchronousCommand/CommandLine: Microsoft's unattend reference. */
const LONGEST = { setupCommands: 259, firstLogonCommands: 1024 } as const;

/** With more, the generated commands would be longer than Windows accepts. */
const MOST_DRIVES = 12;

/** Returns the mistakes in the properties of an answer file. */
export function validateAnswerFile(file: AnswerFile, at: Path): Finding[] {
  const errors: Finding[] = [];
  const say = (rule: RuleId, path: Path, message: string, remedy: string): void =>
    void errors.push({ rule, path, cause: message, remedy });

  const { computerName } = file;
  // NetBIOS also rejects names of digits only
  if (computerName !== undefined && !/^(?!\d+$)[A-Za-z0-9]([A-Za-z0-9-]{0,13}[A-Za-z0-9])?$/.test(computerName)) {
    const remedy = 'use 1 to 15 letters, digits and dashes, not only digits';
    say('sysprep-computer-name', at.at('computerName'), 'is not a valid name of a Windows machine', remedy);
  }
  const { keyboard, timezone } = file;
  const tag = '[A-Za-z]{2,3}(-[A-Za-z0-9]+)+';
  for (const key of ['language', 'locale'] as const) {
    if (new RegExp(`^${tag}$`).test(file[key] ?? 'en-US')) continue;
    say('sysprep-locale', at.at(key), `is not a ${key}`, 'write it like en-US');
  }
  if (keyboard !== undefined && !new RegExp(`^(${tag}|[0-9a-fA-F]{4}:[0-9a-fA-F]{8})$`).test(keyboard)) {
    say('sysprep-keyboard', at.at('keyboard'), 'is not a keyboard layout', 'write a locale, or 0409:00000409');
  }
  if (timezone !== undefined && !/^[A-Za-z][A-Za-z0-9 .+()-]*$/.test(timezone)) {
    const remedy = "write Windows' own name, as tzutil /l lists them: Central Europe Standard Time";
    say('sysprep-timezone', at.at('timezone'), 'is not a time zone of Windows', remedy);
  }
  if (file.organization !== undefined && !isXmlText(file.organization)) {
    say('sysprep-text', at.at('organization'), 'has a character that XML does not allow', 'remove the character');
  }
  for (const key of ['setupCommands', 'firstLogonCommands'] as const) {
    (file[key] ?? []).forEach((command, i) => {
      const path = at.at(key, i);
      if (command.trim() === '') say('sysprep-command', path, 'is empty', 'remove the command');
      if (command.length > LONGEST[key]) {
        const message = `has ${command.length} characters, but at most ${LONGEST[key]} are allowed`;
        say('sysprep-command', path, message, 'call a script from a CD (Disk.configMap)');
      }
      if (!isXmlText(command))
        say('sysprep-text', path, 'has a character that XML does not allow', 'remove the character');
    });
  }
  if ((file.driveLetters?.length ?? 0) > MOST_DRIVES) {
    const message = `has ${file.driveLetters?.length} letters, but at most ${MOST_DRIVES} are allowed`;
    say('sysprep-drive', at.at('driveLetters'), message, 'list only the letters that the CD may have');
  }
  (file.driveLetters ?? []).forEach((letter, i) => {
    if (/^[A-Za-z]$/.test(letter)) return;
    say('sysprep-drive', at.at('driveLetters', i), 'is not a drive letter', 'write one letter, without a colon');
  });
  (file.components ?? []).forEach(({ name, xml }, i) => {
    const path = at.at('components', i);
    if (!/^[A-Za-z0-9-]+$/.test(name)) {
      say(
        'sysprep-component',
        path.at('name'),
        'is not the name of a component',
        'write it like Microsoft-Windows-Shell-Setup',
      );
    }
    if (!isXmlText(xml) || /<\?|<!|<component\b/.test(xml)) {
      const remedy = 'write only the content of <component>, without declarations';
      say('sysprep-component', path.at('xml'), 'is not the content of a component', remedy);
    }
    if (!file.sensitive) errors.push(...secretsInAnswerFile(xml, path.at('xml')));
  });
  if (file.isServer && !file.adminIsBuiltIn) {
    const message = 'a Windows server rejects a local account without a password';
    say('sysprep-admin', at.at('admin'), message, 'use WindowsAdmin.builtIn()');
  }
  if (file.autoLogon && file.adminIsBuiltIn) {
    const message = 'requires a local account: the password of the built-in account is not known during setup';
    say('sysprep-auto-logon', at.at('autoLogon'), message, 'use WindowsAdmin.local(…), or setupCommands');
  }
  errors.push(...releasesAgree(file, at));
  if (!file.keyIsPublic && !file.sensitive) {
    const remedy = 'set sensitive: true, which stores the answer file in a generated Secret; or use a published key';
    say('sysprep-product-key', at.at('productKey'), 'would be readable in the manifest', remedy);
  }
  return errors;
}

const RELEASES: Readonly<Record<string, string>> = {
  w10: 'Windows 10',
  w11: 'Windows 11',
  '2k16': 'Windows Server 2016',
  '2k19': 'Windows Server 2019',
  '2k22': 'Windows Server 2022',
  '2k25': 'Windows Server 2025',
};

/** The drivers and the accounts are those of the release, and Setup stops at a key of another one. */
function releasesAgree({ releaseName, imageName, keyRelease, isServer }: AnswerFile, at: Path): Finding[] {
  if (!Object.hasOwn(RELEASES, releaseName)) return [];
  const own = RELEASES[releaseName];
  const named = /Windows (?:Server )?(?:10|11|20\d\d)\b/i.exec(imageName ?? '')?.[0];
  const isKeyOfOther = keyRelease !== undefined && keyRelease !== releaseName && (isServer || keyRelease !== 'client');
  return [
    ...(named !== undefined && named.toLowerCase() !== own.toLowerCase()
      ? [
          {
            rule: 'sysprep-release' as const,
            path: at.at('image'),
            cause: `is an image of ${named}, and the release is ${own}`,
            remedy: 'correct one of the two: the release selects the drivers',
          },
        ]
      : []),
    ...(isKeyOfOther
      ? [
          {
            rule: 'sysprep-release' as const,
            path: at.at('productKey'),
            cause: `is not a key of ${own}, so Setup stops and asks for another`,
            remedy: 'use a key of this release',
          },
        ]
      : []),
  ];
}

/** Validates an answer file that is written as text, and reports secrets, which must not be readable in a manifest. */
export function validateAnswerText(xml: string, at: Path, published: readonly string[], sensitive: boolean): Finding[] {
  if (!/<unattend\b[^>]*urn:schemas-microsoft-com:unattend/.test(xml) || !xml.includes('</unattend>')) {
    const message = 'is not an answer file of Windows';
    const remedy = 'begin with the root element <unattend xmlns="urn:schemas-microsoft-com:unattend">';
    return [{ rule: 'sysprep-root', path: at, cause: message, remedy }];
  }
  if (sensitive) return [];
  const keys = [...xml.matchAll(/>\s*((?:[A-Z0-9]{5}-){4}[A-Z0-9]{5})\s*</gi)].map(([, key]) => key.toUpperCase());
  const own = keys.some((key) => !published.includes(key));
  const remedy = 'set sensitive: true, or use Sysprep.fromSecret';
  const message = 'contains a product key that is not published';
  return [
    ...(own ? [{ rule: 'sysprep-product-key' as const, path: at, cause: message, remedy }] : []),
    ...secretsInAnswerFile(xml, at),
  ];
}

/** Matches an element `…Password` with anything but an empty `Value`. */
function secretsInAnswerFile(xml: string, at: Path): Finding[] {
  const contents = [...xml.matchAll(/<((?:\w+:)?\w*Password)\b[^>]*>([\s\S]*?)<\/\1>/g)].map(([, , inner]) => inner);
  const isSecret = (inner: string): boolean =>
    inner
      .replace(/<PlainText\b[^>]*>[^<]*<\/PlainText>/, '')
      .replace(/<[^>]*>/g, '')
      .trim() !== '';
  if (!contents.some(isSecret)) return [];
  const remedy =
    'name a Secret in WindowsAdmin.builtIn({ passwordFrom }), set sensitive: true, or use Sysprep.fromSecret';
  return [{ rule: 'sysprep-password', path: at, cause: 'contains a password', remedy }];
}

/** Whether XML 1.0 allows the text: no control characters but tab and line breaks. */
function isXmlText(text: string): boolean {
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(
    text,
  );
}
