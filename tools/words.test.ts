import compile from 'icu-minify/compile'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { banLabel, banWord, benefitWord, functions, globalRights, rightWord, tagRights } from '#role/all-rights.ts'
import { routes } from '#apps/server/features.ts'
import { allJobs } from '#apps/server/jobs.ts'
import { adminWord, type Manifest } from '#base/manifest.ts'
import { pascalCase } from '#base/pascal-case.ts'
import type { StaffList } from '#base/staff-list.ts'
import { byFeature as manifests } from '#features/lists/manifests.ts'
import { deliveredKinds, labelOf, notificationKinds, reasonOf, sentenceOf } from '#notification/all-kinds.ts'
import { codesOf, optionCode } from '#setting/admin/setting-words.ts'
import { allSettings, declarationOf, type AnySetting } from '#setting/staff-contract.ts'
import { allWords, program, textOf } from './repository.ts'

const everything = allWords()
const settingCodes = new Set((Object.keys(allSettings) as AnySetting[]).flatMap((name) => [...codesOf(name), ...namedOptionsOf(name)]))
const jobs = allJobs({ config: { dataDir: '', store: null, publicUrl: null }, ownerUrl: '' })
// Rights of some families have no words of their own on cards: features/commerce/membership/web/benefits.ts.
const benefitWords = new Set<string | null>([...tagRights, ...globalRights].map(benefitWord))
const declaredWords = new Set([
  ...namesDeclared().map(([feature = '', kind = '', name = '']) => adminWord(feature, `${kind}${pascalCase(name)}`)),
  ...notificationKinds.flatMap((kind) => [sentenceOf(kind), reasonOf(kind)]),
  ...deliveredKinds.flatMap((kind) => [sentenceOf(kind), labelOf(kind)]),
  ...[...tagRights, ...globalRights].map(rightWord),
  ...functions.flatMap((name) => [banWord(name), banLabel(name)]),
])
const lists = routes.flatMap(({ endpoint }) => ('columns' in endpoint ? [endpoint as StaffList] : []))
// Regions have one label for all lists.
const labelsOf = (kinds: StaffList['columns'], words: string) =>
  Object.entries(kinds).flatMap(([name, { shows, label = name }]) => (shows === 'region' ? [] : `${words}.${label}`))
const columnLabels = new Set(lists.flatMap(({ columns, words }) => labelsOf(columns, words)))
const filterLabels = new Set(lists.flatMap(({ filters, words }) => labelsOf(filters, words)))

test('values are found however deep they are in a text', () => {
  const text = '{count, plural, one {# by {name}} other {some <b>{more}</b>}} {on, date, short}'
  expect(new Set(valuesIn(text))).toEqual(new Set(['count', 'name', 'b', 'more', 'on']))
  expect(() => valuesIn('{name')).toThrow('EXPECT_ARGUMENT_CLOSING_BRACE')
})

test('no two places keep words under one name', () => {
  const names = everything.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

for (const { folder, en, zh } of everything) {
  describe(`the words in ${folder}`, () => {
    test('both languages have the same keys', () => {
      expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort())
    })

    test('every key is plain and every text says something', () => {
      const entries = [...Object.entries(en), ...Object.entries(zh)]
      expect(entries.filter(([key, text]) => !/^[A-Za-z0-9]+$/.test(key) || typeof text !== 'string' || !text.trim())).toEqual([])
    })

    test('both languages ask for the same values', () => {
      const asks = (texts: Record<string, unknown>) =>
        Object.entries(texts).map(([key, text]) => [key, [...new Set(valuesIn(String(text)))].sort()])
      expect(Object.fromEntries(asks(zh))).toEqual(Object.fromEntries(asks(en)))
    })
  })
}

// Two words of lower case with a blank are English. These are for who reads English.
const forEnglishReaders = ['languageLabel', 'alsoIn']
const english = /(?:^|[^\w<])[a-z]{2,} [a-z]{2,}(?![\w=])/

test('a Chinese text has Chinese characters, if it has words', () => {
  const untranslated = everything.flatMap(({ folder, zh }) =>
    Object.entries(zh).flatMap(([key, text]) =>
      !forEnglishReaders.includes(key) && !/\p{Script=Han}/u.test(String(text)) && english.test(String(text).replaceAll(/\{[^}]*\}/g, ''))
        ? `${folder} ${key}`
        : [],
    ),
  )
  expect(untranslated).toEqual([])
})

