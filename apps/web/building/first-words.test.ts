import { expect, test } from 'vitest'
import { firstUsers, firstWords } from '#apps/web/building/first-words.ts'
import { screens } from '#apps/web/screens.ts'
import { program, textOf } from '../../../tools/repository.ts'

const isFirst = firstWords()
const speaks = firstUsers()

/** The reason why a text loads before reading, and how to fix it. */
function tooSoon(feature: string, key: string): string {
  const chain = speaks(feature, key) ?? []
  return `Every first reader is brought ${feature}.${key}, because of these imports:
  ${chain.join('\n  → ')}
Break one of them: import only types ("import type"), move what both need to a file without the words, or bring the part later with later(() => import(…)).
If readers need it at once, list the word above, among those that are spoken while one reads.`
}

test.each([
  ['site', 'home'],
  ['site', 'brokenTitle'],
  ['topic', 'lastReplyBy'],
  ['comment', 'floorLink'],
  ['user', 'official'],
  ['account', 'membersOnly'],
  ['call', '404'],
  ['call', 'offline'],
  ['editor', 'copyCode'],
  ['keys', 'goHome'],
  ['notification', 'bell'],
])('%s.%s is among the texts of the first load', (feature, key) => {
  expect(isFirst(feature, key)).toBe(true)
})

test.each([
  ['editor', 'bold'],
  ['validation', 'required'],
  ['account', 'nicknameHelp'],
  ['file', 'pictureTooLarge'],
  ['topic', 'titleHelp'],
])('%s.%s comes with its user', (feature, key) => {
  expect(isFirst(feature, key), tooSoon(feature, key)).toBe(false)
})

test('a text that comes too soon is reported with the imports that bring it, and the way out', () => {
  const message = tooSoon('topic', 'lastReplyBy')
  expect(message).toMatch(/^Every first reader is brought topic\.lastReplyBy.*\n {2}apps\/web\/(browser|screens\/\w+)\.tsx\n {2}→ /)
  expect(message).toMatch(/→ features\/threads\/topic\/web\/[\w-]+\.tsx\nBreak one of them: import only types/)
})

test('the texts of every public screen, except rarely visited ones, are among the first', () => {
  const first = textOf('apps/web/building/first-words.ts')
  const files = screens.filter(({ isPublic, publicWith, isRare }) => isPublic && !publicWith && !isRare).map(({ file }) => file.slice(1))
  expect(files.filter((file) => !first.includes(`'${file}'`))).toEqual([])
})

test('late chunks bring their words', () => {
  const alone = program()
    .filter((path) => /^base\/(web|editor)\//.test(path) || /^features\/[^/]+\/[^/]+\/web\//.test(path))
    .flatMap((path) =>
      [
        ...textOf(path).matchAll(
          /.*(?<!typeof )(?<!(?:later|idlePart)\(|use(?:Later|Needed|IdlePart)\(\s*\(\) => )import\('#[^']*\/(?:web|editor)\/.*/g,
        ),
      ].map(([line]) => `${path}: ${line.trim()}`),
    )
  expect(alone).toEqual([])
})
