import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#account/contract.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as contract from '#field/contract.ts'
import { memberList } from '#member/contract.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { editableProfile, editProfile, home } from '#user/contract.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

let joined = 0
const form = (more: { account?: string; answers?: contract.Answers } = {}) => ({
  account: `joiner_${++joined}`,
  password: 'a-quiet-evening',
  passwordAgain: 'a-quiet-evening',
  hintQuestion: 'Which tea in the morning?',
  hintAnswer: 'Longjing, always',
  agrees: true,
  ...more,
})
const ask = async (more: Partial<Parameters<typeof chief.call<typeof contract.addField>>[1]>) =>
  (await chief.call(contract.addField, { zh: '城市', en: 'City', kind: 'text', ...more })).fieldId
const options = [
  { key: 'green', zh: '绿茶', en: 'Green' },
  { key: 'black', zh: '红茶', en: 'Black' },
]

describe('the rules of registering', () => {
  test('reserve names by patterns, of any complexity', async () => {
    await chief.call(changeSettings, { reservedNames: 'tea*house?\n*a*a*a*a*a*a*a*a*a*b' })
    const accountError = async (name: string) => (await forum.visitor().tryCall(account.register, form({ account: name }))).error['account']
    expect([await accountError('Tea_my_houseX'), await accountError('tea_house')]).toEqual([expect.any(String), undefined])
    expect(await accountError('aaaaaaaaaaaaaaaaaaaaaaaab')).toEqual(expect.any(String))
  })

  test('one address makes no more members in a day than the limit', async () => {
    await chief.call(changeSettings, { registrationsPerDay: 2 })
    const tries: number[] = []
    for (let n = 0; n < 3; n++)
      tries.push((await Object.assign(forum.visitor(), { ip: '2001:db8::7' }).tryCall(account.register, form())).status)
    const near = await Object.assign(forum.visitor(), { ip: '2001:db8::8' }).tryCall(account.register, form())
    const far = await Object.assign(forum.visitor(), { ip: '2001:db9::7' }).tryCall(account.register, form())
    expect([...tries, near.status, far.status]).toEqual([200, 200, 422, 422, 200])
    expect((await chief.call(memberList, { ip: '2001:db8::/64' })).rows).toHaveLength(2)
    await chief.call(changeSettings, { registrationsPerDay: 0 })
  })
})

describe('a question to members', () => {
  test('is asked at registration and on the profile, checked, and shown if it is public', async () => {
    const city = await ask({ isRequired: true, isVisible: true, isSearched: true, longest: 5 })
    const tea = await ask({ zh: '茶', en: 'Tea', kind: 'checkbox', options, isVisible: true, isSearched: true })
    const secret = await ask({ zh: '学号', en: 'Number', takes: 'pattern', pattern: '[A-Z]\\d{3}' })
    const registerForm = await forum.visitor().call(account.registerForm, {})
    expect(registerForm.fields.map((one) => [one.name.en, one.kind, one.isRequired])).toEqual([
      ['City', 'text', true],
      ['Tea', 'checkbox', false],
      ['Number', 'text', false],
    ])
    const wrong = (answers: contract.Answers) => forum.visitor().tryCall(account.register, form({ answers }))
    expect((await wrong({})).error).toHaveProperty(`answer_${city}`)
    const all = (await wrong({ [city]: ['Chongqing'], [tea]: ['oolong'], [secret]: ['x'] })).error
    expect(Object.keys(all).sort()).toEqual([city, tea, secret].map((one) => `answer_${one}`).sort())

    const mei = forum.visitor()
    const { systemUser, ...pair } = await mei.call(
      account.register,
      form({ answers: { [city]: [' 杭州 '], [tea]: ['green', 'black'], [secret]: ['A007'], '99999': ['ignored'] } }),
    )
    mei.pair = pair
    expect((await forum.visitor().call(home, { userId: systemUser.userId })).told).toEqual([
      { name: { zh: '城市', en: 'City' }, said: [{ zh: '杭州', en: '杭州' }] },
      { name: { zh: '茶', en: 'Tea' }, said: options.map(({ zh, en }) => ({ zh, en })) },
    ])
    expect((await mei.call(editableProfile, {})).answers).toEqual({ [city]: ['杭州'], [tea]: ['green', 'black'], [secret]: ['A007'] })
    await mei.call(editProfile, { nickname: '', showsActivity: true })
    const found = async (fieldId: string, answer: string) => (await chief.call(memberList, { fieldId, answer })).rows.map((row) => row.id)
    expect([await found(tea, 'gre'), await found(tea, 'green')]).toEqual([[], [systemUser.userId]])
    await mei.call(editProfile, { nickname: '', showsActivity: true, answers: { [city]: ['苏州'] } })
    expect((await mei.call(editableProfile, {})).answers).toEqual({ [city]: ['苏州'] })
    expect((await mei.tryCall(editProfile, { nickname: '', showsActivity: true, answers: {} })).error).toHaveProperty(`answer_${city}`)
    expect([await found(city, '苏州'), await found(city, '州')]).toEqual([[systemUser.userId], [systemUser.userId]])
    expect(await found(city, '杭')).toEqual([])
    const { fields } = await chief.call(memberList, {})
    expect(fields.map(({ name, options: its }) => [name.en, its.map(({ key }) => key)])).toEqual([
      ['City', []],
      ['Tea', ['green', 'black']],
    ])
    for (const fieldId of [city, tea, secret]) await chief.call(contract.removeField, { fieldId })
    expect((await forum.visitor().call(home, { userId: systemUser.userId })).told).toEqual([])
  })

  test.each([
    ['digits', ['42', '007'], ['4 2', '４２', 'x']],
    ['letters', ['Tea'], ['茶', 'a1', 'é']],
    ['lettersAndDigits', ['Tea1'], ['a-b']],
    ['chinese', ['茶馆'], ['茶 馆', 'tea', 'あ']],
    ['anything', ['茶 & tea'], []],
  ] as const)('takes %s', async (takes, good, bad) => {
    const fieldId = await ask({ takes })
    const status = async (text: string) =>
      (await forum.visitor().tryCall(account.register, form({ answers: { [fieldId]: [text] } }))).status
    for (const text of good) expect([text, await status(text)]).toEqual([text, 200])
    for (const text of bad) expect([text, await status(text)]).toEqual([text, 422])
    await chief.call(contract.removeField, { fieldId })
  })

  test('holds no pattern that could take for ever, and no choice without options', async () => {
    const field = { zh: 'x', en: 'x', kind: 'text' as const, takes: 'pattern' as const }
    for (const pattern of ['(?=a)a', '(a', '(a{99}){99}'])
      expect(await chief.isRefused(contract.addField, { ...field, pattern }, contract.PatternUnfit)).toBe(true)
    expect(await chief.isRefused(contract.addField, { zh: 'x', en: 'x', kind: 'radio' }, contract.OptionsMissing)).toBe(true)
    const fieldId = await ask({ takes: 'pattern', pattern: '(a+)+b' })
    const { status } = await forum.visitor().tryCall(account.register, form({ answers: { [fieldId]: ['a'.repeat(100)] } }))
    expect(status).toBe(422)
    await chief.call(contract.editField, { fieldId, version: 0, zh: 'x', en: 'x', kind: 'text' })
    expect((await chief.tryCall(contract.editField, { fieldId, version: 0, zh: 'y', en: 'y', kind: 'text' })).status).toBe(409)
    await chief.call(contract.removeField, { fieldId })
  })
})