test('every word that a page asks for is there', () => {
  const known = new Set(everything.flatMap(({ name, en }) => Object.keys(en).map((key) => `${name}.${key}`)))
  expect(
    program().flatMap((path) =>
      asksOf(textOf(path))
        .filter((key) => !known.has(key))
        .map((key) => `${path}: ${key}`),
    ),
  ).toEqual([])
})

test('every setting has words, in the catalogue of its feature', () => {
  const known = new Set(everything.flatMap(({ name, en }) => Object.keys(en).map((key) => `${name}.${key}`)))
  expect([...settingCodes].filter((code) => !known.has(code))).toEqual([])
})

test.each(['en', 'zh'] as const)('every name that a feature declares has words in %s, in its feature', (language) => {
  expect([...declaredWords].filter((word) => !isIn(language, word))).toEqual([])
})

test.each(['en', 'zh'] as const)('every column of a declared list has a label in %s', (language) => {
  expect([...columnLabels].filter((word) => !isIn(language, word))).toEqual([])
})

test('rights, actions, subjects and jobs are each declared once, and a group of actions belongs to one feature', () => {
  const all = namesDeclared().map(([, ...name]) => name.join(' '))
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
})

test('members, staff and bans have one name each in Chinese', () => {
  const texts = everything.flatMap(({ folder, zh }) => Object.entries(zh).map(([key, text]) => `${folder} ${key}: ${String(text)}`))
  expect(texts.filter((text) => /会员(?!卡)|员工|管理人员|禁言/.test(text))).toEqual([])
})

test('one thing has one name in Chinese, and the old names are gone', () => {
  const givenUp =
    /提示问题|二次验证|两步登录|(所有|结束)会话|登出|站标|短名|注册项|替身|提供方|版主|管理者|全站通知|写通知|下沉|次序|不同意|等待同意|现金悬赏|定额|定向|解除拉黑|停止回答|站外链接|喘口气|打烊|载入|撤下|抹除|将会|这台设备上：/
  const texts = everything.flatMap(({ folder, zh }) => Object.entries(zh).map(([key, text]) => `${folder} ${key}: ${String(text)}`))
  expect(texts.filter((text) => givenUp.test(text.replace(/^\S+ \S+: /, '')))).toEqual([])
})

test('one thing has one name in English, and the old names are gone', () => {
  const givenUp =
    /\b(log(ged|s|ging)? (you )?(in|out)|logins?|e-mails?|(some|any|every|no)body|favourites?|colours?|centre|licence|cancelled|anew|any more|unbind|unbound|postscripts?|reminders?|members? of staff|hint question|front page|prolong(ed)?|whoever|meanwhile)\b/i
  const texts = everything.flatMap(({ folder, en }) => Object.entries(en).map(([key, text]) => `${folder} ${key}: ${String(text)}`))
  // Argument names are not text.
  expect(texts.filter((text) => givenUp.test(text.replace(/^\S+ \S+: /, '').replaceAll(/\{\w+(?=[,}])/g, '')))).toEqual([])
})

test('no word is kept that nothing says', () => {
  const { literals, patterns } = saidIn(program().map(textOf))
  // A template such as `right${…}` says only what is declared.
  const strictPatterns = patterns.map(
    ({ source }) => new RegExp(source.replace(/^\^(right|action|group|about|job|notification|may|gives|ban)\\w/, '^$1[a-z]')),
  )
  // A number is a status, which comes from the answer.
  const isSaid = (key: string) =>
    /^\d+$/.test(key) ||
    settingCodes.has(key) ||
    declaredWords.has(key) ||
    benefitWords.has(key) ||
    literals.has(key) ||
    strictPatterns.some((pattern) => pattern.test(key))
  const isLabel = (word: string) => columnLabels.has(word) || filterLabels.has(word)
  const unsaid = everything.flatMap(({ name, en }) =>
    Object.keys(en)
      .filter((key) => !isSaid(key) && !isSaid(`${name}.${key}`) && !isLabel(`${name}.${key}`))
      .map((key) => `${name}.${key}`),
  )
  expect(unsaid).toEqual([])
})

