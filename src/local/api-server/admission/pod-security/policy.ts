import { Fields } from '../../validation/fields';
import { Level, LevelVersion } from './checks';

const PREFIX = 'pod-security.kubernetes.io/';
const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];

export const MODES = ['enforce', 'audit', 'warn'] as const;
export type Policy = Readonly<Record<(typeof MODES)[number], LevelVersion>>;

export const strictness = (level: Level): number => LEVELS.indexOf(level);

/** `restricted:latest`, `baseline:v1.30`. */
export const show = ({ level, version }: LevelVersion): string =>
  `${level}:${version === 'latest' ? version : `v1.${version}`}`;

/** Policy of a namespace by its labels; invalid labels are reported in `at` and count as restricted for enforce only. */
export function policyOf(labels: Readonly<Record<string, string>> = {}, at = Fields.root()): Policy {
  const policy = {} as Record<keyof Policy, LevelVersion>;
  for (const mode of MODES) {
    let level: Level = 'privileged';
    let version: LevelVersion['version'] = 'latest';
    const [levelKey, versionKey] = [PREFIX + mode, `${PREFIX}${mode}-version`];
    const [levelText, versionText] = [labels[levelKey], labels[versionKey]] as (string | undefined)[];
    if (LEVELS.includes(levelText as Level)) level = levelText as Level;
    else if (levelText !== undefined) {
      at.key(levelKey).invalid(levelText, `must be one of ${LEVELS.join(', ')}`);
      level = mode === 'enforce' ? 'restricted' : 'privileged';
    }
    const minor = /^v1\.(0|[1-9]\d{0,8})$/.exec(versionText ?? '')?.[1];
    if (minor !== undefined) version = Number(minor);
    else if (versionText !== undefined && versionText !== 'latest') {
      at.key(versionKey).invalid(versionText, 'must be "latest" or "v1.x"');
    }
    policy[mode] = { level, version };
  }
  const enforced = LEVELS.includes(labels[`${PREFIX}enforce`] as Level);
  // Without a level of its own, warn follows enforce.
  if (labels[`${PREFIX}warn`] === undefined && enforced && strictness(policy.enforce.level) > 0) {
    const version = labels[`${PREFIX}warn-version`] === undefined ? policy.enforce.version : policy.warn.version;
    policy.warn = { level: policy.enforce.level, version };
  }
  return policy;
}
