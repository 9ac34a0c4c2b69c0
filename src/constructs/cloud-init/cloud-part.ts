import { validatePlain } from '../../api/cloud-init/plain';
import { validateCloudConfig } from '../../api/cloud-init/user-data';
import { secretsInText, secretsInYaml } from '../../api/cloud-init/secrets';
import { type Finding, root } from '../../api/findings';
import { mistakeInCode } from '../validation';
import type { CloudConfigProps } from './cloud-config';
import type { CloudUser } from './cloud-user';
import { refuse } from './mistakes';
import { cloudConfigText, locateInConfig, renderCloudConfig } from './render-config';

/**
 * One of several documents in a multi-part user data. A document that cloud-init would not recognize as its declared
 * type is rejected.
 */
export class CloudPart {
  /**
   * Creates a cloud-config.
   *
   * @param props users, packages, commands and all other settings of the cloud-config
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.cloudConfig({ packages: ['nginx'] })]),
   * });
   */
  public static cloudConfig(props: CloudConfigProps): CloudPart {
    refuse('CloudPart.cloudConfig', validatePlain(props.raw, root.at('raw')));
    const config = renderCloudConfig(props);
    refuse('CloudPart.cloudConfig', validateCloudConfig(config, root, { secret: true }), locateInConfig(props));
    const secrets = (): Finding[] => secretsInYaml(cloudConfigText(config), root);
    return new CloudPart('text/cloud-config', cloudConfigText(config), secrets, props.users ?? []);
  }

  /**
   * Adds a script that runs at the end of the first boot. It begins with `#!`.
   *
   * @param script script, including its first line
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.shellScript('#!/bin/sh\ntouch /etc/ready\n')]),
   * });
   */
  public static shellScript(script: string): CloudPart {
    needsHeader('shellScript', script, /^#!/, '#! and an interpreter');
    return CloudPart.of('text/x-shellscript', script);
  }

  /**
   * Adds a script that runs at the end of each boot. It begins with `#!`.
   *
   * @param script script, including its first line
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.shellScriptPerBoot('#!/bin/sh\ndate >> /var/log/boots\n')]),
   * });
   */
  public static shellScriptPerBoot(script: string): CloudPart {
    needsHeader('shellScriptPerBoot', script, /^#!/, '#! and an interpreter');
    return CloudPart.of('text/x-shellscript-per-boot', script);
  }

  /**
   * Adds a script that runs as early as possible in each boot.
   *
   * @param script script, including its first line
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.boothook('#!/bin/sh\nmodprobe dummy\n')]),
   * });
   */
  public static boothook(script: string): CloudPart {
    return CloudPart.of('text/cloud-boothook', script);
  }

  /**
   * Adds a cloud-config or script as a Jinja template over the instance's data. It begins with `## template: jinja`.
   *
   * @param template template, with its first line `## template: jinja`
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.jinja('## template: jinja\n#cloud-config\nruncmd: ["echo {{ v1.local_hostname }}"]\n')]),
   * });
   */
  public static jinja(template: string): CloudPart {
    needsHeader('jinja', template, /^##\s*template:\s*jinja/i, '## template: jinja');
    return CloudPart.of('text/jinja2', template);
  }

  /**
   * Adds documents that the guest downloads.
   *
   * @param urls URLs of user data
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.include('https://config.example/base.yaml')]),
   * });
   */
  public static include(...urls: string[]): CloudPart {
    urls.forEach((url, i) => {
      if (/^(https?|file|ftp):\/\/\S+$/.test(String(url))) return;
      mistakeInCode(
        'CloudPart.include',
        `urls[${i}]`,
        'is not a valid URL',
        'use a URL such as https://example.com/user-data',
        'cloud-part-url',
      );
    });
    return CloudPart.of('text/x-include-url', `${urls.join('\n')}\n`);
  }

  /**
   * Adds a document of any other content type that cloud-init supports. Its content is not validated.
   *
   * @param contentType MIME type, such as `text/cloud-config`
   * @param content content of the part
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   cloudInit: CloudInit.multipart([CloudPart.of('text/cloud-config', '#cloud-config\npackages: [nginx]\n')]),
   * });
   */
  public static of(contentType: string, content: string): CloudPart {
    if (!/^text\/[a-z0-9.+-]+$/.test(String(contentType))) {
      const remedy = 'use a type that cloud-init supports, such as text/x-shellscript';
      mistakeInCode('CloudPart.of', 'contentType', 'is not a content type of text', remedy, 'cloud-part-type');
    }
    const yaml = /cloud-config|jinja/.test(contentType);
    return new CloudPart(contentType, content, () =>
      yaml ? secretsInYaml(content, root) : secretsInText(content, root),
    );
  }

  private constructor(
    /** Content type of the document. */
    public readonly contentType: string,
    private readonly content: string,
    private readonly secrets: () => Finding[],
    private readonly users: CloudUser[] = [],
  ) {}

  /** @internal */
  public _users(): CloudUser[] {
    return this.users;
  }

  /** Returns findings for secrets in the document, which must not be in a manifest. @internal */
  public _secrets(): Finding[] {
    return this.secrets();
  }

  /** @internal */
  public _render(): string {
    return this.content;
  }
}

function needsHeader(call: string, text: string, header: RegExp, what: string): void {
  if (header.test(String(text))) return;
  mistakeInCode(`CloudPart.${call}`, '', `the first line is not ${what}`, `begin with ${what}`, 'cloud-init-header');
}