/** Every name that the features declare, with its feature and the start of its key. */
function namesDeclared(): string[][] {
  const declared = Object.values<Manifest>(manifests).flatMap(({ feature, staffRights = {}, auditActions = [], auditSubjects = {} }) => {
    const named = (kind: string, names: Iterable<string>) => [...names].map((name) => [feature, kind, name])
    return [
      ...named('right', Object.values(staffRights).flat()),
      ...named('action', auditActions),
      ...named('group', new Set(auditActions.map((action) => action.split('.')[0] ?? ''))),
      ...named('about', Object.keys(auditSubjects)),
    ]
  })
  return [...declared, ...jobs.map(({ feature = '', name }) => [feature, 'job', name])]
}

function isIn(language: 'en' | 'zh', word: string): boolean {
  const [catalogue, key = ''] = word.split('.')
  return everything.some(({ name, ...texts }) => name === catalogue && Object.hasOwn(texts[language], key))
}

/** Options that several can be chosen of, where they have words of their own. */
function namedOptionsOf(name: AnySetting): string[] {
  const { schema, optionWords } = declarationOf(name)
  const element = schema instanceof z.ZodArray ? schema.element : null
  return optionWords && element instanceof z.ZodEnum ? element.options.map((option) => optionCode(name, String(option))) : []
}

/** The names of the values and tags in a text. Throws if the text is not well-formed ICU. */
function valuesIn(text: string): string[] {
  return namesIn(compile(text))
}

// A compiled text is a list of plain strings and of nodes: `[name]`, `[name, kind, choices]` or, for a tag, `[name, ...parts]`.
function namesIn(parts: unknown): string[] {
  if (!Array.isArray(parts)) return []
  return parts.filter(Array.isArray).flatMap(([name, ...rest]: unknown[]) => {
    const [kind, choices] = rest
    const isChoice = typeof kind === 'number' && typeof choices === 'object' && choices !== null
    return [String(name), ...(isChoice ? Object.values(choices).flatMap(namesIn) : namesIn(rest))]
  })
}

// `words('post')` after `const words = useWords('comment')`, in the same function or an enclosing one.
function asksOf(source: string): string[] {
  const keys: string[] = []
  const speakers = new Map<string, string>()
  for (const [, variable = '', feature = '', speaker = '', key = '', other] of source.matchAll(
    /const (\w+) = useWords\('(\w+)'[,)]|\b(\w+)\((?:[^()\n]* \? )?'(\w+)'(?: : '(\w+)')?[,)]/g,
  )) {
    if (variable) speakers.set(variable, feature)
    else if (speakers.has(speaker)) keys.push(...[key, other].filter(Boolean).map((one) => `${speakers.get(speaker)}.${one}`))
  }
  return keys
}

// The keys that a program may use: every quoted key, and every composed one, such as `${kind}Title`.
function saidIn(sources: string[]): { literals: Set<string>; patterns: RegExp[] } {
  const quoted = sources.flatMap((source) => [...source.matchAll(/(['"`])((?:\w+\.)?[a-z]\w*)\1/g)].map(([, , key = '']) => key))
  const built = sources.flatMap((source) =>
    [...source.matchAll(/`([^`\s]*\$\{[^`\s]*)`/g)].flatMap(([, template = '']) => toPattern(template)),
  )
  return { literals: new Set(quoted), patterns: built }
}

// A template without fixed text would match every key.
function toPattern(template: string): RegExp[] {
  const fixed = template.split(/\$\{[^{}]*\}/)
  if (fixed.some((part) => /[^\w.]/.test(part)) || !fixed.some((part) => /\w{3}/.test(part))) return []
  return [new RegExp(`^${fixed.map((part) => part.replaceAll('.', '\\.')).join('\\w+')}$`)]
}
