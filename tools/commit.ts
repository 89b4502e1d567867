import { spawnSync } from 'node:child_process'
import { Halt } from '../scripts/step.mjs'
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

/**
 * The files changed since this commit, with those that are not committed, a moved one by both names; none without a commit. Throws `Halt`
 * for an unknown commit.
 */
export function changedSince(commit: string | null): string[] {
  if (commit === null) return []
  const base = git('merge-base', commit, 'HEAD')[0]
  if (base === undefined) throw new Halt(`There is no commit ${commit} in this checkout.`)
  return [...new Set([...git('diff', '--name-only', '--no-renames', base), ...git('ls-files', '--others', '--exclude-standard')])]
}

/** The last commit in common with the main branch: on that branch the current one. Null where the history does not tell. */
export function startOfBranch(): string | null {
  return git('merge-base', 'HEAD', 'main')[0] ?? git('merge-base', 'HEAD', 'origin/main')[0] ?? null
}

/** The commit before what was submitted: on the main branch the newest that is four hours older than the current one. */
export function startOfSubmission(): string | null {
  const base = startOfBranch()
  if (base !== git('rev-parse', 'HEAD')[0]) return base
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
