import { expect, test } from 'vitest'
import { firstWords } from '#apps/web/building/first-words.ts'
import { screens } from '#apps/web/screens.ts'
import { program, textOf } from '../../../tools/repository.ts'

const isFirst = firstWords()

test.each([
  ['site', 'home'],
  ['site', 'brokenTitle'],
  ['topic', 'lastReplyBy'],
  ['comment', 'floorLink'],
  ['user', 'official'],
  ['account', 'membersOnly'],
  ['call', '404'],
  ['call', 'offline'],
])('%s.%s is spoken while one reads', (feature, key) => {
  expect(isFirst(feature, key)).toBe(true)
})

test.each([
  ['editor', 'bold'],
  ['validation', 'required'],
  ['account', 'nicknameHelp'],
  ['file', 'pictureTooLarge'],
  ['topic', 'titleHelp'],
])('%s.%s comes with what speaks it', (feature, key) => {
  expect(isFirst(feature, key)).toBe(false)
})

test('the words of every screen that is public for all, but for those that few come for, are among the first', () => {
  const first = textOf('apps/web/building/first-words.ts')
  const files = screens
    .filter(({ isPublic, publicWith, isRare }) => isPublic && !publicWith && !isRare)
    .map(({ file }) => new URL(file, 'file:///apps/web/').pathname.slice(1))
  expect(files.filter((file) => !first.includes(`'${file}'`))).toEqual([])
})

test('whatever comes later brings its words', () => {
  const alone = program()
    .filter((path) => path.startsWith('base/web/') || /^features\/[^/]+\/web\//.test(path))
    .flatMap((path) =>
      [...textOf(path).matchAll(/.*(?<!typeof )(?<!later\(|use(?:Later|Needed)\(\s*\(\) => )import\('#[^']*\/web\/.*/g)].map(
        ([line]) => `${path}: ${line.trim()}`,
      ),
    )
  expect(alone).toEqual([])
})
