import { spawnSync } from 'node:child_process'
import { root } from './steps.ts'

/** A number of the current commit: the same commit tries the same values on every machine. */
export function seedOfCommit(): number {
  return Number.parseInt(git('rev-parse', 'HEAD')[0]?.slice(0, 7) ?? '1', 16)
}

const hours = 3_600
const hoursOfWork = 4

/** A number that is one more every three hours, by the time of the current commit. */
export function turnOfCommit(): number {
  return Math.floor(committedAt() / (3 * hours))
}

/** The files changed since this commit, with those that are not committed. */
export function changedSince(commit: string): string[] {
  const base = git('merge-base', commit, 'HEAD')[0] ?? commit
  return [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])]
}

/**
 * The commit before the present change: the last one in common with the main branch; on that branch itself the newest that is four hours
 * older than its last, for what was pushed together is one change. Null where the history does not tell.
 */
export function startOfChange(): string | null {
  const [head = ''] = git('rev-parse', 'HEAD')
  const base = git('merge-base', 'HEAD', 'main')[0] ?? git('merge-base', 'HEAD', 'origin/main')[0] ?? null
  if (base !== head) return base
  return git('rev-list', '-1', `--before=${committedAt() - hoursOfWork * hours}`, 'HEAD')[0] ?? null
}

function committedAt(): number {
  return Number(git('log', '-1', '--format=%ct')[0] ?? 0)
}

// Nothing outside of a git checkout.
function git(...args: string[]): string[] {
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return (stdout ?? '').split('\n').filter(Boolean)
}
