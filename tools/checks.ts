import { availableParallelism } from 'node:os'
import { folderOf } from '../features/order.js'
import { runStep, type Step } from './steps.ts'

export const vitest = 'node_modules/vitest/vitest.mjs'

// Each checker repeats work of the others; on two processors one alone does half the work of the usual four.
const checkers = String(Math.min(4, Math.ceil(availableParallelism() / 2)))

const codeSteps: Step[] = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--project', '.', '--pretty', 'false', '--checkers', checkers] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--format', 'unix'] },
  { name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--list-different'] },
]
const houseStep: Step = { name: 'house rules', args: [vitest, 'run', '--reporter', 'dot', 'tools/'] }

/** Types, lint and format, in parallel; returns whether each passed. */
export function checkCode(): Promise<boolean[]> {
  return Promise.all(codeSteps.map(runStep))
}

// Rules about the files of a feature; the others are about the repository, or about themselves.
const featureRules = ['house', 'words', 'refusals', 'both-languages', 'names-said'].map((name) => `tools/${name}.test.ts`)

/** The checks that a feature's files allow by themselves, for use while working on it. Types are checked as a whole. */
export function checkFeature(name: string): Promise<boolean[]> {
  const [types, lint, format] = codeSteps as [Step, Step, Step]
  const its = folderOf(name) ?? name
  const steps = [types, withArgs(lint, [its]), withArgs(format, [its]), withArgs(houseStep, featureRules, 'tools/')]
  return Promise.all(steps.map(runStep))
}

function withArgs({ name, args }: Step, more: readonly string[], inPlaceOf?: string): Step {
  return { name, args: [...args.filter((arg) => arg !== inPlaceOf), ...more] }
}

/** All checks, with the house rules. */
export function checkAll(): Promise<boolean[]> {
  return Promise.all([...codeSteps, houseStep].map(runStep))
}
