import { availableParallelism } from 'node:os'
import { runStep, type Step } from './steps.ts'

export const vitest = 'node_modules/vitest/vitest.mjs'

// Each checker learns much of what the others know; on two processors one alone takes half the work of the usual four.
const checkers = String(Math.min(4, Math.ceil(availableParallelism() / 2)))

const ofTheCode: Step[] = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--project', '.', '--pretty', 'false', '--checkers', checkers] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--format', 'unix'] },
  { name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--list-different'] },
]
const ofTheHouse: Step = { name: 'house rules', args: [vitest, 'run', '--reporter', 'dot', 'tools/'] }

/** Types, lint and format, side by side; answers how each went. */
export function checkCode(): Promise<boolean[]> {
  return Promise.all(ofTheCode.map(runStep))
}

// Rules that read the files of a feature; the others are about the repository, or about themselves.
const housesOfAFeature = ['house', 'words', 'refusals', 'both-languages', 'names-said'].map((name) => `tools/${name}.test.ts`)

/** While one works on a feature: what can be told of its files alone. Types know no parts. */
export function checkFeature(name: string): Promise<boolean[]> {
  const [types, lint, format] = ofTheCode as [Step, Step, Step]
  const its = `features/${name}`
  const steps = [types, withArgs(lint, [its]), withArgs(format, [its]), withArgs(ofTheHouse, housesOfAFeature, 'tools/')]
  return Promise.all(steps.map(runStep))
}

function withArgs({ name, args }: Step, more: readonly string[], inPlaceOf?: string): Step {
  return { name, args: [...args.filter((arg) => arg !== inPlaceOf), ...more] }
}

/** All of it, with the rules of the house that tests hold. */
export function checkAll(): Promise<boolean[]> {
  return Promise.all([...ofTheCode, ofTheHouse].map(runStep))
}
