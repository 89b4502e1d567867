import { expect, test } from 'vitest'
import { screens } from '#apps/admin/screens.ts'
import { allSettings, settingGroups } from '#setting/staff-contract.ts'
import { allWords, files, program, textOf } from './repository.ts'

const everything = allWords()

/** The texts on screens in a language, whole and split at their placeholders. */
function saidIn(language: 'en' | 'zh'): ReadonlySet<string> {
  const texts = everything.flatMap((words) => Object.values(words[language]).map(String))
  return new Set([...texts, ...texts.flatMap((text) => text.split(/[{}]/))].map(bare))
}

const screenTexts = { en: saidIn('en'), zh: saidIn('zh') }

/** Also if a number is filled in. */
function isSaid(name: string, language: 'en' | 'zh'): boolean {
  return screenTexts[language].has(bare(name)) || name.split(/\d+/).every((piece) => screenTexts[language].has(bare(piece)))
}

function bare(text: string): string {
  return text.trim().replace(/[\s…。.:：(（]+$/, '')
}

// Quoted, but no label on a screen: a folder, signs to type, texts for a provider, the placeholder of a post.
const noNames = [
  'maintenanceAdmin.backupsWhat',
  'base.hiddenUnknown',
  'comment.removeQuestion',
  'deliveryAdmin.smsChangedTemplateZhHelp',
  'deliveryAdmin.smsPasswordTemplateZhHelp',
]

test.each(['en', 'zh'] as const)('every name quoted by a text in %s is on a screen', (language) => {
  const missing = everything.flatMap(({ name, ...words }) =>
    Object.entries(words[language]).flatMap(([key, text]) =>
      noNames.includes(`${name}.${key}`)
        ? []
        : [...String(text).matchAll(/“([^”{}]+)”/g)]
            .map(([, called = '']) => called)
            .filter((called) => !isSaid(called, language))
            .map((called) => `${name}.${key}: ${called}`),
    ),
  )
  expect(missing).toEqual([])
})

test.each([
  ['docs/administrators.md', 'en'],
  ['docs/administrators.zh.md', 'zh'],
  ['docs/moderators.md', 'en'],
  ['docs/moderators.zh.md', 'zh'],
] as const)('every name quoted by %s is on a screen', (path, language) => {
  const called = [...textOf(path).matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, name = '']) => name)
  expect(called.filter((name) => !isSaid(name, language))).toEqual([])
  expect(called.length).toBeGreaterThan(10)
})

test('every setting that a page of the documents names is one', () => {
  const named = files(/^(docs\/[\w.]+|README[\w.]*)\.md$/).flatMap((path) =>
    [...textOf(path).matchAll(/`([a-z]+[A-Z][A-Za-z]+)`|setting set (\w+) /g)].map(([, inCode, inCommand]) => ({
      path,
      name: inCode ?? inCommand ?? '',
    })),
  )
  expect(named.filter(({ name }) => name !== 'NAME' && !Object.hasOwn(allSettings, name))).toEqual([])
  expect(named.length).toBeGreaterThan(30)
})

test('every way to a screen of the administration leads to one, and to settings that are there', () => {
  const ways = program().flatMap((path) =>
    [...textOf(path).matchAll(/["'`](\/admin\/[A-Za-z/]+)(?:\?(group|setting)=(\w+))?(?:#(\w+))?["'`?]/g)]
      .map(([, to = '', what, which = '', field]) => ({ path, to, what, which, field }))
      // In contracts these are paths of calls.
      .filter(() => path.endsWith('.tsx')),
  )
  const isScreen = (to: string) => screens.some((screen) => screen.path === to)
  const isThere = ({ what, which, field }: (typeof ways)[number]) =>
    (what !== 'group' || Object.hasOwn(settingGroups, which)) &&
    (what !== 'setting' || Object.hasOwn(allSettings, which)) &&
    (field === undefined || Object.hasOwn(allSettings, field))
  const links = ways.filter(({ path, to }) => new RegExp(`(?:to=|go\\()[{]?["'\`]${to}`).test(textOf(path)))
  expect(links.filter((way) => !isScreen(way.to) || !isThere(way)).map(({ path, to }) => `${path}: ${to}`)).toEqual([])
  expect(links.length).toBeGreaterThan(20)
})
